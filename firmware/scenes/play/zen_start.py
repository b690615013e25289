"""Prepare a game for taking Tetriminos back; a running game does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.recordings.rewind import Rewind
from firmware.save.suspended import pack

if TYPE_CHECKING:
    from firmware.contracts import Buffer, Recorder, Session

_KEPT = const(2)  # a shift by 2: the recorder keeps a quarter of the buffer
LEAST_BYTES = const(2048)  # size of the buffer without a recorder


def make_rewind(session: "Session", recorder: "Recorder | None") -> Rewind:
    """Return a Rewind for a new game that passes edges on to `recorder`, unless None."""
    return Rewind(recorder, pack, session.variant, session.journal.payload, share(session.recorder))


def share(recorder: "Recorder | None") -> "Buffer":
    """Return three quarters of a recorder's buffer; the recorder uses only the rest until its next recording.

    If a long recording already fills more than the rest, return a new buffer.
    """
    if not recorder:
        return bytearray(LEAST_BYTES)
    size = len(recorder.buffer)
    kept = size >> _KEPT
    if recorder.used > kept:
        return bytearray(size - kept)
    recorder.capacity = kept
    return memoryview(recorder.buffer)[kept:]
