"""Read what all recordings are made of: a check sum, numbers and options."""

from binascii import crc32

from firmware.compat import TYPE_CHECKING
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Fields, Recorder


def open_blob(reader: Numbers, blob: bytes) -> None:
    """Let `reader` read behind the format; raise ValueError with one line if the check sum is wrong."""
    Numbers.__init__(reader, blob, False, 4)
    reader.end -= 4
    if crc32(blob[: reader.end]) != int.from_bytes(blob[reader.end :], "little"):
        raise ValueError("recording is damaged: its check sum does not match")


def read_count(reader: Numbers, fields: "Fields") -> int:
    """Return how many options follow."""
    count = reader.get()
    if count > len(fields):
        raise ValueError("recording has %d options, this version of Skyline knows %d" % (count, len(fields)))
    return count


def read_fields(reader: Numbers, owner: object, fields: "Fields", count: int) -> None:
    """Set the first `count` options of `owner`; those of a later version get their defaults."""
    for i in range(len(fields)):
        setattr(owner, fields[i][0], reader.get() if i < count else fields[i][3])


def copy_head(recorder: "Recorder", at: int, head: bytes, last_ms: int, tail_bytes: int) -> None:
    """Let `recorder` continue behind `head`, put at `at`; too long a head leaves it full."""
    end = at + len(head)
    if end + tail_bytes > recorder.capacity:
        recorder.cut(recorder.used, recorder.last_ms, True)
        return
    recorder.buffer[at:end] = head
    recorder.cut(end, last_ms)
