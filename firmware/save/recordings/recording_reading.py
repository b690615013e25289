"""Read the parts that all recordings have, and let a recorder go on behind them."""

from binascii import crc32

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.options import NAMES, Options
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from firmware.contracts import Recorder

_VALUE = const(1023)


def open_blob(reader: Numbers, blob: bytes) -> None:
    """Let `reader` read from the byte after the format on; raise ValueError with one line for a wrong check sum."""
    Numbers.__init__(reader, blob, False, 4)
    reader.end -= 4
    if crc32(blob[: reader.end]) != int.from_bytes(blob[reader.end :], "little"):
        raise ValueError("recording is damaged: its check sum does not match")


def read_count(reader: Numbers, fields: "Sized") -> int:
    """Return how many options follow; raise ValueError with one line if this version does not know them all."""
    count = reader.get()
    if count > len(fields):
        raise ValueError("recording has %d options, this version of Skyline knows %d" % (count, len(fields)))
    return count


def read_fields(reader: Numbers, owner: object, names: "Sequence[str]", count: int) -> None:
    """Read the first `count` options of `owner`; the others keep their defaults."""
    for i in range(count):
        setattr(owner, names[i], reader.get())


def read_choice(reader: Numbers, options: Options, count: int) -> None:
    """Read the first `count` options of a game; one that was recorded before `edition` has edition 0."""
    options.edition = 0
    read_fields(reader, options, NAMES, count)
    options.check()


def change_option(options: Options, number: int) -> None:
    """Set an option to its new value, place in NAMES << 10 | value; raise ValueError if there is none at the place."""
    place = number >> 10
    if place >= len(NAMES):
        raise ValueError("recording is damaged: it changes an option that there is not")
    setattr(options, NAMES[place], number & _VALUE)
    options.check()


def copy_head(recorder: "Recorder", at: int, head: bytes, last_ms: int, tail_bytes: int) -> None:
    """Put `head` at `at` of `recorder`, which continues after it; leave the recorder full if the head is too long."""
    end = at + len(head)
    if end + tail_bytes > recorder.capacity:
        recorder.continue_at(recorder.used, recorder.last_ms, True)
        return
    recorder.buffer[at:end] = head
    recorder.continue_at(end, last_ms)
