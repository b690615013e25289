"""Look up modes in modes.txt, which has one record for each; play does not keep this module in memory.

README.md, "The record", explains the words of a record. They stay in flash: in a board's heap they would take 8 KB.
"""

import sys

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import Any, MakeMode, Record
    from firmware.engine.mode import Mode

# The numbers of the modes that code names, called variants; a recording stores one.
MARATHON = const(0)
SPRINT = const(1)
ULTRA = const(2)
ULTRA_LINES = const(3)
STANDARD = const(4)
WORST = const(6)
ZEN = const(7)
PUZZLE = const(11)
FINESSE = const(12)
DAILY = const(13)

_CHUNK = const(256)

# The number and text of the last record looked up: a board takes 17 ms to open the file.
_last: "list[Any]" = [-1, b""]


def split_file(path: str, border: bytes) -> "Iterator[bytes]":
    """Yield the parts of a text file."""
    rest = b""
    with open(path, "rb") as file:
        # Not line by line: MicroPython would read the drive one byte at a time.
        chunk = file.read(_CHUNK)
        while chunk:
            parts = (rest + chunk).split(border)
            rest = parts.pop()
            yield from parts
            chunk = file.read(_CHUNK)
    yield rest


def read_texts() -> "Iterator[bytes]":
    """Yield the text of the first record, then for each mode that text followed by the mode's own.

    The first record is no mode: it has the default lines.
    """
    first = b""
    for text in split_file(__file__.rpartition("catalogue")[0] + "modes.txt", b"\n\n"):
        first = first or text + b"\n"
        yield first + text


def parse(text: bytes) -> "Record":
    """Return the lines of a text by the word before the colon; a later line replaces an earlier one."""
    record = {}
    for line in text.split(b"\n"):
        word, _, value = line.partition(b": ")
        record[word] = value
    return record


def read() -> "Iterator[Record]":
    """Yield each record, the first one too."""
    for text in read_texts():
        yield parse(text)


def find(variant: int) -> "Record":
    """Return the record of a variant; raise ValueError with one line for an unknown variant."""
    if _last[0] != variant:
        for text in read_texts():
            if b"\nmode: %d " % variant in text:
                _last[0] = variant
                _last[1] = text
                return parse(text)
        raise ValueError("this version has no variant %d" % variant)
    return parse(_last[1])


def find_maker(record: "Record") -> "MakeMode":
    path = "firmware.modes." + record[b"mode"].split()[2].decode()
    __import__(path)
    return sys.modules[path].make_mode


def make_mode(variant: int) -> "Mode":
    """Return the mode of a variant; raise ValueError with one line for an unknown variant."""
    return find_maker(find(variant))(variant)
