"""Keep the recording of a game that took first place in its table, if the device can store it."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Game, ReplayFiles, Session
    from firmware.save.recordings.recording import Recording

_FULL = const(28)  # ENOSPC


def keep_replay(session: "Session", game: "Game") -> bytes:
    """Keep the last game's recording if the game took first place; return a message, or b"".

    A PC that has the drive is no news: it is the usual case, and nobody asked for the recording.
    """
    replays = session.device.machine.open_replay_files()
    recorder = session.recorder
    if not replays or not session.placed or session.placed[0] or not recorder or recorder.full or not session.last:
        return b""
    head = Numbers(recorder.buffer, False, 4)
    if recorder.owner or head.get() != session.variant or head.get() != game.seed:
        return b""  # the recorder holds another game
    try:
        replays.keep(session.placed[1], game.mode.result(game), session.last())
    except OSError as problem:
        return b"DRIVE IS FULL" if problem.errno == _FULL else b""
    return b"RECORDING KEPT"


def fetch_replay(replays: "ReplayFiles", table: int, result: int) -> "Recording | None":
    """Return the Recording of a table's first place, or None if it is missing or damaged."""
    from firmware.save.recordings.recording import Recording

    try:
        return Recording(replays.fetch(table, result))
    except (OSError, ValueError):
        return None
