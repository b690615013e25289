"""Standard's generator deals in small integers, and its games are equal everywhere.

tests/standard/test_standard_generator.py compares the counts with the specification.
"""

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
PIECES = 70000


def deal(generator, totals, count):
    """Deal `count` pieces; with a locked heap, integers over 30 bits raise MemoryError."""
    while count:
        totals[generator.deal()] += 1
        count -= 1


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
heap_lock()
deal(generator, totals, PIECES)
heap_unlock()

outcomes = []
value = 0  # a new name would need memory while the heap is locked
for seed in range(6):
    game, chance = begin(STANDARD if seed & 1 else TEST_SPEC, seed * 1000003), Generator(seed * 1000003)
    heap_lock()
    value = play(game, chance, 1500)
    heap_unlock()
    outcomes.append((game.score, game.lines, game.lock_downs, game.time_ms, value))
print(totals, outcomes)
