"""All openers on both sides, built with several bags by their own advice: the same games on every interpreter."""

from binascii import crc32

from firmware.engine.game import AIM_REACHED
from firmware.engine.options import Options
from firmware.modes.lessons.opener_file import describe, fetch, list_steps, read
from firmware.modes.opener import HOLD, NONE, ORDERS, Opener
from firmware.modes.puzzle import PuzzleGame

STRIDE = 503
T = 6


def build(number, order):
    """Put each Tetrimino into its place; return a hash of the game, or 0 if the bag bars the opener."""
    mode = Opener()
    game = PuzzleGame(number * ORDERS + order, Options(), mode)
    game.start(0)
    game.advance(0)
    if mode.advise(game) == NONE:
        return 0
    value = 0
    while not game.over:
        advice = mode.advise(game)
        if advice == HOLD:
            game.swap_hold()
            continue
        assert advice != NONE, (number, order)
        step = mode.places[game.piece]
        value = crc32(bytes((advice, game.piece, step & 255, step >> 8)), value)
        assert game.place(game.piece, (step >> 2 & 15) - 3, (step >> 6 & 63) - 3, step & 3)
        game.turned_last = game.point_5_used = game.piece == T
        game.lock_down(True)
        game.eliminate()
        if not game.over:
            game.generate()
    assert game.over == AIM_REACHED, (number, order)
    for row in game.matrix.rows:
        value = crc32(row, value)
    return crc32(bytes((game.hold, game.lines)), value)


value = 0
built = 0
count = len(read())
for number in range(2 * count):
    record = fetch(number >> 1)
    for step in list_steps(record, number & 1):
        value = crc32(bytes((step & 255, step >> 8)), value)
    for word in describe(record):
        value = crc32(word, value)
    for order in range(number, ORDERS, STRIDE):
        found = build(number, order)
        built += found > 0
        value = crc32(b"%d" % found, value)
print("%d openers, %d bags built, %08x" % (count, built, value))
