"""Write the result of a daily game as a line that its recording proves, or check a line.

    python -m tools.daily line today.sky
    python -m tools.daily verify "SKYLINE DAILY 2026-11-22 34500 40 LINES 1A2B3C4D 5E6F7081" today.sky

A day's game has the date as its seed and the same rules for everyone (firmware/modes/README.md, 4). The line names the
day, the points, the lines, the checksum of the recording and that of the line. Anybody with the recording can replay it
to check the line. `python -m tools.export verify` does the same. The page can write the line, too.
"""

import argparse
import re
import sys

from firmware.save.recordings.match_recording import MatchRecording
from sim import terminal
from sim.daily import describe, sign
from sim.game_files import read_recording
from sim.terminal import Refusal, add_path

_LINE = re.compile(r"SKYLINE DAILY (\d{4}-\d\d-\d\d) (\d+) (\d+) LINES ([0-9A-F]{8}) ([0-9A-F]{8})")
_FIELDS = ("day", "points", "lines", "check sum of the recording", "check sum of the line")


def verify(line: str, blob: bytes) -> str:
    """Return the line if the recording proves it; raise ValueError with one line that names the mismatch."""
    line = " ".join(line.split()).upper()
    claimed = _LINE.fullmatch(line)
    if not claimed:
        raise ValueError("not the line of a daily game: SKYLINE DAILY day points lines LINES and two check sums")
    if sign(line.rpartition(" ")[0]) != line:
        raise ValueError("the line is damaged: its check sum does not match")
    replayed = _LINE.fullmatch(describe(blob))
    assert replayed
    for name, claim, result in zip(_FIELDS, claimed.groups(), replayed.groups(), strict=True):
        if claim != result:
            raise ValueError(f"not proved: the {name} is {claim} in the line and {result} in the recording")
    return line


def main(arguments: list[str] | None = None) -> int:
    """Write or check a line; return 0, or 2 after one line on stderr that says what was wrong."""
    parser = terminal.Parser(
        prog="python -m tools.daily",
        description="Write the result of a daily game as a line that its recording proves, or check such a line.",
        epilog="A recording comes from `python -m sim --variant daily --record FILE`, or from the handheld.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="line | verify")
    line_parser = commands.add_parser("line", help="replay a recording and print its line")
    verify_parser = commands.add_parser("verify", help="replay a recording and check that it proves a line")
    verify_parser.add_argument("line", help="the line to check, in quotes")
    for command in (line_parser, verify_parser):
        add_path(command, "recording", "RECORDING", "the recording, a .sky file")
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
