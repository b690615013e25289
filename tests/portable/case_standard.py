"""Standard's generator deals the counts of its specification in small integers; its games are equal everywhere."""

from firmware.engine.options import Options
from firmware.modes.catalogue import STANDARD, make_mode
from firmware.modes.standard import Generator

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython has no heap lock

    def heap_lock() -> None:
        pass

    heap_unlock = heap_lock

TEST_SPEC = 5  # its number in modes.txt
SIZES = (70, 700, 7000, 70000)
COUNTS = (
    (10, 100, 966, 9987), (5, 100, 994, 9975), (11, 91, 1007, 10046), (12, 104, 1003, 9874),
    (10, 105, 1027, 10058), (12, 100, 994, 10004), (10, 100, 1009, 10056),
)  # fmt: skip
ORDER = b"OISZLJT"
LETTERS = b".IJLOSTZ"


def deal(generator, totals, count):
    """Deal until `count` pieces are dealt; with a locked heap, integers over 30 bits raise MemoryError."""
    dealt = 0
    for total in totals:
        dealt += total
    while dealt < count:
        totals[generator.deal()] += 1
        dealt += 1


def begin(variant, seed):
    """Return a game of a variant, with options by its seed."""
    options = Options()
    options.level, options.aim = 1 + seed % 10, seed & 1
    mode = make_mode(variant)
    assert mode.rules
    return mode.rules(seed, options, mode)


def play(game, chance, edges):
    """Play at random, in random slices; return a hash of events, positions and scores."""
    value = t_ms = 0
    while edges and not game.over:
        edges -= 1
        chance.deal()
        t_ms += chance.b % 97
        game.advance(t_ms)
        t_ms += chance.a % 61
        happened = game.input(chance.a >> 5 & 7, chance.b >> 6 & 1, t_ms)
        value = (value * 31 + happened + game.x * 7 + game.y + game.score) & 0xFFFFFF
    return value


generator = Generator(0)
totals = [0] * 8
for column in range(4):
    heap_lock()
    deal(generator, totals, SIZES[column])
    heap_unlock()
    for index in range(7):
        assert totals[LETTERS.index(ORDER[index : index + 1])] == COUNTS[index][column], (index, column)

outcomes = []
value = 0  # a new name would need memory while the heap is locked
for seed in range(6):
    game, chance = begin(STANDARD if seed & 1 else TEST_SPEC, seed * 1000003), Generator(seed * 1000003)
    heap_lock()
    value = play(game, chance, 1500)
    heap_unlock()
    outcomes.append((game.score, game.lines, game.lock_downs, game.time_ms, value))
print(outcomes)
