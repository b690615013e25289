"""Generate the tables of other rotation systems, firmware/modes/kick_tables.py, from tools/art/kicks.txt.

    python -m tools.assets.kicks            rewrite the tables
    python -m tools.assets.kicks --check    exit 1 when the committed tables differ

A system that is drawn in boxes of its own is told in the facings and boxes of SRS, so one Matrix, one view and one
save know all systems: a turn leads to the facing of SRS with the same cells, moved by a part of its first point.
"""

import sys

from sim import terminal
from tools import ROOT
from tools.assets import generation, tetriminos
from tools.assets.generation import as_literal

SOURCE = generation.ART / "kicks.txt"
TARGET = ROOT / "firmware" / "modes" / "kick_tables.py"

SYSTEMS = ("SRS+", "ARS")
FACINGS = "NESW"
POINTS = {"SRS+": 5, "ARS": 3}
ALIKE = "ISZT"  # J and L turn as T does, and O does not
CENTRE = 16  # bit of a target: the centre column may bar the kicks
ZERO = 8  # of a coordinate in a point

Cells = frozenset[tuple[int, int]]
Turn = tuple[int, list[tuple[int, int]], bool]
"""The facing after a turn, the points of its box, and whether the centre column may bar all but the first."""


def read_sections() -> dict[str, list[str]]:
    """Return the lines of each system without comments."""
    sections: dict[str, list[str]] = {}
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        if line.startswith("="):
            lines = sections.setdefault(line[1:].strip(), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections


def list_srs_cells(name: str) -> list[Cells]:
    """Return the cells of each facing in the box of SRS, (column, row upward)."""
    masks = tetriminos.shapes()
    start = tetriminos.NAMES.index(name) * 16
    return [
        frozenset((x, y) for y in range(4) for x in range(4) if masks[start + 4 * facing + y] >> x & 1)
        for facing in range(4)
    ]


def find_alike(cells: Cells, name: str, wanted: int) -> tuple[int, int, int]:
    """Return the facing of SRS with these cells, and how far its box is moved; `wanted` if that is one."""
    for facing in (wanted, 0, 1, 2, 3):
        other = list_srs_cells(name)[facing]
        dx = min(x for x, _ in cells) - min(x for x, _ in other)
        dy = min(y for _, y in cells) - min(y for _, y in other)
        if frozenset((x + dx, y + dy) for x, y in other) == cells:
            return facing, dx, dy
    raise ValueError(f"{SOURCE.name}: no facing of {name} looks like this")


def read_boxes(lines: list[str]) -> dict[tuple[str, int, int], Turn]:
    """Return the turns of a system with boxes of its own, by Tetrimino, facing and step."""
    art: dict[str, list[list[str]]] = {}
    words = {line.split()[0]: line.split()[1] for line in lines if line.split()[0] in ("SIDE", "CENTRE")}
    for line in lines:
        name, *rows = line.split()
        if name in tetriminos.NAMES:
            art.setdefault(name, []).append(rows)
    turns: dict[tuple[str, int, int], Turn] = {}
    for name, boxes in art.items():
        size = len(boxes)
        states = [
            frozenset((x, size - 1 - y) for y in range(size) for x in range(size) if boxes[y][state][x] == "#")
            for state in range(4)
        ]
        homes = [find_alike(cells, name, state if name not in "SZ" else 2) for state, cells in enumerate(states)]
        for state in range(4):
            for step in (-1, 1):
                facing, dx, dy = homes[state]
                other, x, y = homes[(state + step) % 4]
                points = [(x - dx, y - dy)]
                if name in words["SIDE"]:
                    points += [(x - dx + 1, y - dy), (x - dx - 1, y - dy)]
                wide = state % 2 == 0
                turns.setdefault((name, facing, step), (other, points, wide and name in words["CENTRE"]))
    return turns


def read_points(lines: list[str]) -> dict[tuple[str, int, int], Turn]:
    """Return the turns that a system lists in the boxes of SRS."""
    turns: dict[tuple[str, int, int], Turn] = {}
    name = ""
    for line in lines:
        word, *points = line.split()
        if not points:
            name = word
            continue
        facing, other = (FACINGS.index(letter) for letter in word.split(">"))
        pairs = [point.split(",") for point in points]
        step = 1 if (facing + 1) % 4 == other else -1
        turns[name, facing, step] = (other, [(int(x), int(y)) for x, y in pairs], False)
    return turns


def check_alike() -> None:
    """Raise ValueError if J and L do not turn as T does."""
    if not pack("ARS", "J") == pack("ARS", "L") == pack("ARS", "T"):
        raise ValueError(f"{SOURCE.name}: J, L and T must turn alike")


def read_system(name: str) -> dict[tuple[str, int, int], Turn]:
    """Return the turns of a system that differ from those of SRS."""
    lines = read_sections()[name]
    return read_boxes(lines) if lines[0] == "BOXES" else read_points(lines)


def pack(name: str, pieces: str) -> bytes:
    """Return a table: for each piece, facing and turn, -1 first, the target and the points."""
    table = bytearray()
    turns = read_system(name)
    for piece in pieces:
        for facing in range(4):
            for step in (-1, 1):
                other, points, centre = turns.get((piece, facing, step), (facing, [(0, 0)], False))
                points = points + points[-1:] * (POINTS[name] - len(points))
                table.append(other | (CENTRE if centre else 0))
                table += bytes((x + ZERO) << 4 | y + ZERO for x, y in points)
    return bytes(table)


def render() -> str:
    check_alike()
    return (
        "# Generated by `python -m tools.assets.kicks` from tools/art/kicks.txt; do not edit.\n"
        '"""Hold the turns of rotation systems beside SRS (README.md, 19)."""\n\n'
        "# facing * 12 + clockwise * 6: the facing after a turn of an I, then five points, dx + 8 << 4 | dy + 8\n"
        + as_literal("SRS_PLUS_I", pack("SRS+", "I"), 12)
        + "\n# 32 for S, 64 for Z, 96 for J, L and T, + facing * 8 + clockwise * 4: three points likewise; 16 more if\n"
        + "# the centre column may bar the second and third\n"
        + as_literal("ARS", pack("ARS", ALIKE), 16)
    )


main = generation.make_main("tools.assets.kicks", __doc__, {TARGET: render})

if __name__ == "__main__":
    sys.exit(terminal.run(main))
