"""Rotations and T-Spins agree with two independent engines.

A line such as `T E>N 5,1 5,1,1,full 1hkmt8` is a T facing East in a box whose lower left cell is (5, 1). A turn to
North by rotation point 1 leaves the box at (5, 1) and is a full T-Spin; `-` means that the turn fails. The Matrix has
two base-32 digits a row, the lowest row first; bit x is column x.
"""

import firmware.compat
from firmware.engine.manipulation import Manipulation

FOLDER = firmware.compat.__file__[: -len("firmware/compat.py")] + "tests/vectors/"
SPINS = ("none", "mini", "full")

tetrimino = Manipulation()


def build(digits, height):
    """Put the rows of a case into the Matrix, over the rows of the case before; return their number."""
    y = 0
    while 2 * y < len(digits) or y < height:
        mask = int(digits[2 * y : 2 * y + 2] or "0", 32)
        tetrimino.matrix.set_row(y, bytes([8 * (mask >> x & 1) for x in range(10)]))
        y += 1
    return len(digits) // 2


def turn(piece, facings, box):
    """Turn a Tetrimino from one facing to another; return the rotation point, 0 if the turn fails."""
    x, y = box.split(",")
    facing = "NESW".index(facings[0])
    assert tetrimino.place(".IJLOSTZ".index(piece), int(x), int(y), facing), "a Block is in its way"
    return tetrimino.turn(1 if "NESW"[(facing + 1) % 4] == facings[2] else 0)


def check(name):
    """Check every case of a file; return the number of cases by rotation point, 0 for failed turns."""
    counts = [0] * 6
    height = 0
    with open(FOLDER + name) as file:
        lines = file.read().split("\n")  # by lines, MicroPython makes a system call for every byte
    assert lines.pop(0).startswith("# Cases") and not lines.pop()
    for line in lines:
        piece, facings, box, expected, digits = line.split()
        height = build(digits, height)
        point = turn(piece, facings, box)
        outcome = "-"
        if point:
            assert "NESW"[tetrimino.facing] == facings[2], line
            outcome = "%d,%d,%d" % (tetrimino.x, tetrimino.y, point)
            if name == "tspin.txt":
                outcome += "," + SPINS[tetrimino.spin()]
        assert outcome == expected, (outcome, line)
        counts[point] += 1
    return counts


rotations = check("srs.txt")
spins = check("tspin.txt")
assert sum(rotations) == sum(spins) == 2000

print("vectors", rotations, spins)
