"""Cut the power of the emulated firmware in every operation of its flash, and print what is lost."""

import argparse
import functools
import sys
from pathlib import Path

from sim import terminal
from sim.terminal import add_fill, add_number, add_path
from tools.markdown import read_rows, show
from tools.workers import MOST_JOBS, Workers, count_jobs

PAGE = Path(__file__).parents[2] / "board" / "README.md"
FIGURES = ("cuts", "python -m tools.measure.cuts --fill")
FIGURES_OF_GAMES = ("rewriting", "python -m tools.measure.cuts --fill")
CUTS = 300


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.measure.cuts", description=__doc__)
    add_path(parser, "--uf2", "FILE", "CircuitPython to run (default: SKYLINE_UF2, then the cache)")
    add_number(parser, "--cuts", 1, None, CUTS, "cuts of each kind; on the drive at least three in each operation")
    words = "only kinds whose names have this word, such as GAME"
    parser.add_argument("--kind", default="", metavar="WORD", help=words)
    add_number(parser, "--rewritings", 0, None, 4, "play solo games until the journal was rewritten so often")
    add_number(parser, "--jobs", 1, MOST_JOBS, count_jobs(), "number of processes (default: one for each core)")
    add_fill(parser, "put the tables into tools/board/README.md, too; rows of kinds not cut stay")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    from tools.board import firmware_image
    from tools.board.drive import deploy_files
    from tools.measure.cuts import cutting, kinds, playing

    uf2, files = firmware_image.find(options.uf2), deploy_files()
    chosen = [name for name in kinds.NAMES if options.kind in name]
    if not chosen:
        raise terminal.Refusal(f"--kind: {terminal.tell_unknown(options.kind, kinds.NAMES, 'kind')}")
    with Workers(options.jobs) as workers:
        work = functools.partial(cutting.cut, uf2=uf2, files=files, most=options.cuts)
        rows = {row[0]: row for row in (read_rows(PAGE, *FIGURES) if options.fill else [])}
        for result in workers.each(work, chosen, "kind"):
            rows[result.name] = result.cells
            terminal.note("tools.measure.cuts", ", ".join(result.cells))  # a row takes minutes
    show(cutting.tabulate(rows[name] for name in kinds.NAMES if name in rows), PAGE, *FIGURES, options.fill)
    if options.rewritings:
        print()
        games = playing.tabulate(playing.play(uf2, files, options.rewritings))
        show(games, PAGE, *FIGURES_OF_GAMES, options.fill)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
