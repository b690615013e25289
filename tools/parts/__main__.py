"""Make parts of the firmware that other CircuitPython projects can use alone.

    python -m tools.parts build build/parts

Each part is a folder: a package of today's sources, the same compiled, a page, an example, a licence.
"""

import argparse
import sys
from pathlib import Path

from sim import terminal
from sim.ownership import check_folder, to_folder, write_folder
from tools.parts.packages import PARTS, make

MARKER = ".skyline-parts"  # lists the files that we wrote into a folder


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return 0, or 2 after one line on stderr."""
    words = "Make parts of the firmware that other CircuitPython projects can use alone."
    parser = terminal.Parser(prog="python -m tools.parts", description=words)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser("build", help="write the folder of each part", needs_clone=True)
    words = "folder to write (default: build/parts)"
    usual = Path("build/parts")
    command.add_argument("folder", nargs="?", type=to_folder(MARKER), default=usual, metavar="OUT", help=words)
    command.add_argument("--repository", default="", metavar="URL", help="where the sources are, for __repo__")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    folder: Path = options.folder
    check_folder(folder, MARKER)
    files = {f"{part}/{name}": content for part in PARTS for name, content in make(part, options.repository).items()}
    write_folder(folder, files, MARKER)
    print(f"{folder}: {len(files)} files of {', '.join(PARTS)}")


if __name__ == "__main__":
    sys.exit(terminal.run(main))
