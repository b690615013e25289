"""Lead back to a moment of a recording: a link for the page, and a command for the simulator."""

import shlex
from binascii import crc32
from pathlib import Path

from firmware.engine.controls import PAUSE
from firmware.modes.catalogue import make_mode
from firmware.save.recorder import ENTRY_BYTES, TAIL_BYTES, Recorder
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Recording
from firmware.save.recordings.recording_reading import copy_head
from firmware.save.recordings.recording_timeline import Timeline
from firmware.save.varint import write
from sim.moment import END_MS
from sim.terminal import IS_CLONE, name_commands
from tools import ROOT
from tools.review.positions import Position
from tools.web.browse import link
from tools.web.serving import PORT

BASE = f"http://localhost:{PORT}/"

_BYTES = 1 << 20
_MOST_OF_NUMBER = 5
_LAST_OF_NUMBER = 127  # every byte of a number but the last is greater


def cut_game(recording: Recording, at_ms: int) -> bytes:
    timeline = Timeline(recording, make_mode)
    timeline.reading = False
    timeline.rewind()
    timeline.end_ms = timeline.time_ms = at_ms
    timeline.player.advance(at_ms)
    recorder = Recorder(_BYTES)
    recorder.begin_game(recording.variant, recording.seed, recording.options)
    used = recording.at - 1  # without the last edge that was read: the game has not reached it
    while recording.blob[used - 1] > _LAST_OF_NUMBER:
        used -= 1
    recording.at = used
    copy_head(recorder, 0, recording.blob[:used], recording.time_ms - (recording.get() >> 4), ENTRY_BYTES + TAIL_BYTES)
    return recorder.recorded(at_ms)


def cut_match(recording: MatchRecording, position: Position) -> bytes:
    player = MatchPlayer(recording)
    while player.match.round + 1 < position.round:
        player.advance(END_MS)
        player.begin_next()
    player.advance(position.generated_ms)
    # As match_handover.copy_head, which refuses the oldest format.
    used = recording.at = recording.next_at
    last_ms = recording.next_ms - (recording.get() >> recording.shift)
    end = bytearray(_MOST_OF_NUMBER)
    length = write(end, 0, max(0, position.generated_ms - last_ms) << recording.shift | PAUSE)
    body = bytes(recording.blob[:used]) + bytes(end[:length])
    return body + crc32(body).to_bytes(4, "little")


def make_link(recording: Recording | MatchRecording, position: Position, number: int, base: str) -> str:
    """Return a link to the page that lets player `number`, from 0, play on from a position."""
    if isinstance(recording, Recording):
        blob = cut_game(recording, position.generated_ms)
    else:
        blob = cut_match(recording, position)
    return base + link(blob, number + 1)


def make_command(
    path: Path, recording: Recording | MatchRecording, position: Position, number: int, is_clone: bool = IS_CLONE
) -> str:
    """Return the command that lets player `number`, from 0, play on from a position, in any folder of this computer."""
    side = [] if isinstance(recording, Recording) else ["--side", str(number + 1)]
    words = ["--play", str(path.resolve()), "--at", str(position.at_ms), *side]
    place = f"cd {shlex.quote(str(ROOT))} && " if is_clone else ""
    return place + name_commands("python3 -m tools.setup sim " + " ".join(map(shlex.quote, words)), is_clone)
