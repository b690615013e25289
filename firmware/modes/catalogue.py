"""Look modes up in modes.txt, where each is one record; nothing of this is in memory in play.

README.md, "The record", explains the words of a record. They stay in flash: in a board's heap they would take 8 KB.
"""

import sys

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import MakeMode, Record
    from firmware.engine.mode import Mode

# Numbers that code needs; a recording stores the number of its mode.
MARATHON = const(0)
SPRINT = const(1)
ULTRA = const(2)
ULTRA_LINES = const(3)
STANDARD = const(4)
TEST_SPEC = const(5)
WORST = const(6)
ZEN = const(7)
DIG = const(8)
SURVIVE = const(9)
MASTER = const(10)
PUZZLE = const(11)
FINESSE = const(12)
DAILY = const(13)


def read() -> "Iterator[Record]":
    """Yield each record as a dictionary of its lines; what it leaves out is as in the first one, which is no mode."""
    defaults: "Record" = {}
    record = defaults
    with open(__file__.rpartition("catalogue")[0] + "modes.txt", "rb") as file:
        for line in file:
            word, _, value = line.rstrip().partition(b": ")
            if word == b"mode" and word in record:
                yield record
                record = defaults.copy()
            record[word] = value
    yield record


def find(variant: int) -> "Record":
    """Return the record of a variant; raise ValueError with one line for an unknown one."""
    for record in read():
        if record[b"mode"].startswith(b"%d " % variant):
            return record
    raise ValueError("variant %d is not one of this version of Skyline" % variant)


def find_maker(record: "Record") -> "MakeMode":
    """Return the function that makes the mode of a record."""
    path = "firmware.modes." + record[b"mode"].split()[2].decode()
    __import__(path)
    return sys.modules[path].make_mode


def make_mode(variant: int) -> "Mode":
    """Return the mode of a variant; raise ValueError as `find`."""
    return find_maker(find(variant))(variant)
