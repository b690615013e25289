"""Prove that a player can always clear a line: `python -m tools.clear_a_line --help`."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sim import terminal
from sim.ownership import output, to_file, write_clone
from sim.terminal import Refusal, add_fill, tell_install, writing
from tools import ROOT, markdown
from tools.clear_a_line import checker

if TYPE_CHECKING:
    from tools.clear_a_line.search import Solver

PAGE = ROOT / "tools" / "clear_a_line" / "README.md"
FIGURES = ("strategy", "python -m tools.clear_a_line check firmware/winning.bin --fill")
_MISSING = f"this needs numba and numpy; {tell_install('solve')}"


@contextmanager
def open_solver(rows: int, columns: int = 10, strict: bool = False, bits: int = 22) -> "Iterator[Solver]":
    """Yield a solver that shows its numbers of states on stderr; raise Refusal without its packages."""
    try:
        from tqdm import tqdm

        from tools.clear_a_line.search import Solver
    except ImportError:
        raise Refusal(_MISSING) from None
    title = f"{columns} columns, {rows} rows"
    with tqdm(desc=title, unit=" states", unit_scale=True, leave=False, disable=None) as bar:

        def tick(entered: int, stored: int) -> None:
            bar.n = entered
            bar.set_postfix_str(f"{stored / 1e6:.1f} M kept", refresh=False)
            bar.refresh()

        yield Solver(rows, columns, strict, tick=tick, bits=bits)


def prove(columns: int, rows: int | None, strict: bool) -> None:
    """Print the fewest rows and pieces that are enough."""
    for height in [rows] if rows else range(1, 7):
        with open_solver(height, columns, strict) as solver:
            pieces = solver.fewest()
        where = f"{columns} columns, {height} row{'s' if height > 1 else ''}"
        if pieces is None:
            print(f"{where}: the player can be kept from a full row for ever", flush=True)
            continue
        print(f"{where}: {pieces} pieces are enough to fill a row, whatever comes; fewer are not", flush=True)
        return


def write_fastest(path: Path, strict: bool) -> None:
    with open_solver(6, strict=strict, bits=24) as solver:
        from tools.clear_a_line import strategy

        pieces = solver.fewest()
        assert pieces
        moves = strategy.explore(solver, pieces)
    lines = strategy.merge(moves, solver.root)
    with writing(path), output(path, checker.is_strategy) as file:
        file.write(strategy.write(lines).encode())
    print(f"{path}: {len(lines)} states ({len(moves)} before merging), at most {pieces} pieces")


def write_small(path: Path | None) -> None:
    if not path:
        terminal.check_clone("small without --output")
    with open_solver(6) as solver:
        from tools.clear_a_line import small

        states = small.build(solver)
    if not states:
        raise Refusal("no strategy was found by this recipe")
    left = small.count_left(states, solver)
    blob = small.encode(states, left, solver)
    if path:
        with writing(path), output(path, checker.is_strategy) as file:
            file.write(blob)
    else:
        write_clone(small.TARGET, blob)
    print(f"{path or small.TARGET}: {len(states)} states, {len(blob)} bytes, at most {left[0]} pieces")


def describe_replay(replay: checker.Replay, count: checker.Count) -> str:
    return (
        f"{len(replay.states)} states, {count.sequences:,} sequences of at most {count.longest} pieces;"
        f" {count.above_five:,} of them fill none of the bottom five rows"
    )


def check(path: Path, fill_page: bool) -> None:
    """Replay every sequence of a strategy in either format; `fill_page` puts the figures into the README."""
    blob = terminal.read_or_refuse(path)
    try:
        if b"\0" in blob:
            replay = checker.Replay(checker.read_small(blob), eager=True)
        else:
            replay = checker.Replay(checker.read(terminal.decode(blob)))
        count = replay.play()
    except (ValueError, IndexError):
        raise Refusal(f"{path}: not a strategy") from None
    except checker.Refused as problem:
        raise Refusal(f"{path}: {problem}") from None
    figures = describe_replay(replay, count)
    print(f"{path}: {figures}")
    if fill_page:
        markdown.fill_page(PAGE, *FIGURES, f"\n{figures}\n\n")


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.clear_a_line", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("prove", help="find the smallest number of rows and pieces that is always enough")
    one.add_argument("--columns", type=terminal.number_within(0), default=10, choices=(4, 6, 8, 10))
    one.add_argument("--rows", type=terminal.number_within(1, 6), help="check this number of rows only, 1 to 6")
    one.add_argument("--strict", action="store_true", help="do not allow a piece whose lowest cell is in the top row")
    one = commands.add_parser("fastest", help="write the fastest strategy in the text format")
    one.add_argument("output", type=to_file(ours=checker.is_strategy))
    one.add_argument("--strict", action="store_true")
    one = commands.add_parser("small", help="write the handheld's strategy, firmware/winning.bin (takes minutes)")
    one.add_argument("--output", type=to_file(ours=checker.is_strategy))
    one = commands.add_parser("check", help="replay every sequence against a strategy in either format")
    one.add_argument("file", type=terminal.path)
    add_fill(one, "put the figures into tools/clear_a_line/README.md")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    try:
        if options.command == "prove":
            prove(options.columns, options.rows, options.strict)
        elif options.command == "fastest":
            write_fastest(options.output, options.strict)
        elif options.command == "small":
            write_small(options.output)
        else:
            check(options.file, options.fill)
    except MemoryError as problem:
        raise Refusal(str(problem) or "not enough memory") from None


if __name__ == "__main__":
    sys.exit(terminal.run(main))
