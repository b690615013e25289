"""Run an arena from the command line, or print its results and write its page."""

import argparse
from importlib.util import find_spec
from typing import Any

from sim.ownership import to_folder
from sim.terminal import Refusal, add_flag, add_number, note, path, tell_install
from tools.bots.arena import COMMAND
from tools.workers import Workers, add_jobs

SUFFIX = ".db"
PAUSED = 1

_PACKAGES = ("openskill", "psutil")


def add_arena(commands: Any) -> None:
    arena = commands.add_parser(
        "arena",
        help="let bots play matches without end, and rate them",
        description=f"Let the bots of FILE play matches without end, and rate them. FILE{SUFFIX} keeps the results, a "
        "folder beside it the recordings. The same command goes on.",
        epilog="tools/bots/README.md describes FILE. Ctrl+C ends the arena. Exit code 1: fewer than two can play.",
    )
    arena.add_argument("file", type=path, metavar="FILE.toml", help="who competes, and the conditions")
    add_number(arena, "--games", 1, None, None, "end after this many matches")
    add_number(arena, "--minutes", 1, None, None, "begin no match after this time")
    add_flag(arena, "--results", "play nothing, print the results")
    words = "write a page for any web host, again after each match; its matches play in the browser"
    arena.add_argument("--page", type=to_folder(), metavar="FOLDER", help=words)
    add_jobs(arena)


def run(options: argparse.Namespace) -> int:
    """Carry out the command; return PAUSED if fewer than two can play. Raise Refusal or OSError."""
    missing = [name for name in _PACKAGES if not find_spec(name)]
    if missing:
        raise Refusal(f"the arena needs {' and '.join(missing)}; {tell_install('bots')}")
    from tools.bots.arena.competitors import read_plan
    from tools.bots.arena.page import write_handheld, write_page
    from tools.bots.arena.results import Results
    from tools.bots.arena.running import Arena

    plan = read_plan(options.file)
    database = options.file.with_suffix(SUFFIX)
    if database == options.file:
        raise Refusal(f"{options.file}: this is where the results go; name the file of the bots otherwise")
    if options.results and not database.exists():
        raise Refusal(f"there are no results yet: no file {database}")
    with Results(database) as results:
        arena = Arena(plan, results)
        if options.page:
            write_handheld(options.page)

        def show() -> None:
            if options.page:
                write_page(options.page, options.file.stem, arena.standings, arena.rows, results)

        show()
        if not options.results:
            results.enrol(plan)
            plan.prepare(bool(options.scheduler))
            try:
                with Workers(options.jobs, options.scheduler) as workers:
                    arena.play(workers, options.games, options.minutes, show)
            except (KeyboardInterrupt, SystemExit):
                note(COMMAND, f"ended after match {len(arena.rows)}; the same command goes on from there")
                raise
        print(arena.tabulate(), end="")
        return 0 if options.results or len(arena.list_active()) > 1 else PAUSED
