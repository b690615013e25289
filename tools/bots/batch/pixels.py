"""Draw the handheld's picture of all games, as firmware/view/playfield.py does.

A picture is 128 words, one for each row of pixels, the lowest bit leftmost.
"""

from typing import Any

import numpy as np

from firmware.engine import game as engine
from firmware.engine.mode import Mode
from firmware.view import wide as wide_numbers
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import Canvas
from firmware.view.minos import CELLS, MINIS, MINOS
from firmware.view.playfield import PlayView
from firmware.view.wide import LARGEST_COUNT, LARGEST_LEVEL, LARGEST_SCORE
from tools.bots.batch import state
from tools.bots.batch.blocks import fits
from tools.bots.batch.compiling import compiled
from tools.bots.batch.state import Game, Rules
from tools.bots.strong import columns as bits

_CELL = 5
_FLOOR_TOP = 122  # of row 0
_PEEK_TOP = 25  # of the two visible rows of pixels of the row above the Skyline
_IN_PLAY, _GHOST = 8, 16
_NEXT_Y, _NEXT_PITCH, _NEXT_X = 28, 9, 48
_HOLD_Y = 8
_LONGEST_MS = 5999999
_MINOS = np.array(list(MINOS)).reshape(-1, _CELL)
# piece, Mino: column, row and neighbours of the four Minos that face North
_NORTH = np.array([[0] * 4] + [list(CELLS[at : at + 4]) for at in range(0, 112, 16)])
# piece, row
_MINIS = np.array(
    [[0] * 6] + [[MINIS[at] | MINIS[at + 1] << 8 for at in range(a, a + 12, 2)] for a in range(0, 84, 12)]
)

_FONTS = (FONT_5X7, FONT_3X7, FONT_3X5)
_LARGE, _NARROW, _SMALL = range(3)
_TALLEST = 7
# Fields of numbers: x, y, digits, font, whether with leading zeros. A number too large for its field has others, and a
# time limit shows tenths of a second.
_FIELDS = np.array(
    [
        (23, 0, 7, _LARGE, 0),
        (25, 0, 10, _NARROW, 0),
        (53, 113, 3, _NARROW, 0),
        (53, 112, 3, _NARROW, 0),
        (53, 120, 3, _NARROW, 1),
        (53, 94, 2, _LARGE, 0),
        (53, 94, 3, _NARROW, 0),
        (53, 93, 3, _SMALL, 0),
        (53, 99, 3, _SMALL, 1),
        (18, 16, 3, _NARROW, 0),
        (9, 16, 5, _NARROW, 0),
        (39, 16, 2, _LARGE, 0),
        (53, 16, 2, _LARGE, 1),
        (31, 16, 2, _LARGE, 0),
        (45, 16, 2, _LARGE, 1),
        (59, 16, 1, _LARGE, 1),
    ]
)
_SCORE, _WIDE_SCORE, _LINES, _LINE_THOUSANDS, _LINES_BELOW = range(5)
_LEVEL, _WIDE_LEVEL, _LEVEL_THOUSANDS, _LEVELS_BELOW, _GOAL, _WIDE_GOAL = range(5, 11)
_MINUTES, _SECONDS, _MINUTES_LEFT, _SECONDS_LEFT, _TENTHS_LEFT = range(11, 16)


def _read_digits(font: bytes) -> list[bytes]:
    """Return the rows of the ten digits, as many as the tallest font has."""
    first = 4 + (ord("0") - font[2]) * font[1]
    return [font[at : at + font[1]].ljust(_TALLEST, b"\0") for at in range(first, first + 10 * font[1], font[1])]


# font, digit, row; and the distance from digit to digit
_DIGITS = np.array([[list(rows) for rows in _read_digits(font)] for font in _FONTS])
_PITCHES = np.array([font[0] + 1 for font in _FONTS])


def _draw_backgrounds() -> Any:
    """Return the pictures without numbers, Blocks and Tetriminos: usual, with a large goal, with a time limit."""
    pictures = []
    for kind in range(3):
        game = engine.Game(1, None, Mode())
        game.limit_ms = int(kind == 2)
        canvas = Canvas()
        view = PlayView(canvas)
        view.repaint(game)
        if kind == 1:
            game.goal = LARGEST_COUNT + 1
            wide_numbers.draw_goal(view, game)
            canvas.fill(9, 16, 20, 7, 0)  # the goal itself
        pictures.append(np.frombuffer(bytes(canvas.buffer[1:]), "<i8"))
    return np.array(pictures, np.int64)


_BACKGROUNDS = _draw_backgrounds()


@compiled
def draw_number(picture: Any, field: int, value: int) -> None:
    """Draw a number right aligned in its field, which is dark."""
    x, y, digits, font, zeros = _FIELDS[field]
    for place in range(digits - 1, -1, -1):
        if not (zeros or value or place == digits - 1):
            return
        for row in range(_TALLEST):
            picture[y + row] |= _DIGITS[font, value % 10, row] << x + place * _PITCHES[font]
        value //= 10


@compiled
def draw_thousands(picture: Any, field: int, value: int) -> None:
    """Draw the thousands of a number in a field, and the rest in the next field, which lies below."""
    draw_number(picture, field, value // 1000)
    draw_number(picture, field + 1, value % 1000)


@compiled
def flip_mino(picture: Any, x: int, y: int, kind: int) -> None:
    """Invert the pixels of a Mino in a cell."""
    left = 1 + _CELL * x
    if y == state.SKYLINE:
        picture[_PEEK_TOP] ^= _MINOS[kind, 3] << left
        picture[_PEEK_TOP + 1] ^= _MINOS[kind, 4] << left
    elif y < state.SKYLINE:
        top = _FLOOR_TOP - _CELL * y
        for row in range(_CELL):
            picture[top + row] ^= _MINOS[kind, row] << left


@compiled
def draw_piece(picture: Any, game: Game, wide: Any) -> None:
    """Draw the Tetrimino in play and its Ghost Piece."""
    piece = game.piece
    entry_y = game.entry_y
    bits.widen(game.columns, wide)
    ghost_y = entry_y
    while fits(wide, piece, 0, engine.SPAWN_X, ghost_y - 1):
        ghost_y -= 1
    for i in range(4):
        mino = _NORTH[piece, i]
        x = engine.SPAWN_X + (mino & 3)
        y = entry_y + (mino >> 2 & 3)
        flip_mino(picture, x, y, _IN_PLAY + piece)
        if ghost_y == entry_y:
            continue
        y = ghost_y + (mino >> 2 & 3)
        covered = False
        for other in range(4):
            at = _NORTH[piece, other]
            covered |= x == engine.SPAWN_X + (at & 3) and y == entry_y + (at >> 2 & 3)
        if not covered:
            flip_mino(picture, x, y, _GHOST + (mino >> 4))


@compiled
def draw_queues(picture: Any, game: Game, seen: int) -> None:
    for row in range(6):
        for i in range(seen):
            picture[_NEXT_Y + _NEXT_PITCH * i + row] |= _MINIS[game.next[i], row] << _NEXT_X
        mini = _MINIS[game.hold, row]
        if game.held:
            mini &= 0xAAAA if row & 1 else 0x5555  # every other pixel, because Hold waits for a Lock Down
        picture[_HOLD_Y + row] |= mini


@compiled
def draw_counts(picture: Any, game: Game) -> None:
    score = game.score
    draw_number(picture, _WIDE_SCORE if score > LARGEST_SCORE else _SCORE, score)
    lines = game.lines
    if lines > LARGEST_COUNT:
        draw_thousands(picture, _LINE_THOUSANDS, lines)
    else:
        draw_number(picture, _LINES, lines)
    level = game.level
    if level > LARGEST_COUNT:
        draw_thousands(picture, _LEVEL_THOUSANDS, level)
    else:
        draw_number(picture, _WIDE_LEVEL if level > LARGEST_LEVEL else _LEVEL, level)


@compiled
def draw_time(picture: Any, game: Game, limit_ms: int) -> None:
    """Draw the time left, or without a limit the time and the goal."""
    if limit_ms:
        tenths = min(limit_ms - game.time_ms + 99, _LONGEST_MS) // 100
        draw_number(picture, _TENTHS_LEFT, tenths % 10)
        draw_number(picture, _SECONDS_LEFT, tenths // 10 % 60)
        draw_number(picture, _MINUTES_LEFT, tenths // 600)
        return
    seconds = min(game.time_ms, _LONGEST_MS) // 1000
    draw_number(picture, _SECONDS, seconds % 60)
    draw_number(picture, _MINUTES, seconds // 60)
    goal = game.goal
    draw_number(picture, _WIDE_GOAL if goal > LARGEST_COUNT else _GOAL, goal)


@compiled
def draw_slice(games: Any, rules: Rules, seen: int, pictures: Any, first: int, last: int) -> None:
    wide = bits.make_scratch().wide
    for i in range(first, last):
        game = games[i]
        picture = pictures[i]
        picture[:] = _BACKGROUNDS[2 if rules.limit_ms else 1 if game.goal > LARGEST_COUNT else 0]
        for at in range((state.SKYLINE + 1) * 10):
            if game.cells[at]:
                flip_mino(picture, at % 10, at // 10, game.cells[at])
        if game.piece:
            draw_piece(picture, game, wide)
        draw_queues(picture, game, seen)
        draw_counts(picture, game)
        draw_time(picture, game, rules.limit_ms)
