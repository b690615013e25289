"""Generate firmware/view/art.py: Minos, Ghost Piece outlines, queue Tetriminos and fonts.

    python -m tools.glyphs            rewrite the tables
    python -m tools.glyphs --check    exit 1 when the committed tables differ

The drawings are the text files of tools/art/: a line `= name name ...` opens a row of drawings,
`#` is a lit pixel, `.` a dark one, and every other line is a remark for the reader. A glyph is as wide
as it is drawn; SPACE is the name of that one, for a blank parts names. The outlines
of the Ghost Piece are computed, one for each set of neighbours, and so are the Minos of each facing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware.engine.tables import SHAPES
from sim import terminal
from tools import generation

ROOT = Path(__file__).resolve().parent.parent
ART = ROOT / "tools" / "art"
TARGET = ROOT / "firmware" / "view" / "art.py"

PIECES = "IJLOSTZ"
MINO_PX = 5
MINI_WIDTH_PX, MINI_HEIGHT_PX = 11, 6
MINI_LEFT_PX = 3  # a mini Tetrimino starts at bit 5 of a byte: 3 pixels there, 8 in the next
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
FIRST_GLYPH, LAST_GLYPH = " ", "Z"
WIDEST_GLYPH = 5
DIGITS = "0123456789"
SPACE = "SPACE"

Drawing = list[str]


class ArtError(ValueError):
    """Say in one line what is wrong with a drawing."""


class Drawings(dict[str, Drawing]):
    """Drawings by name; one that is missing raises ArtError."""

    def __missing__(self, name: str) -> Drawing:
        raise ArtError(f"'{name}' is not drawn")


def read_drawings(name: str, width: int, height: int, narrowest: int | None = None) -> Drawings:
    """Return every drawing of tools/art/`name`.txt by its own name, as lines of `#` and `.`.

    Raises ArtError when a drawing is not `width` x `height` pixels or is drawn twice; where `narrowest`
    is given, each has a width of its own from that to `width`.
    """
    size = f"{width}x{height}" if narrowest is None else f"{narrowest}..{width}x{height}"
    widths = range(width if narrowest is None else narrowest, width + 1)
    drawings = Drawings()
    lines = iter((ART / f"{name}.txt").read_text(encoding="utf-8").split("\n"))
    for line in lines:
        if not line.startswith("= "):
            continue
        names = line.split()[1:]
        rows = [next(lines, "").split() for _ in range(height)]
        drawn = [len(part) for part in rows[0]]
        for row in rows:
            wrong = len(drawn) != len(names) or set(drawn) - set(widths) or set("".join(row)) - set("#.")
            if wrong or [len(part) for part in row] != drawn:
                raise ArtError(f"{name}.txt: under '{line}': {len(names)} drawings of {size} wanted")
        for column, drawing in enumerate(names):
            if drawing in drawings:
                raise ArtError(f"{name}.txt: '{drawing}' is drawn twice")
            drawings[drawing] = [row[column] for row in rows]
    return drawings


def pack_row(row: str) -> int:
    """Return a row of pixels as a number, the leftmost pixel in bit 0."""
    return sum(1 << x for x, pixel in enumerate(row) if pixel == "#")


def outline(neighbours: int) -> Drawing:
    """Return the Ghost Piece's Mino with an edge on every side that has no neighbour."""
    last = MINO_PX - 1

    def lit(x: int, y: int) -> bool:
        return bool(
            (y == 0 and not neighbours & NORTH)
            or (x == last and not neighbours & EAST)
            or (y == last and not neighbours & SOUTH)
            or (x == 0 and not neighbours & WEST)
        )

    return ["".join("#" if lit(x, y) else "." for x in range(MINO_PX)) for y in range(MINO_PX)]


def mino_rows() -> bytes:
    """Return the 35 Minos, five rows each: empty, Blocks I-Z, garbage, in play I-Z, 16 Ghosts, flash, plain Blocks."""
    drawings = read_drawings("minos", MINO_PX, MINO_PX)
    tiles = [["." * MINO_PX] * MINO_PX]
    tiles += [drawings[f"locked_{piece}"] for piece in PIECES] + [drawings["garbage"]]
    tiles += [drawings[f"play_{piece}"] for piece in PIECES]
    tiles += [outline(neighbours) for neighbours in range(16)]
    tiles += [drawings[name] for name in ("flash", "solid", "outlined")]
    return bytes(pack_row(row) for tile in tiles for row in tile)


def cells() -> bytes:
    """Return the four Minos of each piece and facing: column | row << 2 | neighbours << 4."""
    packed = bytearray()
    for start in range(0, len(SHAPES), 4):
        minos = {(x, y) for y in range(4) for x in range(4) if SHAPES[start + y] >> x & 1}
        for x, y in sorted(minos, key=lambda mino: (mino[1], mino[0])):
            sides = ((x, y + 1, NORTH), (x + 1, y, EAST), (x, y - 1, SOUTH), (x - 1, y, WEST))
            neighbours = sum(side for column, row, side in sides if (column, row) in minos)
            packed.append(x | y << 2 | neighbours << 4)
    return bytes(packed)


def mini_rows() -> bytes:
    """Return the queue Tetriminos, six rows of two bytes: three pixels in bits 5-7, then eight."""
    drawings = read_drawings("minis", MINI_WIDTH_PX, MINI_HEIGHT_PX)
    packed = bytearray()
    for piece in PIECES:
        for row in drawings[piece]:
            packed.append(pack_row(row[:MINI_LEFT_PX]) << 8 - MINI_LEFT_PX)
            packed.append(pack_row(row[MINI_LEFT_PX:]))
    return bytes(packed)


def font(name: str, width: int, height: int, first: str, last: str) -> bytes:
    """Return a font: width of a digit, height, code of the first glyph, number of glyphs, rows of each, width of each.

    A glyph that is not drawn is blank. Where all are as wide as a digit there is no table of widths.
    """
    drawings = read_drawings(name, WIDEST_GLYPH, height, 1)
    if SPACE in drawings:
        drawings[" "] = drawings.pop(SPACE)
    outside = [glyph for glyph in drawings if len(glyph) != 1 or not first <= glyph <= last]
    if outside:
        raise ArtError(f"{name}.txt: '{outside[0]}' is not a glyph from '{first}' to '{last}'")
    jumping = [digit for digit in DIGITS if len(drawings[digit][0]) != width]
    if jumping:
        raise ArtError(f"{name}.txt: the digit '{jumping[0]}' is not {width} wide")
    blank = ["." * width] * height
    glyphs = [drawings.get(chr(code), blank) for code in range(ord(first), ord(last) + 1)]
    rows = [pack_row(row) for glyph in glyphs for row in glyph]
    widths = [len(glyph[0]) for glyph in glyphs]
    return bytes([width, height, ord(first), len(glyphs), *rows, *(widths if set(widths) != {width} else [])])


def as_literal(name: str, values: bytes, per_line: int, start: int = 0) -> str:
    """Return `NAME = (...)`: one bytes literal, `start` bytes alone on its first line."""
    lines = [values[:start]] if start else []
    lines += [values[i : i + per_line] for i in range(start, len(values), per_line)]
    return f"{name} = (\n" + "".join('    b"' + "".join(f"\\x{v:02x}" for v in line) + '"\n' for line in lines) + ")\n"


def render() -> str:
    """Return the whole text of firmware/view/art.py. Raises ArtError when a drawing is wrong."""
    fonts = (
        ("FONT_5X7", font("font_5x7", 5, 7, FIRST_GLYPH, LAST_GLYPH), 7 * 3),
        ("FONT_3X5", font("font_3x5", 3, 5, FIRST_GLYPH, "_"), 5 * 4),
        ("FONT_3X7", font("font_3x7", 3, 7, "0", "9"), 7 * 3),
    )
    return (
        "# Generated by `python -m tools.glyphs` from the drawings in tools/art/; do not edit.\n"
        '"""Hold the pixels of Minos, queue Tetriminos and fonts; bit 0 of a row is its leftmost pixel."""\n\n'
        "# Mino * 5 + row: 0 empty, 1-7 Blocks I J L O S T Z, 8 garbage, 9-15 the same seven in play,\n"
        "# 16-31 Ghost Piece outlines by neighbours (1 north, 2 east, 4 south, 8 west), 32 flash,\n"
        "# 33 any Block where Blocks are solid, 34 where they are outlines\n"
        + as_literal("MINOS", mino_rows(), MINO_PX * 4)
        + "\n# (piece - 1) * 16 + facing * 4 + Mino: box column | box row << 2 | neighbours << 4\n"
        + as_literal("CELLS", cells(), 16)
        + "\n# (piece - 1) * 12 + row * 2: the three left pixels in bits 5-7; the eight right pixels\n"
        + as_literal("MINIS", mini_rows(), MINI_HEIGHT_PX * 2)
        + "\n# width of a digit, height, first code, number of glyphs; (code - first) * height + row; other widths\n"
        + "\n".join(as_literal(name, values, per_line, 4) for name, values, per_line in fonts)
    )


def main(arguments: list[str] | None = None) -> int:
    """Rewrite or check the tables; return the exit code."""
    return generation.main("tools.glyphs", __doc__, {TARGET: render}, arguments, (ArtError, OSError))


if __name__ == "__main__":
    sys.exit(terminal.run(main))
