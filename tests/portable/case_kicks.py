"""Each rotation system turns the same on every interpreter, and leaves the Tetrimino in the same place."""

from binascii import crc32

from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import HALF_TURNS, Options
from firmware.engine.randomizer import Random
from firmware.modes.rules import find_rules

OUTCOMES = []
for kicks in range(4):
    options = Options()
    options.kicks = kicks
    options.modern = HALF_TURNS
    mode = Mode()
    game: "Game" = find_rules(mode, options)(1, options, mode)
    random = Random(56)
    seen = 0
    for _ in range(30):
        for y in range(12):
            row = bytearray(10)
            for x in range(10):
                row[x] = 8 * (random.below(5) < 2)
            game.matrix.set_row(y, row)
        for _ in range(20):
            if game.place(1 + random.below(7), random.below(7), random.below(14), random.below(4)):
                turn = random.below(3)
                point = game.turn_half() if turn > 1 else game.turn(turn)  # type: ignore[attr-defined]
                seen = crc32(bytes((point, game.x + 8, game.y + 8, game.facing)), seen)
    OUTCOMES.append("%d %08x" % (kicks, seen))

print("; ".join(OUTCOMES))
