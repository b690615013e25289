"""Play a demonstration: a recording that begins in a prepared Matrix, with a Next Queue as written."""

from firmware.engine.mode import Mode


def find_blob(blobs: bytes, number: int) -> bytes:
    """Return the blob of a demonstration, 0 for the first of those that follow one another, each after its length."""
    at = 0
    while number:
        at += 1 + blobs[at]
        number -= 1
    return blobs[at + 1 : at + 1 + blobs[at]]


class Demonstration(Mode):
    """Unpack the start of a demonstration and set a game up with it; it deals the Tetriminos, too.

    blob: how many Tetriminos there are to deal, those, how many rows of the Matrix follow, these
    from the lowest up, two cells a byte with the left one in the low bits; `first` is where the
    recording of the edges begins.
    """

    def __init__(self, blob: bytes) -> None:
        self.blob = blob
        self.count = blob[0]
        self.at = 0
        self.top = blob[1 + self.count]
        self.first = 2 + self.count + 5 * self.top

    def begin(self, game) -> None:
        """Put the Blocks into the Matrix and take the place of the bag."""
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
        """Return the next Tetrimino; after the last one comes the first again."""
        piece = self.blob[1 + self.at]
        self.at = self.at + 1 if self.at + 1 < self.count else 0
        return piece
