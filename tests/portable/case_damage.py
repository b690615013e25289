"""A suspended game with wrong numbers in a valid record either resumes and plays on, or is refused."""

from binascii import crc32

from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.engine.randomizer import Random
from firmware.modes.catalogue import make_mode
from firmware.save import suspended, suspended_revival

RECORDS = 300
# By variant: aims below this number are tried.
AIMS = {0: 2, 1: 21, 2: 2, 3: 2, 4: 2, 5: 2, 6: 3, 7: 1, 8: 101, 9: 1, 10: 1, 12: 1, 13: 1}
VARIANTS = sorted(AIMS)
NUMBERS = (0, 1, 2, 3, 4, 5, 8, 11, 14, 24, 43, 44, 127, 128, 1000, 16383, 70_000, 2_000_004, 1 << 28, (1 << 30) - 1)
DAMAGED_NUMBERS = 100  # only numbers up to this index are damaged

chance = Random(20)


def begin(variant):
    mode = make_mode(variant)
    options = Options()
    options.lock_rule = chance.below(3)
    options.arr_ms = chance.below(2) * 40
    options.aim = chance.below(AIMS[variant])
    game = (mode.rules or Game)(chance.below(30_000), options, mode)
    game.start(0)
    return game


def play(game, edges):
    """Press and release controls at random."""
    t_ms = game.now_ms
    for _ in range(edges):
        t_ms += (0, 1, 16, 60, 250, 700)[chance.below(6)]
        game.input(chance.below(7), chance.below(3) > 0, t_ms)


def split(record):
    """Return the variable-length numbers of a record; its other bytes read as small numbers."""
    numbers = []
    number = shift = 0
    for byte in record:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    return numbers


def join(numbers):
    record = bytearray()
    for number in numbers:
        while number > 127:
            record.append(number & 127 | 128)
            number >>= 7
        record.append(number)
    return record


def damage(record):
    """Change one to three numbers, or one to three bytes."""
    by_numbers = chance.below(4)
    numbers = split(record)
    record = bytearray(record)
    for _ in range(1 + chance.below(3)):
        number = NUMBERS[chance.below(len(NUMBERS))]
        if by_numbers:
            numbers[1 + chance.below(min(DAMAGED_NUMBERS, len(numbers)) - 1)] = number
        else:
            record[chance.below(len(record))] = number & 255
    return join(numbers) if by_numbers else record


def state(game):
    hashed = crc32(bytes(game.next))
    for row in game.matrix.rows:
        hashed = crc32(row, hashed)
    return (hashed, game.score, game.lines, game.level, game.phase, game.time_ms, game.x, game.y, game.lock_downs)


def pack_game(game, variant):
    return bytes(buffer[: suspended.pack(game, variant, buffer)])


buffer = bytearray(437)
revived = outcome = 0
for number in range(RECORDS):
    variant = VARIANTS[number % len(VARIANTS)]
    game = begin(variant)
    play(game, chance.below(90))
    record = pack_game(game, variant)
    assert state(suspended_revival.restore(record, make_mode)) == state(game)
    record = bytes(damage(record))
    game = suspended_revival.restore(record, make_mode)
    if not game:
        continue
    revived += 1
    game.start(game.time_ms)
    play(game, 20)
    game.advance(game.now_ms + 3000)
    restored = suspended_revival.restore(pack_game(game, split(record)[1]), make_mode)
    assert state(restored) == state(game), "a restored game can be saved again"
    outcome = crc32(str(state(game)).encode(), outcome)

assert RECORDS // 10 < revived < RECORDS * 9 // 10, revived
print("%d %d %08x" % (RECORDS, revived, outcome))
