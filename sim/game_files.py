"""Find and read the recording of a game that a command line names."""

from pathlib import Path

from firmware.modes.catalogue import make_mode
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from firmware.save.recordings.recording import Recording
from sim import terminal
from sim.game_record import AnyRecording, load
from sim.library import open_library
from sim.terminal import Refusal

DEMO = Path(__file__).with_name("demo.sky")


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


def read_recording(path: Path) -> AnyRecording:
    """Return a recorded game or match that can be played to its end; refuse any other file."""
    try:
        recording = load(terminal.read_or_refuse(path))
        if isinstance(recording, LinkRecording):
            LinkPlayer(recording).play()
            recording.rewind()
        if isinstance(recording, Recording):
            make_mode(recording.variant)
    except ValueError as error:
        raise Refusal(f"{path}: {error}") from error
    return recording
