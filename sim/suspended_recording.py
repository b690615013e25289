"""Keep the recording of a game in progress beside its save, so that power-off does not cut the recording.

Runs in the page, too (sim/web). The little-endian format:

    4 bytes    CRC of the save and of all following bytes
    4 bytes    time of the last edge << 1, plus 1 once recording has stopped
    4 bytes    time of the game
    the rest   the Recorder's bytes
"""

from binascii import crc32

from firmware.compat import TYPE_CHECKING
from firmware.save.journal import SUSPENDED
from firmware.scenes.play.stop import find_recorder

if TYPE_CHECKING:
    from typing import Any

    from firmware.app import App

_HEAD_BYTES = 12
_WORD_BYTES = 4


class SuspendedRecording:
    """Follow the saves of an App's game in progress."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._where = app.context.journal.where[SUSPENDED]
        self._save = crc32(app.context.journal.read(SUSPENDED))

    def read_change(self) -> "bytes | None":
        """Return the bytes to keep from this frame on, None for no change, b"" for no recording."""
        app = self._app
        journal = app.context.journal
        if journal.where[SUSPENDED] == self._where:
            return None
        self._where = journal.where[SUSPENDED]
        return self.note(journal.read(SUSPENDED))

    def note(self, payload: "bytes | memoryview") -> "bytes | None":
        """Return the bytes to keep with a save that is written now or next, None if they are kept already."""
        save = crc32(payload)
        if save == self._save:
            return None
        self._save = save
        scene: Any = self._app.router.scene
        recorder = find_recorder(scene) if hasattr(scene, "recorder") else None
        if not recorder or not len(payload):
            return b""
        words = (recorder.last_ms << 1 | recorder.full, scene.played_ms)
        noted = b"".join([word.to_bytes(_WORD_BYTES, "little") for word in words])
        noted += bytes(recorder.buffer[: recorder.used])
        return crc32(noted, save).to_bytes(_WORD_BYTES, "little") + noted

    def revive(self, kept: bytes) -> bool:
        """Restore the Recorder; return False for bytes that are damaged or belong to another save."""
        app = self._app
        recorder = app.session.recorder
        used = len(kept) - _HEAD_BYTES
        noted = kept[_WORD_BYTES:]
        if not recorder or not 0 < used < len(recorder.buffer) or not len(app.context.journal.read(SUSPENDED)):
            return False
        if crc32(noted, self._save) != int.from_bytes(kept[:_WORD_BYTES], "little"):
            return False
        edge = int.from_bytes(noted[:_WORD_BYTES], "little")
        recorder.buffer[:used] = kept[_HEAD_BYTES:]
        recorder.used = used
        recorder.last_ms = edge >> 1
        recorder.full = bool(edge & 1)
        app.session.remember_game(int.from_bytes(noted[_WORD_BYTES : 2 * _WORD_BYTES], "little"))
        return True
