"""Rank the best games of each variant (Guideline 11.2).

The record of a table: format (1 byte), then its entries, the best first: initials (3 bytes of ASCII)  result (4 bytes)
lines (2)  level (2), little-endian. Before format 2 the level had one byte.
"""

from struct import pack_into, unpack_from

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.catalogue import DIG, SPRINT, STANDARD, TEST_SPEC, WORST

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer

PLACES = const(5)
LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789.-! "  # of initials; 0 looks like O

_FORMAT = const(2)
_ENTRY = "<3sIHH"
_ENTRY_BYTES = const(11)
_OLD_FORMAT = const(1)
_OLD_BYTES = const(10)
_MOST = const(0xFFFF)
_INITIALS = const(3)
_NO_LETTER = const(0x2D)

# (variant, aim) of each table; numbers of variants and aims are those of firmware/modes/.
TABLE_AIMS = (
    b"\x00\x00\x00\x01\x01\x14\x01\x28\x01\x64\x02\x02\x02\x03\x03\x02\x03\x03\x04\x00\x05\x00\x06\x00"
    b"\x08\x0a\x08\x12\x08\x64\x09\x00\x0a\x00\x0d\x00\x0c\x00\x07\x00"
)
# The kind of each table's record in the journal (journal.py lists them). They are listed because lifetime statistics
# have one in between.
TABLE_KINDS = b"\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x10\x18\x19\x1a\x1b\x1c\x1d\x1e\x21"
# For each variant the aim that its 0 stands for.
_AIMS = b"\x00\x28\x02\x02\x00\x00\x00\x00\x0a"


def find_table(variant: int, aim: int) -> int:
    """Return the number of the table for this option `aim`, or -1 for none."""
    if variant == STANDARD or variant == TEST_SPEC:
        aim = 0  # there it says how the buttons are read, not what the goal is
    elif variant == WORST or variant > DIG:
        aim = 0  # of all strengths; modes after Dig have none
    elif not aim and variant < len(_AIMS):
        aim = _AIMS[variant]
    for table in range(len(TABLE_AIMS) // 2):
        if TABLE_AIMS[2 * table] == variant and TABLE_AIMS[2 * table + 1] == aim:
            return table
    return -1


def find_kind(table: int) -> int:
    """Return the kind of a table's record in the journal; raise IndexError for a table without one."""
    return TABLE_KINDS[table]


class Table:
    """Hold the entries of one table, the best first.

    count: of places taken. places: how many may be taken; a small store has room for one only. A result is points,
    lines or milliseconds; in a race fewer are better, and 0 is none.
    """

    def __init__(self, table: int, places: int = PLACES) -> None:
        self.rising = TABLE_AIMS[2 * table] == SPRINT or TABLE_AIMS[2 * table] == DIG
        self.places = places
        self.count = 0
        self.buffer = bytearray(1 + PLACES * _ENTRY_BYTES)

    def entry(self, place: int) -> tuple[bytes, int, int, int]:
        """Return (initials, result, lines, level) of a place, 0 for the first."""
        return unpack_from(_ENTRY, self.buffer, 1 + place * _ENTRY_BYTES)

    def rank(self, result: int) -> int:
        """Return the place of a result, below its equals, or -1 if it is not among the best."""
        if not result:
            return -1
        place = 0
        while place < self.count:
            best = self.entry(place)[1]
            if result < best if self.rising else result > best:
                return place
            place += 1
        return place if place < self.places else -1

    def insert(self, place: int, initials: bytes, result: int, lines: int, level: int) -> None:
        """Insert a game at the place of `rank`; lower ones move down, the last one out.

        A value too large for its field stays at the field's maximum.
        """
        if self.count < self.places:
            self.count += 1
        buffer = self.buffer
        at = 1 + place * _ENTRY_BYTES
        end = 1 + self.count * _ENTRY_BYTES
        buffer[at + _ENTRY_BYTES : end] = bytes(buffer[at : end - _ENTRY_BYTES])
        pack_into(_ENTRY, buffer, at, initials, min(result, 0xFFFFFFFF), min(lines, _MOST), min(level, _MOST))

    def remove(self, place: int) -> None:
        """Remove a place; lower ones move up."""
        buffer = self.buffer
        at = 1 + place * _ENTRY_BYTES
        end = 1 + self.count * _ENTRY_BYTES
        buffer[at : end - _ENTRY_BYTES] = bytes(buffer[at + _ENTRY_BYTES : end])
        self.count -= 1

    def sign(self, place: int, initials: bytes) -> None:
        """Replace the initials of a place by others, 3 bytes."""
        at = 1 + place * _ENTRY_BYTES
        self.buffer[at : at + 3] = initials

    def pack(self, buffer: "Buffer") -> int:
        """Write the record to `buffer`; return its length, at most 56 bytes."""
        self.buffer[0] = _FORMAT
        length = 1 + self.count * _ENTRY_BYTES
        buffer[:length] = self.buffer[:length]
        return length

    def restore(self, buffer: "Blob") -> None:
        """Read the entries from a record in `buffer`; unknown formats load as empty."""
        self.count = 0
        if not len(buffer) or buffer[0] != _FORMAT and buffer[0] != _OLD_FORMAT:
            return
        stride = _ENTRY_BYTES if buffer[0] == _FORMAT else _OLD_BYTES
        self.count = min((len(buffer) - 1) // stride, self.places)
        for place in range(self.count):
            at = 1 + place * _ENTRY_BYTES
            old = 1 + place * stride
            self.buffer[at + _OLD_BYTES] = 0
            self.buffer[at : at + stride] = buffer[old : old + stride]
            for i in range(at, at + _INITIALS):
                if self.buffer[i] not in LETTERS:
                    self.buffer[i] = _NO_LETTER
