"""Read the pages of a fumen, "v115@...", as npm `tetris-fumen` 1.1.3 reads them.

A fumen is a row of numbers in base 64, each with its lowest digit first. A page has the Matrix as differences to the
one before, from its highest row to the row below the floor. A piece with flags follows, then perhaps a comment.
"""

import re
from typing import NamedTuple

NAMES = "_ILOZTJSX"  # of the cells 0 to 8; X is grey
WIDTH = 10
ROWS = 23
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_ROWS_OF = {"115": 24, "110": 22}  # of each version, with the row below the floor
_BIAS = 8  # of a difference
_WRONG = 255
_SHIFTS = [
    bytes(value + change - _BIAS if 0 <= value + change - _BIAS < len(NAMES) else _WRONG for value in range(256))
    for change in range(2 * _BIAS + 1)
]
_CODES = 96  # of a comment's letter, from the space
_ESCAPE = re.compile(r"%u([0-9A-Fa-f]{4})|%([0-9A-Fa-f]{2})")
_REVERSE, _RIGHT, _SPAWN, _LEFT = range(4)
_SHAPES = {  # around the centre, as the piece spawns; y counts upwards
    "I": ((0, 0), (-1, 0), (1, 0), (2, 0)),
    "L": ((0, 0), (-1, 0), (1, 0), (1, 1)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "Z": ((0, 0), (1, 0), (0, 1), (-1, 1)),
    "T": ((0, 0), (-1, 0), (1, 0), (0, 1)),
    "J": ((0, 0), (-1, 0), (1, 0), (-1, 1)),
    "S": ((0, 0), (-1, 0), (0, 1), (1, 1)),
}
_OFFSETS = {  # from the place in the text to the centre
    ("O", _LEFT): (1, -1),
    ("O", _REVERSE): (1, 0),
    ("O", _SPAWN): (0, -1),
    ("I", _REVERSE): (1, 0),
    ("I", _LEFT): (0, -1),
    ("S", _SPAWN): (0, -1),
    ("S", _RIGHT): (-1, 0),
    ("Z", _SPAWN): (0, -1),
    ("Z", _LEFT): (1, 0),
}


class Page(NamedTuple):
    """A page: `cells` before its piece is placed, 24 rows from the top, the last one below the floor.

    piece: of NAMES, "_" for none.  turn: 0 reverse, 1 right, 2 spawn, 3 left.  x, y: its centre, from the left of the
    floor.  comment: None if it is the one of the page before.
    """

    cells: bytes
    piece: str
    turn: int
    x: int
    y: int
    comment: str | None


class _Numbers:
    """The numbers of a text, from its front."""

    def __init__(self, text: str) -> None:
        self.digits = [_DIGITS.index(letter) for letter in text]
        self.at = 0

    def take(self, count: int) -> int:
        """Return the number of the next `count` digits; raise ValueError if they are missing."""
        self.at += count
        if self.at > len(self.digits):
            raise ValueError("it is cut off")
        value = 0
        for digit in reversed(self.digits[self.at - count : self.at]):
            value = value << 6 | digit
        return value


def read_pages(text: str) -> list[Page]:
    """Return the pages of a fumen that begins with its kind and version; raise ValueError if it is damaged."""
    rows = _ROWS_OF.get(text[1:4])
    if not rows or text[4:5] != "@":
        raise ValueError("its version is unknown")
    numbers = _Numbers(re.sub(r"[?\s]", "", text[5:]))
    cells = bytearray(WIDTH * (ROWS + 1))
    pages: list[Page] = []
    same = 0  # how many more pages have the same Matrix
    while numbers.at < len(numbers.digits):
        if same:
            same -= 1
        elif not change_cells(cells, numbers, rows * WIDTH):
            same = numbers.take(1)
        value, kind = divmod(numbers.take(3), 8)
        value, turn = divmod(value, 4)
        flags, place = divmod(value, rows * WIDTH)
        piece = NAMES[kind]
        dx, dy = _OFFSETS.get((piece, turn), (0, 0))
        x, y = place % WIDTH + dx, rows - 2 - place // WIDTH + dy
        comment = read_comment(numbers) if flags & 8 else None if pages else ""
        pages.append(Page(bytes(cells), piece, turn, x, y, comment))
        if not flags & 16:
            finish(cells, pages[-1], bool(flags & 1), bool(flags & 2))
    return pages


def change_cells(cells: bytearray, numbers: _Numbers, count: int) -> bool:
    """Add the differences of a page to the last `count` cells; return whether there are any."""
    at = len(cells) - count
    changed = True
    while at < len(cells):
        change, length = divmod(numbers.take(2), count)
        end = at + length + 1
        if end > len(cells) or change >= len(_SHIFTS):
            raise ValueError("its Matrix is damaged")
        changed = change != _BIAS or length != count - 1
        cells[at:end] = cells[at:end].translate(_SHIFTS[change])
        at = end
    if _WRONG in cells:
        raise ValueError("its Matrix is damaged")
    return changed


def read_comment(numbers: _Numbers) -> str:
    """Return a comment, four letters a number, with its escapes undone."""
    length = numbers.take(2)
    letters = []
    for _ in range((length + 3) // 4):
        value = numbers.take(5)
        for _ in range(4):
            value, letter = divmod(value, _CODES)
            letters.append(chr(ord(" ") + letter))
    return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), "".join(letters[:length]))


def finish(cells: bytearray, page: Page, rises: bool, mirrors: bool) -> None:
    """Place a page's piece, clear the lines, let the row below the floor rise, mirror the Matrix."""
    for x, y in _SHAPES.get(page.piece, ()):
        x, y = ((-x, -y), (y, -x), (x, y), (-y, x))[page.turn]
        at = (ROWS - 1 - page.y - y) * WIDTH + page.x + x
        if 0 <= page.x + x < WIDTH and 0 <= at < ROWS * WIDTH:
            cells[at] = NAMES.index(page.piece)
    lines = [cells[at : at + WIDTH] for at in range(0, ROWS * WIDTH, WIDTH)]
    left = [line for line in lines if 0 in line]
    cells[: ROWS * WIDTH] = bytes(WIDTH * (ROWS - len(left))) + b"".join(left)
    if rises:
        cells[:] = cells[WIDTH:] + bytes(WIDTH)
    if mirrors:
        for at in range(0, ROWS * WIDTH, WIDTH):
            cells[at : at + WIDTH] = cells[at : at + WIDTH][::-1]
