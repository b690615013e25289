"""Write the result of a daily game as a line that its recording proves, or check such a line.

    python -m tools.daily line today.sky
    python -m tools.daily verify "SKYLINE DAILY 2026-11-22 34500 40 LINES 1A2B3C4D 5E6F7081" today.sky

A day's game has the date as its seed and the same rules for everyone (firmware/modes/README.md, 4). The line names
the day, the points, the lines, the check sum of the recording and its own; whoever has the recording plays it
again and sees whether all that is so. `python -m tools.export verify` is the same.
"""

from __future__ import annotations

import re
import sys
from binascii import crc32

from firmware.engine.options import FIELDS
from firmware.modes.catalogue import DAILY, make_mode
from firmware.modes.days import is_day, write_day
from firmware.save.match_recording import MatchRecording
from firmware.save.recording import Player, Recording
from firmware.save.settings_presets import HANDLING
from sim import terminal
from sim.cli import Refusal, read_recording

_LINE = re.compile(r"SKYLINE DAILY (\d{4}-\d\d-\d\d) (\d+) (\d+) LINES ([0-9A-F]{8}) ([0-9A-F]{8})")
_WHAT = ("day", "points", "lines", "check sum of the recording", "check sum of the line")
_STEP_MS = 1000


class Proof(Recording):
    """Read a recording that changes nothing but the handling on its way."""

    def change(self, number: int) -> None:
        """Give an option its new value, or refuse."""
        place = number >> 10
        if place < len(FIELDS) and FIELDS[place][0] not in HANDLING:
            raise ValueError(f"the recording changes {FIELDS[place][0]} on its way: that is no daily game")
        super().change(number)


def describe(blob: bytes) -> str:
    """Play a recorded daily game and return its line; raise ValueError with one line for any other game."""
    recording = Proof(blob)
    if recording.variant != DAILY:
        raise ValueError("the recording is not of a daily game")
    if not is_day(recording.seed):
        raise ValueError(f"the recording's seed {recording.seed} is not a day")
    if recording.options.garbage_rows:
        raise ValueError("the recording begins with Starting Blocks: that is no daily game")
    mode = make_mode(DAILY)
    game = recording.game(mode)
    player = Player(recording, game)
    time_ms = 0
    while not player.finished():
        time_ms += _STEP_MS
        player.advance(time_ms)
    if not game.over:
        raise ValueError("the recording ends before the game does")
    day = write_day(recording.seed).decode()
    return sign(f"SKYLINE DAILY {day} {mode.result(game)} {game.lines} LINES {crc32(blob):08X}")


def sign(line: str) -> str:
    """Return a line with its check sum behind it."""
    return f"{line} {crc32(line.encode()):08X}"


def verify(line: str, blob: bytes) -> str:
    """Return the line that is proved; raise ValueError with one line that says what is not so."""
    line = " ".join(line.split()).upper()
    said = _LINE.fullmatch(line)
    if not said:
        raise ValueError(
            "not the line of a daily game: SKYLINE DAILY day points lines LINES and two check sums"
        )
    if sign(line.rpartition(" ")[0]) != line:
        raise ValueError("the line is damaged: its check sum does not match")
    played = _LINE.fullmatch(describe(blob))
    assert played
    for what, word, found in zip(_WHAT, said.groups(), played.groups(), strict=True):
        if word != found:
            raise ValueError(f"not proved: the {what} is {word} in the line and {found} in the recording")
    return line


def main(arguments: list[str] | None = None) -> int:
    """Write or check a line; return 0, or 2 after one line on stderr that says what was wrong."""
    parser = terminal.Parser(
        prog="python -m tools.daily",
        description="Write the result of a daily game as a line that its recording proves, or check such a line.",
        epilog="A recording comes from `python -m sim --variant daily --record FILE`, or from the handheld.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="line | verify")
    one = commands.add_parser("line", help="play a recording and print its line")
    two = commands.add_parser("verify", help="play a recording and say whether it proves a line")
    two.add_argument("line", help="the line, in quotes")
    for command in (one, two):
        command.add_argument("recording", type=terminal.path, metavar="RECORDING", help="the recording, a .sky file")
    options = parser.parse_args(arguments)
    try:
        recording = read_recording(options.recording)
        if isinstance(recording, MatchRecording):
            raise Refusal(f"{options.recording} is the recording of a match")
        if options.command == "line":
            print(describe(recording.blob))
        else:
            print(f"proved: {verify(options.line, recording.blob)}")
    except (Refusal, ValueError) as problem:
        return parser.refuse(problem)
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
