"""Build the page on which the handheld plays in a browser, or build and serve it."""

from __future__ import annotations

import sys
from pathlib import Path

from sim import terminal
from tools.web import WebError, dist


def make_parser() -> terminal.Parser:
    """Return the parser of the command line."""
    parser = terminal.Parser(prog="python -m tools.web", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="make a folder of static files for any host")
    build.add_argument(
        "-o", "--output", type=terminal.path, default=dist.DEFAULT, metavar="FOLDER", help="default dist/"
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 2 when it could not be done, with one line on stderr."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        build(options.output)
    except WebError as problem:
        return parser.refuse(problem)
    return 0


def build(folder: Path) -> None:
    """Make the folder and say what a first visit downloads."""
    files = dist.build()
    dist.write(files, folder)
    sizes = dist.weigh(files)
    print(
        f"{folder}: {len(files)} files; a first visit downloads {sizes.total} bytes: {sizes.micropython} of MicroPython,"
        f" {sizes.firmware} of firmware, {sizes.own} of the page"
    )


if __name__ == "__main__":
    sys.exit(terminal.run(main))
