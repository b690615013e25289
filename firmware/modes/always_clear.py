"""Place pieces so that some row always fills up in the end: the strategy of firmware/winning.bin.

`python -m tools.clear_a_line small` makes the file; tools/clear_a_line explains its format, the rules and the proof.
Only the record of the current state is in memory.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import WIDTH
from firmware.engine.profiles import PROFILES

if TYPE_CHECKING:
    from io import BufferedReader

ROWS = const(6)
HEIGHT = const(12)  # rows of the Matrix; no piece reaches higher

_DROPS = const(34)
_EVERY = const(8)  # the file lists the offset of every eighth record
_RECORD_BYTES = const(16)
_BYTES = const(10)  # bytes of a profile
_FULL = const(1023)  # mask of a full row

# For each orientation in the file, the number of its profile: (piece - 1) * 4 + facing.
LIES = b"\x01\x00\x19\x18\x10\x11\x16\x15\x14\x17\x0a\x09\x08\x0b\x06\x05\x04\x07\x0c"
FIRST = b"\x00\x02\x04\x06\x0a\x0e\x12\x13"  # first orientation of each piece, in the order I Z S T L J O
MIRRORED = b"\x00\x01\x05\x04\x03\x02\x06\x09\x08\x07\x0e\x11\x10\x0f\x0a\x0d\x0c\x0b\x12"  # of each orientation
_OTHER = b"\x00\x02\x01\x03\x05\x04\x06"  # the mirror image of each piece
CELLS = b"\x01\x07\x05\x06\x03\x02\x04"  # the engine's numbers of the pieces


def width_of(which: int) -> int:
    """Return how many columns an orientation covers."""
    return PROFILES[LIES[which] * _BYTES + 1]


class AlwaysClear:
    """Choose the place of each piece.

    masks: the filled cells of each row. heights: of the ten columns. live: a bit for each row that can still be filled.
    left: the most pieces until a row is full, 0 if one is. aim: the fullest row that can still be filled, or the full
    row. which, x, y: orientation, left column and lowest row of the last drop.
    """

    def __init__(self, file: "BufferedReader") -> None:
        """Read from the binary `file`; the caller closes it."""
        self.file = file
        while file.read(1) != b"\n":
            pass
        self.begin = file.tell()
        self.record = bytearray(_RECORD_BYTES)
        self.word = bytearray(2)
        self.wide = memoryview(self.record)
        self.masks = [0] * HEIGHT
        self.heights = bytearray(WIDTH)
        file.readinto(self.word)
        self.count = self.word[0] | self.word[1] << 8
        self.restart()

    def restart(self) -> None:
        """Empty the Matrix."""
        for y in range(HEIGHT):
            self.masks[y] = 0
        for x in range(WIDTH):
            self.heights[x] = 0
        self.live = (1 << ROWS) - 1
        self.which = self.x = self.y = 0
        self.state = self.mirrored = self.placed = 0
        self.aim = 0
        self.left = 99  # above all bounds in the file
        self.read_record(0)

    def read_record(self, state: int) -> None:
        """Read the record of a state, and lower `left` if it promises an earlier row."""
        file = self.file
        file.seek(self.begin + 2 + (state // _EVERY) * 2)
        file.readinto(self.word)
        file.seek(self.begin + 2 + (self.count + _EVERY - 1) // _EVERY * 2 + (self.word[0] | self.word[1] << 8))
        for _ in range(state % _EVERY):
            file.readinto(self.word)
            mask = self.word[0]
            while mask:
                if mask & 1:
                    file.readinto(self.word)
                mask >>= 1
        file.readinto(self.record)
        self.state = state
        # The last bound minus this piece and the record's bound are both true: keep the lower one.
        self.left -= 1
        if self.record[1] < self.left:
            self.left = self.record[1]

    def land(self, which: int, x: int) -> int:
        """Return the row where the lowest cell of a drop lands, -1 if a column under it is full."""
        at = LIES[which] * _BYTES
        y = 0
        for i in range(PROFILES[at + 1]):
            height = self.heights[x + i]
            if height >= ROWS:
                return -1
            height -= PROFILES[at + 2 + i] & 15
            if height > y:
                y = height
        return y

    def fills(self, which: int, x: int, y: int) -> int:
        """Return the lowest row that a drop fills, -1 for none."""
        at = LIES[which] * _BYTES
        for row in range(y, ROWS):
            mask = self.masks[row]
            for i in range(PROFILES[at + 1]):
                span = PROFILES[at + 2 + i]
                if y + (span & 15) <= row < y + (span >> 4):
                    mask |= 1 << x + i
            if mask == _FULL:
                return row
        return -1

    def choose(self, piece: int) -> bool:
        """Decide where a piece (0 to 6 for I Z S T L J O) goes; return whether it fills a row."""
        for which in range(FIRST[piece], FIRST[piece + 1]):
            for x in range(WIDTH + 1 - width_of(which)):
                y = self.land(which, x)
                if y >= 0 and self.fills(which, x, y) >= 0:
                    self.which = which
                    self.x = x
                    self.y = y
                    return True
        record = self.record
        if self.mirrored:
            piece = _OTHER[piece]
        at = 2
        for i in range(piece):
            if record[0] >> i & 1:
                at += 2
        word = record[at] | record[at + 1] << 8
        which = FIRST[piece]
        x = (word >> 1) % _DROPS
        while x > WIDTH - width_of(which):
            x -= WIDTH + 1 - width_of(which)
            which += 1
        self.state = (word >> 1) // _DROPS
        if self.mirrored:
            x = WIDTH - width_of(which) - x
            which = MIRRORED[which]
        self.which = which
        self.x = x
        self.y = self.land(which, x)
        self.mirrored ^= word & 1
        return False

    def place(self, filled: bool) -> None:
        """Put the piece where `choose` decided; `filled` is the result of `choose`. Find the next state."""
        at = LIES[self.which] * _BYTES
        full = self.fills(self.which, self.x, self.y)
        for i in range(PROFILES[at + 1]):
            span = PROFILES[at + 2 + i]
            x = self.x + i
            for y in range(self.heights[x], self.y + (span & 15)):
                self.live &= ~(1 << y)
            for y in range(self.y + (span & 15), self.y + (span >> 4)):
                self.masks[y] |= 1 << x
            self.heights[x] = self.y + (span >> 4)
        self.placed += 1
        if filled:
            self.left = 0
            self.aim = full
            return
        self.read_record(self.state)
        most = -1
        for y in range(ROWS):
            if self.live >> y & 1:
                count = 0
                mask = self.masks[y]
                while mask:
                    count += mask & 1
                    mask >>= 1
                if count > most:
                    most = count
                    self.aim = y
