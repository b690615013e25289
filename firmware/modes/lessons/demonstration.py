"""Play a demonstration: a recording that begins with given Blocks and a given order of Tetriminos."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.mode import Mode

if TYPE_CHECKING:
    from firmware.contracts import Game


def find_blob(blobs: bytes, number: int) -> bytes:
    """Return the blob of demonstration `number`, from 0; each blob follows its length."""
    at = 0
    while number:
        at += 1 + blobs[at]
        number -= 1
    return blobs[at + 1 : at + 1 + blobs[at]]


class Demonstration(Mode):
    """Unpack the start of a demonstration, set up a game and deal its Tetriminos.

    blob: the number of Tetriminos, then the Tetriminos. Then the number of rows, then the rows from the lowest up, two
    cells a byte, the left cell in the low bits. The recording of the edges begins at `first`.
    """

    def __init__(self, blob: bytes) -> None:
        self.blob = blob
        self.count = blob[0]
        self.at = 0
        self.top = blob[1 + self.count]
        self.first = 2 + self.count + 5 * self.top

    def begin(self, game: "Game") -> None:
        """Put the Blocks into the Matrix and replace the bag."""
        cells = bytearray(10)
        at = 2 + self.count
        for y in range(self.top):
            for x in range(0, 10, 2):
                cells[x] = self.blob[at] & 15
                cells[x + 1] = self.blob[at] >> 4
                at += 1
            game.matrix.set_row(y, cells)
        game.dealer = self

    def deal(self) -> int:
        """Return the next Tetrimino; after the last one, start again with the first."""
        piece = self.blob[1 + self.at]
        self.at = self.at + 1 if self.at + 1 < self.count else 0
        return piece
