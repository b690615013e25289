"""Print how much of the heap matches leave on the emulated firmware, for each version of CircuitPython that is here."""

import argparse
import sys
from pathlib import Path

from sim import terminal
from sim.terminal import add_fill, add_number, add_path
from tools.board import BoardError
from tools.markdown import read_rows, show
from tools.measure.room import sets

PAGE = Path(__file__).parents[2] / "board" / "README.md"
FIGURES = ("room", "python -m tools.measure.room table --fill")


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.measure.room", description=__doc__)
    words = "table: sets of options by moments of a match; pauses: one match of the fattest choices, paused again and "
    words += "again; fattest: find the choices that leave least, in some 150 starts of a match"
    parser.add_argument("what", choices=["table", "pauses", "fattest"], help=words)
    add_path(parser, "--uf2", "FILE", "only this CircuitPython (default: SKYLINE_UF2 and all in the cache)")
    words = f"only these sets in the table: {', '.join(sets.NAMES)}"
    parser.add_argument("--options", nargs="+", choices=sets.NAMES, default=sets.NAMES, metavar="SET", help=words)
    add_number(parser, "--pauses", 1, None, sets.PAUSES, "how often to pause")
    words = f"seconds from one pause to the next (default {sets.PAUSE_EVERY_S:g})"
    parser.add_argument("--every", type=terminal.seconds_from(0), metavar="S", default=sets.PAUSE_EVERY_S, help=words)
    add_fill(parser, "put the table into tools/board/README.md, too; rows not measured stay")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    from tools.board import firmware_image
    from tools.measure.room import fattest, matches

    versions = firmware_image.choose(options.uf2)
    if options.what == "table":
        old = read_rows(PAGE, *FIGURES) if options.fill else []
        rows = {(row[0], row[1]): row for row in old if row[1] in sets.NAMES}
        for room in matches.measure(options.options, versions):
            terminal.note("tools.measure.room", ", ".join(room.cells))  # a row takes minutes
            rows[room.version, room.options] = room.cells
        order = sorted(rows, key=lambda row: ([*map(int, row[0].split("."))], sets.NAMES.index(row[1])))
        table = matches.tabulate(rows[row] for row in order)
        show(table, PAGE, *FIGURES, options.fill)
    elif options.what == "fattest":
        print(fattest.find(list(versions.values())[-1]), end="")
    else:
        for version, uf2 in versions.items():
            print_pauses(version, uf2, options.pauses, options.every)


def print_pauses(version: str, uf2: Path, pauses: int, every_s: float) -> None:
    from tools.measure.room import matches

    print(f"CircuitPython {version}, --set {' --set '.join(map(repr, sets.FATTEST))}")
    try:
        for number, (time_s, free, block) in enumerate(matches.watch_pauses(uf2, pauses, every_s), 1):
            print(f"pause {number:2} at {time_s:7.2f} s  {free:6,} free, largest block {block:6,}", flush=True)
    except BoardError as problem:
        print(problem)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
