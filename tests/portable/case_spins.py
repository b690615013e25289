"""Each rule of spins finds the same spins on every interpreter."""

from binascii import crc32

from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.randomizer import Random
from firmware.modes.rules import find_rules

OUTCOMES = []
for spins in range(3):
    options = Options()
    options.spins = spins
    mode = Mode()
    game: "Game" = find_rules(mode, options)(1, options, mode)
    random = Random(23)
    seen = 0
    for _ in range(30):
        for y in range(8):
            row = bytearray(10)
            for x in range(10):
                row[x] = 8 * (random.below(3) < 2)
            game.matrix.set_row(y, row)
        for _ in range(20):
            if game.place(1 + random.below(7), random.below(7), random.below(8), random.below(4)):
                game.turned_last = True
                seen = crc32(bytes((game.spin(), game.x + 8, game.y + 8)), seen)
    OUTCOMES.append("%d %08x" % (spins, seen))

print("; ".join(OUTCOMES))
