"""Generate the tables of the seven Tetriminos: firmware/engine/tables.py and profiles.py.

    python -m tools.assets.tetriminos            rewrite the tables
    python -m tools.assets.tetriminos --check    exit 1 when a committed table differs

The ASCII art below shows the shapes facing North; the other facings are clockwise turns of the box
(Guideline A1.3). The rotation points are as in the diagrams of A1.4.2. Every game needs tables.py;
code that searches places needs profiles.py, the outlines of the same shapes.
"""

import sys

from sim import terminal
from sim.terminal import Refusal
from tools import ROOT
from tools.assets import generation
from tools.assets.generation import as_literal

ENGINE = ROOT / "firmware" / "engine"
TARGET = ENGINE / "tables.py"
PROFILES_TARGET = ENGINE / "profiles.py"

NAMES = "IJLOSTZ"
FACINGS = "NESW"

NORTH = """
I       J     L     O     S     T     Z
....    #..   ..#   .##   .##   .#.   ##.
####    ###   ###   .##   ##.   ###   .##
....    ...   ...   ...   ...   ...   ...
....
"""

# Facings in the order N E S W; each line holds the five points (dx, dy) of one turn, y upward.
POINTS_3X3 = """
N>E   0,0  -1,0  -1,+1  0,-2  -1,-2
E>N   0,0  +1,0  +1,-1  0,+2  +1,+2
E>S   0,0  +1,0  +1,-1  0,+2  +1,+2
S>E   0,0  -1,0  -1,+1  0,-2  -1,-2
S>W   0,0  +1,0  +1,+1  0,-2  +1,-2
W>S   0,0  -1,0  -1,-1  0,+2  -1,+2
W>N   0,0  -1,0  -1,-1  0,+2  -1,+2
N>W   0,0  +1,0  +1,+1  0,-2  +1,-2
"""
POINTS_I = """
N>E   0,0  -2,0  +1,0  -2,-1  +1,+2
E>N   0,0  +2,0  -1,0  +2,+1  -1,-2
E>S   0,0  -1,0  +2,0  -1,+2  +2,-1
S>E   0,0  +1,0  -2,0  +1,-2  -2,+1
S>W   0,0  +2,0  -1,0  +2,+1  -1,-2
W>S   0,0  -2,0  +1,0  -2,-1  +1,+2
W>N   0,0  +1,0  -2,0  +1,-2  -2,+1
N>W   0,0  -1,0  +2,0  -1,+2  +2,-1
"""

FASTEST_LEVEL = 20

Cells = frozenset[tuple[int, int]]  # (column, row upward)


def north_boxes() -> dict[str, list[str]]:
    """Return each Tetrimino's box facing North, as lines of art from the top down."""
    lines = NORTH.strip("\n").split("\n")
    boxes: dict[str, list[str]] = {}
    for name in NAMES:
        left = lines[0].index(name)
        size = 4 if name == "I" else 3
        boxes[name] = [line[left : left + size] for line in lines[1 : 1 + size]]
    return boxes


def turn_clockwise(box: list[str]) -> list[str]:
    size = len(box)
    return ["".join(box[size - 1 - x][y] for x in range(size)) for y in range(size)]


def shapes() -> bytes:
    """Return the row masks: index (piece - 1) * 16 + facing * 4 + row, bit b is column x + b, row upward."""
    masks = bytearray()
    for name in NAMES:
        box = north_boxes()[name]
        for _ in range(4):
            rows = [sum(1 << x for x, cell in enumerate(line) if cell == "#") for line in reversed(box)]
            masks += bytes(rows + [0] * (4 - len(rows)))
            box = turn_clockwise(box) if name != "O" else box
    return bytes(masks)


def list_minos(rows: bytes) -> Cells:
    """Return the cells of four row masks."""
    return frozenset((x, y) for y in range(4) for x in range(4) if rows[y] >> x & 1)


def list_facings(name: str) -> list[Cells]:
    """Return the cells of a Tetrimino in its box, for each of its facings."""
    masks = shapes()[NAMES.index(name) * 16 :]
    return [list_minos(masks[start : start + 4]) for start in range(0, 16, 4)]


def find_facing(name: str, cells: Cells, wanted: int = 0) -> tuple[int, int, int]:
    """Return the facing with these cells, `wanted` before others, and how far its box is moved; or raise Refusal."""
    facings = list_facings(name)
    for facing in (wanted, *range(4)):
        dx, dy = (min(cell[axis] for cell in cells) - min(mino[axis] for mino in facings[facing]) for axis in (0, 1))
        if {(x + dx, y + dy) for x, y in facings[facing]} == cells:
            return facing, dx, dy
    raise Refusal(f"{name} has no facing with the cells {sorted(cells)}")


def pack_profile(rows: bytes) -> bytes:
    """Return the ten bytes that `render_profiles` documents, for a Tetrimino of these four row masks."""
    minos = list_minos(rows)
    left = min(x for x, _ in minos)
    bottom = min(y for _, y in minos)
    columns = bytearray(4)
    for x in range(left, max(x for x, _ in minos) + 1):
        filled = [y - bottom for column, y in minos if column == x]
        columns[x - left] = min(filled) | max(filled) + 1 << 4
    masks = bytes(mask >> left for mask in rows[bottom:]).ljust(4, b"\0")
    return bytes([left | bottom << 4, sum(map(bool, columns))]) + bytes(columns) + masks


def profiles() -> list[bytes]:
    """Return the profile of every piece and facing: index (piece - 1) * 4 + facing."""
    masks = shapes()
    return [pack_profile(masks[start : start + 4]) for start in range(0, len(masks), 4)]


def different_facings() -> bytes:
    """Return for each piece how many of its facings differ; these always come first."""
    outlines = [[profile[1:] for profile in profiles()[start : start + 4]] for start in range(0, 28, 4)]
    counts = [len(set(facings)) for facings in outlines]
    assert all(len(set(facings[:count])) == count for facings, count in zip(outlines, counts, strict=True))
    return bytes(counts)


def read_turn(line: str) -> tuple[int, int, list[tuple[int, int]]]:
    """Return the facing before a turn, its step (1 is clockwise, -1 is not), and its points."""
    turn, *points = line.split()
    before, after = map(FACINGS.index, turn.split(">"))
    pairs = [point.split(",") for point in points]
    return before, 1 if after == (before + 1) % 4 else -1, [(int(dx), int(dy)) for dx, dy in pairs]


def rotation_points() -> bytes:
    """Return dx + 2, dy + 2 of the points: index box * 80 + facing * 20 + clockwise * 10 + point * 2."""
    flat = bytearray()
    for text in (POINTS_3X3, POINTS_I):
        for _facing, _step, points in sorted(map(read_turn, text.strip().split("\n"))):
            flat += bytes(part + 2 for point in points for part in point)
    return bytes(flat)


def fall_us(level: int) -> int:
    """Return the microseconds to fall one row at `level`, by the formula of Guideline 7."""
    return round((0.8 - (level - 1) * 0.007) ** (level - 1) * 1_000_000)


def render() -> str:
    speeds = "".join(f"    {fall_us(level)},\n" for level in range(1, FASTEST_LEVEL + 1))
    return (
        "# Generated by `python -m tools.assets.tetriminos` from its ASCII art; do not edit.\n"
        '"""Hold the shapes, the Super Rotation points and the fall speeds (Guideline A1.3, A1.4.2, 7)."""\n\n'
        "# (piece - 1) * 16 + facing * 4 + row: mask of box row `row`, bit b is box column b\n"
        + as_literal("SHAPES", shapes(), 16)
        + "\n# box * 80 + facing * 20 + clockwise * 10 + point * 2: dx + 2, dy + 2; box 1 is I's\n"
        + as_literal("POINTS", rotation_points(), 20)
        + "\n# level - 1: microseconds a row; higher levels use the last\n"
        + f"FALL_US = (\n{speeds})\n"
    )


def render_profiles() -> str:
    return (
        "# Generated by `python -m tools.assets.tetriminos` from its ASCII art; do not edit.\n"
        '"""Hold the outline of each Tetrimino in each facing, for code that searches places (Guideline A1.3).\n\n'
        "Rows count from its lowest Mino, columns from its leftmost one. A profile is the ten bytes from\n"
        "(piece - 1) * 40 + facing * 10 on.\n\n"
        "0       place of column 0, row 0 in the box: column | row << 4\n"
        "1       width\n"
        "2 to 5  of each column: its lowest Mino's row | the row above its highest Mino << 4; 0 beyond the width\n"
        "6 to 9  of each row: its mask, bit b is column b\n"
        '"""\n\n'
        "from firmware.compat import const\n\n"
        + as_literal("PROFILES", b"".join(profiles()), 20)
        + "\n# piece - 1: how many facings differ; the later ones repeat the first\n"
        + as_literal("FACINGS", different_facings(), 7, constant=True)
    )


main = generation.make_main("tools.assets.tetriminos", __doc__, {TARGET: render, PROFILES_TARGET: render_profiles})

if __name__ == "__main__":
    sys.exit(terminal.run(main))
