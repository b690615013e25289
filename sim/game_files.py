"""Find and read the recording of a game that a command line names."""

import base64
import binascii
import zlib
from pathlib import Path

from firmware.modes.catalogue import make_mode
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from firmware.save.recordings.recording import Recording
from sim import pasted, terminal
from sim.game_record import AnyRecording, load
from sim.library import open_library
from sim.terminal import Refusal

DEMO = Path(__file__).with_name("demo.sky")
_LARGEST = 1 << 20  # bytes of a game in a link


def find_recording(path: Path, folder: Path | None) -> Path:
    """Return the file of a path, of a game in the library of `folder`, or of the demo."""
    try:
        entry = None if path.exists() else open_library(folder).find(str(path))
    except OSError:  # read_recording() reports it
        entry = None
    if entry:
        return entry.path
    if str(path).isdecimal() and not path.exists():
        raise Refusal(f"cannot read {path}: the library has no game of this number; --library lists the games")
    return DEMO if str(path) == DEMO.stem and not path.exists() else path


def is_link(path: Path) -> bool:
    """Return whether a path is in fact a text with a link to a game."""
    return bool(pasted.find(str(path), pasted.GAME))


def load_link(letters: str) -> AnyRecording:
    """Return the recording in the letters of a link, which sim/web/link/packing.js writes; raise ValueError."""
    try:
        packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        content = zlib.decompressobj(-15).decompress(packed, _LARGEST)
    except (zlib.error, binascii.Error) as problem:
        raise ValueError("the link is damaged or cut off") from problem
    return load(content)


def read_recording(path: Path) -> AnyRecording:
    """Return a recorded game or match that can be played to its end, of a file or a link; refuse anything else."""
    linked = is_link(path)
    try:
        recording = pasted.read(str(path), pasted.GAME, load_link) if linked else load(terminal.read_or_refuse(path))
        if isinstance(recording, LinkRecording):
            LinkPlayer(recording).play()
            recording.rewind()
        if isinstance(recording, Recording):
            make_mode(recording.variant)
    except ValueError as error:
        raise Refusal(f"{'this link' if linked else path}: {error}") from error
    return recording
