"""Write the result of a daily game as a line that its recording proves, or check such a line.

    python -m tools.daily line today.sky
    python -m tools.daily verify "SKYLINE DAILY 2026-11-22 34500 40 LINES 1A2B3C4D 5E6F7081" today.sky

A day's game has the date as its seed and the same rules for everyone (firmware/modes/README.md, 4). The line names the
day, the points, the lines, the check sum of the recording and its own. Anybody with the recording can play it again and
check the line. `python -m tools.export verify` is the same. The page writes it, too.
"""

import argparse
import re
import sys

from firmware.save.recordings.match_recording import MatchRecording
from sim import terminal
from sim.cli import read_recording
from sim.daily import describe, sign
from sim.terminal import Refusal

_LINE = re.compile(r"SKYLINE DAILY (\d{4}-\d\d-\d\d) (\d+) (\d+) LINES ([0-9A-F]{8}) ([0-9A-F]{8})")
_WHAT = ("day", "points", "lines", "check sum of the recording", "check sum of the line")


def verify(line: str, blob: bytes) -> str:
    """Return the line that is proved; raise ValueError with one line that says what is not so."""
    line = " ".join(line.split()).upper()
    said = _LINE.fullmatch(line)
    if not said:
        raise ValueError("not the line of a daily game: SKYLINE DAILY day points lines LINES and two check sums")
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
        description=(
            "Write the result of a daily game as a line of text that its recording proves, or check such a line."
        ),
        epilog="A recording comes from `python -m sim --variant daily --record FILE`, or from the handheld.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="line | verify")
    one = commands.add_parser("line", help="replay a recording and print its line")
    two = commands.add_parser("verify", help="replay a recording and check that it proves a line")
    two.add_argument("line", help="replay a recording and print its line")
    for command in (one, two):
        command.add_argument("recording", type=terminal.path, metavar="RECORDING", help="the recording, a .sky file")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    """Write or check a line; raise Refusal."""
    recording = read_recording(options.recording)
    if isinstance(recording, MatchRecording):
        raise Refusal(f"{options.recording} is the recording of a match")
    try:
        if options.command == "line":
            print(describe(recording.blob))
        else:
            print(f"proved: {verify(options.line, recording.blob)}")
    except ValueError as problem:
        raise Refusal(str(problem)) from None


if __name__ == "__main__":
    sys.exit(terminal.run(main))
