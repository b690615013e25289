"""All puzzles of the handheld, solved by their own steps: the same games on every interpreter."""

from binascii import crc32

from firmware.engine.game import AIM_REACHED
from firmware.engine.options import Options
from firmware.modes.lessons.puzzle_file import STEP_BYTES, pack_step, restore
from firmware.modes.lessons.puzzle_file import count as count_all
from firmware.modes.lessons.puzzle_file import names as name_all
from firmware.modes.puzzle import Puzzle, PuzzleGame

T = 6
value = 0
count = count_all()
for number in range(count):
    mode = Puzzle()
    game = PuzzleGame(number, Options(), mode)
    game.start(0)
    steps = mode.steps
    way = b""
    for i in range(0, len(steps), 2):
        step = steps[i] | steps[i + 1] << 8
        way += pack_step(step, step >> 12 == T)  # a T came by a rotation
    pieces = len(way) // STEP_BYTES
    restore(game, way, pieces - 1)  # up to the last Tetrimino, which the player then has
    whole = PuzzleGame(number, Options(), Puzzle())
    whole.start(0)
    restore(whole, way, pieces)
    assert whole.over == AIM_REACHED, number
    assert not game.over and game.mode.led and whole.mode.led, number
    for row in game.matrix.rows:
        value = crc32(row, value)
    for part in (game.next, bytes((game.hold, game.piece, whole.lines, whole.matrix.top))):
        value = crc32(part, value)
names = b"|".join(name_all())
print("%d puzzles, %08x, names %08x" % (count, value, crc32(names)))
