"""Make and check the circuit board and the case of the handheld."""

import argparse
import importlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sim import terminal
from sim.ownership import check_folder, to_folder, write_clone, write_folder
from sim.terminal import tell_install
from tools import ROOT, markdown
from tools.hardware import HardwareError, assembly, board_files, checks, circuit_board, kicad

README = ROOT / "tools/hardware/README.md"


def make_parser() -> terminal.Parser:
    parser = terminal.Parser(
        prog="python -m tools.hardware",
        description=f"{__doc__} It needs KiCad 6 with its Python module: apt-get install kicad.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser(
        "build", help="write all files", description="Write all files of the board and the case."
    )
    check = commands.add_parser(
        "check", help="check all files", description="Check the files of the board and the case."
    )
    to_ours = to_folder(board_files.MARKER)
    for each, words, kind in ((build, "folder to write", to_ours), (check, "folder to check", terminal.path)):
        each.add_argument(
            "--folder",
            type=kind,
            default=board_files.FOLDER,
            metavar="DIR",
            help=f"{words} (default: tools/hardware/files)",
        )
    return parser


def main(arguments: list[str] | None = None) -> int:
    return make_parser().run(run, arguments)


def run(options: argparse.Namespace) -> int:
    if options.command == "check":
        return check(options.folder)
    build(options.folder)
    return 0


def load(name: str) -> Any:
    """Return a module of the case; raise HardwareError when a package is missing."""
    try:
        return importlib.import_module(f"tools.hardware.{name}")
    except ModuleNotFoundError as problem:
        raise HardwareError(f"{problem.name} is missing: {tell_install('hardware')}") from None


def check_case(folder: Path) -> None:
    case, module = load("case"), load("case_checks")
    figures = case.Figures()
    module.check_prints(module.read_prints(folder, figures), figures)
    module.check_sandwich(figures)
    with tempfile.TemporaryDirectory() as fresh:
        refuse_changes(board_files.list_changed(folder, case.build(Path(fresh))))


def build(folder: Path) -> None:
    case = load("case")
    check_folder(folder, board_files.MARKER)
    with tempfile.TemporaryDirectory() as fresh:
        paths = board_files.build(Path(fresh)) + case.build(Path(fresh))
        files = {path.name: path.read_bytes() for path in paths}
    write_folder(folder, files, board_files.MARKER)
    if folder == board_files.FOLDER:
        write_clone(README, fill_guide().encode())
    for name, content in files.items():
        print(f"{len(content):9} {folder / name}")


def check(folder: Path) -> int:
    """Run all checks and print one line each; return 1 when one fails."""
    kicad.load()
    board = kicad.read_board(folder / circuit_board.NAME)
    jobs: dict[str, Callable[[], object]] = {
        "each pin has one key": checks.check_pins,
        "design rules of KiCad": lambda: checks.check_rules(board),
        "each pin reaches its pad": lambda: checks.check_wiring(board),
        "widths, clearances, drills": lambda: checks.check_sizes(board),
        "holes fit leads": lambda: checks.check_holes(board),
        "all on the board": lambda: checks.check_edge(board),
        "bodies keep apart": lambda: checks.check_bodies(board),
        "thumbs reach the buttons": checks.check_reach,
        "files are what the code makes": lambda: check_files(folder),
        "the case": lambda: check_case(folder),
    }
    failed = 0
    for name, job in jobs.items():
        try:
            job()
            print(f"ok      {name}")
        except HardwareError as problem:
            failed = 1
            print(f"WRONG   {name}: {problem}")
    return failed


def fill_guide() -> str:
    """Return the text of the README with its sizes and the steps of soldering."""
    command, case = "python -m tools.hardware build", load("case")
    sizes = "".join(f"| {name} | {size} |\n" for name, size in case.list_sizes(case.Figures()).items())
    text = markdown.fill_file(README, "sizes", command, f"| what | size |\n|---|---|\n{sizes}")
    return markdown.fill(text, "assembly", command, f"\n{assembly.list_steps('files')}\n")


def check_files(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as fresh:
        refuse_changes(board_files.list_changed(folder, board_files.build(Path(fresh))))


def refuse_changes(changed: list[str]) -> None:
    """Raise HardwareError when files have changed."""
    if changed:
        raise HardwareError(f"{', '.join(changed)} differ from what the code makes: python -m tools.hardware build")


if __name__ == "__main__":
    sys.exit(terminal.run(main))
