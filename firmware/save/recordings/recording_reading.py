"""Read the parts that all recordings have: the check sum, numbers and options."""

from binascii import crc32

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.options import FIELDS, Options
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Fields, Recorder

_VALUE = const(1023)


def open_blob(reader: Numbers, blob: bytes) -> None:
    """Let `reader` read from the byte after the format on; raise ValueError with one line for a wrong check sum."""
    Numbers.__init__(reader, blob, False, 4)
    reader.end -= 4
    if crc32(blob[: reader.end]) != int.from_bytes(blob[reader.end :], "little"):
        raise ValueError("recording is damaged: its check sum does not match")


def read_count(reader: Numbers, fields: "Fields") -> int:
    """Return how many options follow; raise ValueError with one line if this version does not know them all."""
    count = reader.get()
    if count > len(fields):
        raise ValueError("recording has %d options, this version of Skyline knows %d" % (count, len(fields)))
    return count


def read_fields(reader: Numbers, owner: object, fields: "Fields", count: int) -> None:
    """Read the first `count` options of `owner`; set the others to their defaults."""
    for i in range(len(fields)):
        setattr(owner, fields[i][0], reader.get() if i < count else fields[i][3])


def change_option(options: Options, number: int) -> None:
    """Set an option to its new value, place in FIELDS << 10 | value; raise ValueError if there is none at the place."""
    place = number >> 10
    if place >= len(FIELDS):
        raise ValueError("recording is damaged: it changes an option that there is not")
    setattr(options, FIELDS[place][0], number & _VALUE)
    options.check()


def copy_head(recorder: "Recorder", at: int, head: bytes, last_ms: int, tail_bytes: int) -> None:
    """Put `head` at `at` of `recorder`, which continues after it; leave the recorder full if the head is too long."""
    end = at + len(head)
    if end + tail_bytes > recorder.capacity:
        recorder.cut(recorder.used, recorder.last_ms, True)
        return
    recorder.buffer[at:end] = head
    recorder.cut(end, last_ms)
