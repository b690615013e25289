"""Print how long a player waits for the deployed game, on each CircuitPython that is here."""

import argparse
import sys
from pathlib import Path

from sim import terminal
from sim.terminal import add_fill, add_path
from tools.board import BoardError
from tools.markdown import show
from tools.measure.waits import NAMES

PAGE = Path(__file__).parents[3] / "firmware" / "device" / "README.md"
FIGURES = ("waits", "python -m tools.measure.waits --fill")


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.measure.waits", description=__doc__)
    words = f"what to measure: {', '.join(NAMES)} (default: all, which takes minutes)"
    parser.add_argument("case", nargs="*", metavar="CASE", help=words)
    add_path(parser, "--uf2", "FILE", "only this CircuitPython (default: SKYLINE_UF2 and all in the cache)")
    add_fill(parser, "measure all cases, and put the table into firmware/device/README.md, too")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    from tools.board import firmware_image
    from tools.measure.waits import cases

    unknown = [name for name in options.case if name not in NAMES]
    if unknown:
        raise terminal.Refusal(terminal.tell_unknown(unknown[0], NAMES, "case"))
    versions = firmware_image.choose(options.uf2)
    names = list(NAMES) if options.fill else options.case or list(NAMES)
    try:
        table = cases.tabulate(cases.measure(names, versions), list(versions))
    except BoardError as problem:
        raise terminal.Refusal(str(problem).splitlines()[0]) from None
    show(table, PAGE, *FIGURES, options.fill)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
