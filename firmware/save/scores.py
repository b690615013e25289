"""Rank the best games of each variant (Guideline 11.2).

The record of a table: format (1 byte), then its entries, the best first: initials (3 bytes of ASCII), result (4 bytes),
lines (2), level (2), little-endian. In format 1 the level has one byte.
"""

from struct import pack_into, unpack_from

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.sprint import STRETCH
from firmware.save.journal import SPLITS

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer, Journal, Record

PLACES = const(5)
FEW_PLACES = const(2)  # of the table of a class: as many full tables do not fit 4 KB
CLASSES = const(38)  # the first kind of these tables, and the first kind after them
CLASSES_END = const(64)
LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789.-! "  # of initials; without 0, which looks like O

SPLITS_FORMAT = const(1)  # firmware/save/splits.py describes its record
_CLASS_SHIFT = const(10)

_FORMAT = const(2)
_ENTRY = "<3sIHH"
_ENTRY_BYTES = const(11)
_OLD_FORMAT = const(1)
_OLD_BYTES = const(10)
_MOST = const(0xFFFF)
_INITIALS = const(3)
_NO_LETTER = const(0x2D)


def find_kind(record: "Record", aim: int, number: int = 0) -> int:
    """Return the journal's kind of the table for a mode, the aim and the class of a game, or 0 if it has none."""
    usual = int(record[b"default"])
    aim = aim or usual
    if number:
        return int(record.get(b"class %d" % number, b"0")) if aim == usual else 0
    return int(record.get(b"aim %d" % aim, record.get(b"aim any", b"0")).split(b"|")[0])


def find_table(variant: int, aim: int, number: int = 0) -> int:
    """Return the number of the table for a variant, the aim and the class of a game, or -1 if it has none."""
    from firmware.modes.catalogue import find, read_texts

    kind = find_kind(find(variant), aim, number)
    if not kind:
        return -1
    table = 0
    # Search the texts: parsing all records would delay the end of a game by a tenth of a second.
    for text in read_texts():
        for word in (b"\naim ", b"\nclass "):
            for line in text.split(word)[1:]:
                table += int(line.split(b"\n", 1)[0].split(b"|", 1)[0].partition(b": ")[2]) < kind
    return table


def find_best(journal: "Journal", variant: int, aim: int, number: int = 0) -> int:
    """Return the best result for a variant, the aim and the class of a game; 0 if there is none."""
    from firmware.modes.catalogue import find

    kind = 0 if journal.failed else find_kind(find(variant), aim, number)
    return open_table(journal, kind).entry(0)[1] if kind else 0


def key_splits(lines: int, number: int) -> int:
    """Return the number by which the splits of a Sprint are kept: its length and, above 10 bits, its class."""
    return lines | number << _CLASS_SHIFT


def read_splits(record: "Blob") -> list[list[int]]:
    """Return for each length and class [key, best time, time at each tenth line], as far as the record is valid."""
    rows: list[list[int]] = []
    if len(record) and record[0] == SPLITS_FORMAT:
        from firmware.save.varint import Numbers

        numbers = Numbers(record, False, 1)
        try:
            while numbers.at < len(record):
                key = numbers.get()
                count = 1 + ((key & (1 << _CLASS_SHIFT) - 1) - 1) // STRETCH
                rows.append([key] + [numbers.get() for _ in range(count)])
        except ValueError:
            pass  # keep the rows read so far
    return rows


def find_splits(journal: "Journal", lines: int, number: int, best_ms: int) -> list[int]:
    """Return the times at each tenth line of the best Sprint of a length and a class; [] if they are not known."""
    for row in read_splits(journal.read(SPLITS)):
        if row[0] == key_splits(lines, number) and row[1] == best_ms:
            return row[2:]
    return []


def open_table(journal: "Journal", kind: int, rising: bool = False) -> "Table":
    """Return the table that the journal has saved as `kind`."""
    table = Table(rising, FEW_PLACES if CLASSES <= kind < CLASSES_END else PLACES)
    table.restore(journal.read(kind))
    return table


def write_initials(number: int) -> bytes:
    """Return the initials that are packed in a number of the settings; dashes for 0, which nobody has chosen."""
    initials = bytearray(b"---")
    for i in range(_INITIALS if number else 0):
        initials[i] = LETTERS[number % len(LETTERS)]
        number //= len(LETTERS)
    return bytes(initials)


def make_way(table: "Table", day: int, result: int) -> int:
    """Remove the entry of a daily game if `result` is better; return the packed day, or -1 if the entry stays."""
    from firmware.modes.days import is_day, pack_day

    if not is_day(day):
        return -1
    number = pack_day(day)
    place = table.find(number)
    if place >= 0:
        if result <= table.entry(place)[1]:
            return -1
        table.remove(place)
    return number


class Table:
    """Hold the entries of one table, the best first.

    rising: whether the lowest result is the best. count: how many entries there are. places: the largest number of
    entries; a small store has room for one only. A result is points, lines or milliseconds; 0 does not count.
    """

    def __init__(self, rising: bool = False, places: int = PLACES) -> None:
        self.rising = rising
        self.places = places
        self.count = 0
        self.buffer = bytearray(1 + PLACES * _ENTRY_BYTES)

    def entry(self, place: int) -> tuple[bytes, int, int, int]:
        """Return (initials, result, lines, level) of a place, 0 for the first."""
        return unpack_from(_ENTRY, self.buffer, 1 + place * _ENTRY_BYTES)

    def rank(self, result: int) -> int:
        """Return the place of a result, below equal results, or -1 if it is not among the best."""
        if not result:
            return -1
        place = 0
        while place < self.count:
            best = self.entry(place)[1]
            if result < best if self.rising else result > best:
                return place
            place += 1
        return place if place < self.places else -1

    def find(self, level: int) -> int:
        """Return the place of the entry with this level, which is the packed day of a daily game, or -1."""
        for place in range(self.count):
            if self.entry(place)[3] == level:
                return place
        return -1

    def insert(self, place: int, initials: bytes, result: int, lines: int, level: int) -> None:
        """Insert a game at the place of `rank`; lower entries move down, and a full table loses the last one.

        Store the maximum of a field if a value is too large.
        """
        if self.count < self.places:
            self.count += 1
        buffer = self.buffer
        at = 1 + place * _ENTRY_BYTES
        end = 1 + self.count * _ENTRY_BYTES
        buffer[at + _ENTRY_BYTES : end] = bytes(buffer[at : end - _ENTRY_BYTES])
        pack_into(_ENTRY, buffer, at, initials, min(result, 0xFFFFFFFF), min(lines, _MOST), min(level, _MOST))

    def remove(self, place: int) -> None:
        """Remove the entry at `place`; lower entries move up."""
        buffer = self.buffer
        at = 1 + place * _ENTRY_BYTES
        end = 1 + self.count * _ENTRY_BYTES
        buffer[at : end - _ENTRY_BYTES] = bytes(buffer[at + _ENTRY_BYTES : end])
        self.count -= 1

    def sign(self, place: int, initials: bytes) -> None:
        """Replace the initials of a place by `initials`, 3 bytes."""
        at = 1 + place * _ENTRY_BYTES
        self.buffer[at : at + _INITIALS] = initials

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
