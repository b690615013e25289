"""Begin to note a game so that it can be taken back: nothing of this is in memory while it runs."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.recordings.rewind import Rewind
from firmware.save.suspended import pack

if TYPE_CHECKING:
    from firmware.contracts import Buffer, Recorder, Session

_KEPT = const(2)  # a quarter of the buffer stays the recorder's, as a shift
LEAST_BYTES = const(2048)  # where there is no recorder


def make_rewind(session: "Session", recorder: "Recorder | None") -> Rewind:
    """Return a Rewind that stands before the recorder of a game, if there is one."""
    return Rewind(recorder, pack, session.variant, session.journal.payload, share(session.recorder))


def share(recorder: "Recorder | None") -> "Buffer":
    """Return three quarters of a recorder's buffer; it notes into the rest alone until it begins anew.

    One that has noted more than that, in a game taken over from a long recording, keeps all of it.
    """
    if not recorder:
        return bytearray(LEAST_BYTES)
    size = len(recorder.buffer)
    kept = size >> _KEPT
    if recorder.used > kept:
        return bytearray(size - kept)
    recorder.capacity = kept
    return memoryview(recorder.buffer)[kept:]
