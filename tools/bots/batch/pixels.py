"""Draw the handheld's picture of all games, as firmware/view/playfield.py does.

A picture is 128 words, one for each row of pixels, the lowest bit leftmost.
"""

from typing import Any

import numba
import numpy as np

from firmware.engine.game import SPAWN_X, Game
from firmware.engine.mode import Mode
from firmware.view import wide
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import HEIGHT, Canvas
from firmware.view.minos import CELLS, MINIS, MINOS
from firmware.view.playfield import PlayView
from firmware.view.wide import LARGEST_COUNT, LARGEST_LEVEL, LARGEST_SCORE
from tools.bots.batch.blocks import fits
from tools.bots.batch.compiling import compiled, compiled_parallel
from tools.bots.batch.places import ROOM
from tools.bots.batch.state import (
    ENTRY_Y,
    GOAL,
    HELD,
    HOLD,
    LEVEL,
    LINES,
    NEXT,
    PIECE,
    SCORE,
    SKYLINE,
    TIME_MS,
    Games,
    Rules,
)
from tools.bots.strong.columns import WIDE, widen

_CELL = 5
_FLOOR_TOP = 122  # of row 0
_PEEK_TOP = 25  # of the two visible rows of pixels of the row above the Skyline
_IN_PLAY, _GHOST = 8, 16
_NEXT_Y, _NEXT_PITCH, _NEXT_X = 28, 9, 48
_HOLD_Y = 8
_SIDE_X = 53
_LONGEST_MS = 5999999
_MINOS = np.array(list(MINOS)).reshape(-1, _CELL)
# piece, Mino: column, row and neighbours of the four Minos that face North
_NORTH = np.array([[0] * 4] + [list(CELLS[at : at + 4]) for at in range(0, 112, 16)])
# piece, row
_MINIS = np.array(
    [[0] * 6] + [[MINIS[at] | MINIS[at + 1] << 8 for at in range(a, a + 12, 2)] for a in range(0, 84, 12)]
)


def _read_digits(font: bytes) -> Any:
    """Return the rows of the ten digits."""
    first = 4 + (ord("0") - font[2]) * font[1]
    return np.array(list(font[first : first + 10 * font[1]])).reshape(10, font[1])


_LARGE, _NARROW, _SMALL = (_read_digits(font) for font in (FONT_5X7, FONT_3X7, FONT_3X5))


def _draw_backgrounds() -> Any:
    """Return the pictures without numbers, Blocks and Tetriminos: usual, with a large goal, with a time limit."""
    pictures = []
    for kind in range(3):
        game = Game(1, None, Mode())
        game.limit_ms = int(kind == 2)
        canvas = Canvas()
        view = PlayView(canvas)
        view.repaint(game)
        if kind == 1:
            game.goal = LARGEST_COUNT + 1
            wide.draw_goal(view, game)
            canvas.fill(9, 16, 20, 7, 0)  # the goal itself
        pictures.append(np.frombuffer(bytes(canvas.buffer[1:]), "<i8"))
    return np.array(pictures, np.int64)


_BACKGROUNDS = _draw_backgrounds()


@compiled
def draw_number(picture: Any, x: int, y: int, value: int, digits: int, glyphs: Any, pitch: int, zeros: bool) -> None:
    """Draw a number right aligned in a dark field of `digits` glyphs; `zeros`: with leading zeros."""
    for place in range(digits - 1, -1, -1):
        if not (zeros or value or place == digits - 1):
            return
        for row in range(glyphs.shape[1]):
            picture[y + row] |= glyphs[value % 10, row] << x + place * pitch
        value //= 10


@compiled
def flip_mino(picture: Any, x: int, y: int, kind: int) -> None:
    """Invert the pixels of a Mino in a cell."""
    left = 1 + _CELL * x
    if y == SKYLINE:
        picture[_PEEK_TOP] ^= _MINOS[kind, 3] << left
        picture[_PEEK_TOP + 1] ^= _MINOS[kind, 4] << left
    elif y < SKYLINE:
        top = _FLOOR_TOP - _CELL * y
        for row in range(_CELL):
            picture[top + row] ^= _MINOS[kind, row] << left


@compiled
def draw_piece(picture: Any, words: Any, columns: Any, around: Any) -> None:
    """Draw the Tetrimino in play and its Ghost Piece."""
    piece = words[PIECE]
    entry_y = words[ENTRY_Y]
    widen(columns, around)
    ghost_y = entry_y
    while fits(around, piece, 0, SPAWN_X, ghost_y - 1):
        ghost_y -= 1
    for i in range(4):
        mino = _NORTH[piece, i]
        x = SPAWN_X + (mino & 3)
        y = entry_y + (mino >> 2 & 3)
        flip_mino(picture, x, y, _IN_PLAY + piece)
        if ghost_y == entry_y:
            continue
        y = ghost_y + (mino >> 2 & 3)
        covered = False
        for other in range(4):
            at = _NORTH[piece, other]
            covered |= x == SPAWN_X + (at & 3) and y == entry_y + (at >> 2 & 3)
        if not covered:
            flip_mino(picture, x, y, _GHOST + (mino >> 4))


@compiled
def draw_queues(picture: Any, words: Any, seen: int) -> None:
    """Draw the Next and Hold Queues."""
    for row in range(6):
        for i in range(seen):
            picture[_NEXT_Y + _NEXT_PITCH * i + row] |= _MINIS[words[NEXT + i], row] << _NEXT_X
        mini = _MINIS[words[HOLD], row]
        if words[HELD]:
            mini &= 0xAAAA if row & 1 else 0x5555
        picture[_HOLD_Y + row] |= mini


@compiled
def draw_status(picture: Any, words: Any, limit_ms: int) -> None:
    """Draw score, level, lines, goal and time."""
    score = words[SCORE]
    if score > LARGEST_SCORE:
        draw_number(picture, 25, 0, score, 10, _NARROW, 4, False)
    else:
        draw_number(picture, 23, 0, score, 7, _LARGE, 6, False)
    lines = words[LINES]
    if lines > LARGEST_COUNT:
        draw_number(picture, _SIDE_X, 112, lines // 1000, 3, _NARROW, 4, False)
        draw_number(picture, _SIDE_X, 120, lines % 1000, 3, _NARROW, 4, True)
    else:
        draw_number(picture, _SIDE_X, 113, lines, 3, _NARROW, 4, False)
    level = words[LEVEL]
    if level > LARGEST_COUNT:
        draw_number(picture, _SIDE_X, 93, level // 1000, 3, _SMALL, 4, False)
        draw_number(picture, _SIDE_X, 99, level % 1000, 3, _SMALL, 4, True)
    elif level > LARGEST_LEVEL:
        draw_number(picture, _SIDE_X, 94, level, 3, _NARROW, 4, False)
    else:
        draw_number(picture, _SIDE_X, 94, level, 2, _LARGE, 6, False)
    if limit_ms:
        tenths = min(limit_ms - words[TIME_MS] + 99, _LONGEST_MS) // 100
        draw_number(picture, 59, 16, tenths % 10, 1, _LARGE, 6, True)
        draw_number(picture, 45, 16, tenths // 10 % 60, 2, _LARGE, 6, True)
        draw_number(picture, 31, 16, tenths // 600, 2, _LARGE, 6, False)
        return
    seconds = min(words[TIME_MS], _LONGEST_MS) // 1000
    draw_number(picture, 53, 16, seconds % 60, 2, _LARGE, 6, True)
    draw_number(picture, 39, 16, seconds // 60, 2, _LARGE, 6, False)
    if words[GOAL] > LARGEST_COUNT:
        draw_number(picture, 9, 16, words[GOAL], 5, _NARROW, 4, False)
    else:
        draw_number(picture, 18, 16, words[GOAL], 3, _NARROW, 4, False)


@compiled
def draw_slice(games: Games, rules: Rules, seen: int, pictures: Any, first: int, last: int) -> None:
    """Draw the games from `first` to before `last`."""
    around = np.full(WIDE, ROOM, np.int64)
    for i in range(first, last):
        words = games.words[i]
        cells = games.cells[i]
        picture = pictures[i]
        kind = 2 if rules.limit_ms else 1 if words[GOAL] > LARGEST_COUNT else 0
        for row in range(HEIGHT):
            picture[row] = _BACKGROUNDS[kind, row]
        for at in range((SKYLINE + 1) * 10):
            if cells[at]:
                flip_mino(picture, at % 10, at // 10, cells[at])
        if words[PIECE]:
            draw_piece(picture, words, games.columns[i], around)
        draw_queues(picture, words, seen)
        draw_status(picture, words, rules.limit_ms)


@compiled
def draw_all(games: Games, rules: Rules, seen: int, pictures: Any, _threads: int) -> None:
    """Draw all games."""
    draw_slice(games, rules, seen, pictures, 0, len(pictures))


@compiled_parallel
def draw_parallel(games: Games, rules: Rules, seen: int, pictures: Any, threads: int) -> None:
    """Draw all games, on several cores."""
    count = len(pictures)
    for i in numba.prange(threads):
        draw_slice(games, rules, seen, pictures, count * i // threads, count * (i + 1) // threads)
