"""Define the seven pieces as drawn in the text: four rotations in a 4x4 box, top row first."""

ART = """
#... #... #... #...  .... .... .... ####  ...# ...# ...# ...#  #### .... .... ....
.#.. ##.. #... ....  .... .... ##.. .##.  .... ...# ..## ..#.  .##. ..## .... ....
.##. ##.. .... ....  .... #... ##.. .#..  .... .... ..## .##.  ..#. ..## ...# ....
###. .#.. .... ....  .... #... ##.. #...  .... .... ..#. .###  ...# ..## ...# ....
###. #... .... ....  .... #... #... ##..  .... .... ...# .###  ..## ...# ...# ....
###. ..#. .... ....  .... ##.. #... #...  .... .... .#.. .###  ...# ...# ..## ....
##.. ##.. .... ....  .... .... ##.. ##..  .... .... ..## ..##  ..## ..## .... ....
"""

NAMES = "IZSTLJO"  # the text's numbers 0 to 6
MIRRORED = tuple(map(NAMES.index, "ISZTJLO"))


class Orientation:
    """One rotation of a piece; bottoms, tops: the filled rows of each column, counted from the lowest cell."""

    def __init__(self, piece: int, rotation: int, art: list[str]) -> None:
        cells = {(x, 3 - row) for row in range(4) for x in range(4) if art[row][x] == "#"}
        self.piece = piece
        self.rotation = rotation
        self.left = min(x for x, _ in cells)
        lowest = min(y for _, y in cells)
        columns = sorted({x for x, _ in cells})
        self.bottoms = tuple(min(y for x, y in cells if x == column) - lowest for column in columns)
        self.tops = tuple(max(y for x, y in cells if x == column) - lowest + 1 for column in columns)
        self.width = len(columns)


def orientations() -> list[Orientation]:
    """Return the 19 different orientations in the text's order: by piece, then by first rotation."""
    different = []
    for piece, line in enumerate(ART.split("\n")[1:8]):
        rows = line.split()
        seen = set()
        for rotation in range(4):
            orientation = Orientation(piece, rotation, rows[rotation * 4 : rotation * 4 + 4])
            profile = (orientation.bottoms, orientation.tops)
            if profile not in seen:
                seen.add(profile)
                different.append(orientation)
    return different
