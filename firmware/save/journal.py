"""Keep small records through power cuts: only append, and check every record that is read.

A bank is one `store`: its bytes are 0xFF when erased, and each is written once. A record is

    kind (1 byte)  length of the payload (2)  sequence number (4)  payload  CRC-32 of all before it (4)

in little-endian order. For each kind the valid record with the highest sequence number counts, in either bank.
An unfinished write or a flipped bit breaks the CRC; then the record before it counts. The reader skips damaged
bytes one by one.

A single full bank is rewritten in place, which its store does by erasing all of it. Meanwhile its backup, if there is
one, holds the same records and ends with a mark. While the mark is whole, the backup's records count, too. A torn bank
is rewritten from them at once.

With two banks, records go to one of them. When it is full, the newest record of each kind goes to the other, erased
bank. Last comes a mark: a record of kind 0 with a new sequence number. Until the mark is whole, the full bank stays in
use unchanged.
"""

from array import array
from binascii import crc32
from struct import pack_into

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal_layout import FRAME_BYTES, HEAD_BYTES, PLACES

if TYPE_CHECKING:
    from firmware.contracts import Any, BackupBank

# Kinds, most important first. They are rewritten in this order, but a match in progress late, and means.py's last. If a
# bank is too small, the last ones are left out. Never reuse a kind; 17 is unused. 49 to 63 are for tables of classes.
# Other modules name their own. tests/support/records.py lists all, and tells the next free ones.
SETTINGS = const(1)
TABLES = const(2)  # to 12, 16, 24 to 30, 33 and 38 to 48: each table of scores, by firmware/modes/modes.txt
SUSPENDED = const(13)
REPORT = const(14)  # the last error
BOARD_GAME = const(15)  # firmware/tetress/record.py
MATCH = const(18)
MATCH_GAMES = const(19)  # to 22: the game of each seat
VERSUS = const(23)  # firmware/save/match_scores.py
PUZZLES = const(31)
NUMBERS = const(32)
SPLITS = const(34)
OPENERS = const(36)
ALL_CLEARS = const(37)

_KINDS = const(128)
_LONGEST_BYTES = const(464)
_PIECE_BYTES = const(64)
_INTACT = const(0x2144DF1C)  # the CRC-32 of anything followed by its own CRC-32


class Journal:
    """Read and append records in one bank or two; without a bank, `failed` is True from the start.

    backup: None, or a copy of the only bank while it is erased (see Device). torn: whether power failed while the only
    bank was rewritten, so that the backup's records count. payload: the bytes of a record, filled by `read`, written by
    `append` and `save`; all calls share this buffer. room: the longest payload that fits now; negative if no record
    fits. failed: whether a store raised OSError or did not keep a write. Then nothing is written until `open` succeeds,
    so no old record is lost.
    """

    failed: bool
    torn: bool
    last: int
    bank: int
    end: int
    room: int

    def __init__(self, stores: "list[Any]", backup: "BackupBank | None" = None) -> None:
        self.stores = stores  # a list of Store
        self.backup: "Any" = backup  # Any: callers check for None first
        self.buffer = bytearray(_LONGEST_BYTES)
        self.view = memoryview(self.buffer)
        self.payload = self.view[HEAD_BYTES:-4]
        # The place of each kind's newest record. A list would take twice the memory in a match.
        self.where: "array[int]" = array("H", b"\xff" * (2 * _KINDS))
        self.open()
        if self.torn:
            from firmware.save.journal_compaction import compact

            compact(self)

    def open(self) -> None:
        """Search the banks for valid records, after power-on and whenever a failed store may work again."""
        # Imported late: play does not need it.
        from firmware.save.journal_reading import look_through

        look_through(self)

    def fetch(self, where: int) -> int:
        """Fill the buffer with the record at a place, or a part of it; return the number of bytes read."""
        bank = where % PLACES
        at = where // PLACES
        store: "Any" = self.stores[bank] if bank < len(self.stores) else self.backup
        left = store.size - at
        count = 0
        size = 1
        # In pieces: nvm copies each, and in a match the heap has no large block.
        while size > count and size <= left and size <= _LONGEST_BYTES:
            end = min(count + _PIECE_BYTES, left)
            store.read(at + count, self.view[count:end])
            count = end
            size = FRAME_BYTES + (self.buffer[1] | self.buffer[2] << 8)
        return count

    def check(self, count: int) -> int:
        """Return the size of the valid record at the start of the buffer's first `count` bytes, or 0."""
        buffer = self.buffer
        size = FRAME_BYTES + (buffer[1] | buffer[2] << 8)
        # An order of 2^32 - 2^24 or more comes from damage, and could not be counted on.
        if size <= count and buffer[0] < _KINDS and buffer[6] < 255 and crc32(self.view[:size]) == _INTACT:
            return size
        return 0

    def measure(self) -> None:
        """Set `room` to the longest payload that fits now."""
        self.room = (0 if self.failed else min(_LONGEST_BYTES, self.stores[self.bank].size - self.end)) - FRAME_BYTES

    def is_short(self) -> bool:
        """Return whether less than a quarter of the bank is free: the saves of a new game may fill it."""
        return not self.failed and self.end * 4 > self.stores[self.bank].size * 3

    def read(self, kind: int) -> memoryview:
        """Return the newest valid payload of a kind, a part of `payload`; empty if there is none."""
        from firmware.save.journal_reading import read

        return read(self, kind)

    def frame(self, kind: int, length: int) -> int:
        """Put head and CRC around the first `length` bytes of `payload`; return the record's size."""
        self.last += 1
        pack_into(b"<BHI", self.buffer, 0, kind, length, self.last)
        end = HEAD_BYTES + length
        pack_into(b"<I", self.buffer, end, crc32(self.view[:end]))
        return end + 4

    def append(self, kind: int, length: int) -> bool:
        """Write the first `length` bytes of `payload` as the newest record of `kind`, 1 to 127.

        Return False if there is no room or no working store. A length of 0 deletes the record of this kind, such as a
        game in progress.
        """
        if length > self.room:  # negative in a journal that failed
            return False
        end = self.end
        where = end * PLACES + self.bank
        size = self.frame(kind, length)
        try:
            self.stores[self.bank].write(end, self.view[:size])
            self.failed = self.check(self.fetch(where)) != size or self.buffer[0] != kind
        except OSError:
            self.failed = True
        if not self.failed:
            self.where[kind] = where
            self.end = end + size
        self.measure()
        return not self.failed

    def save(self, kind: int, length: int) -> bool:
        """Append a record, by compaction if there is no room. Call this in menus only: it may take long."""
        if self.append(kind, length):
            return True
        # Imported late: play has no time for it.
        from firmware.save.journal_compaction import compact

        return compact(self, kind, length)
