"""Run an arena, or print its results and write its page."""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from importlib.util import find_spec
from typing import Any

from sim.terminal import Refusal, add_flag, add_number, add_path, note, path
from tools.markdown import lay_out
from tools.workers import Workers, add_jobs

COMMAND = "tools.bots arena"
PAUSED = 1
SUFFIX = ".db"

_PACKAGES = ("openskill", "psutil")
_FAULTS = 3  # in a row, after which a competitor pauses


def add_arena(commands: Any) -> None:
    """Add the command `arena`."""
    arena = commands.add_parser(
        "arena",
        help="let bots play matches without end, and rate them",
        description="Let the competitors of FILE play matches without end, and rate them. Results are in FILE's name "
        "with .db, recordings in a folder beside it; the same command goes on.",
        epilog="tools/bots/README.md describes FILE. Ctrl+C ends the arena. Exit code 1: fewer than two can play.",
    )
    arena.add_argument("file", type=path, metavar="FILE.toml", help="who competes, and the conditions")
    add_number(arena, "--games", 1, None, None, "end after this many matches")
    add_number(arena, "--minutes", 1, None, None, "begin no match after this time")
    add_flag(arena, "--results", "play nothing, print the results")
    words = "write a page with results and matches to play in the browser, for any web host; again after each match"
    add_path(arena, "--page", "FOLDER", words)
    add_jobs(arena)


class Arena:
    """Play the matches of a plan.

    standings: after all matches.  faults: each competitor's last matches in a row that it lost by a fault.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        """Open the results; raise Refusal."""
        from tools.bots.arena.competitors import read_plan
        from tools.bots.arena.results import Results
        from tools.bots.arena.standings import Standings

        self.options = options
        self.plan = read_plan(options.file)
        database = options.file.with_suffix(SUFFIX)
        if database == options.file:
            raise Refusal(f"{options.file}: results go to a file with {SUFFIX}; name this one otherwise")
        if options.results and not database.exists():
            raise Refusal(f"there are no results yet: no file {database}")
        self.results = Results(database)
        if not options.results:
            self.results.enrol(self.plan)
        self.rows = self.results.read()
        self.standings = Standings(self.rows)
        self.faults: Counter[str] = Counter()
        for name in self.plan.bots:
            self.standings.find(name)

    def list_active(self) -> list[str]:
        """Return who can play."""
        return [name for name in self.plan.bots if self.faults[name] < _FAULTS]

    def schedule(self) -> Iterator[Any]:
        """Yield matches to play."""
        from tools.bots.arena.play import Task

        games, minutes = self.options.games, self.options.minutes
        until_s = time.monotonic() + 60 * minutes if minutes else float("inf")
        begun = 0
        while len(self.list_active()) > 1 and (not games or begun < games) and time.monotonic() < until_s:
            begun += 1
            pairing = self.standings.choose(self.list_active())
            self.standings.begin(pairing)
            yield Task(pairing, (self.plan.bots[pairing.one], self.plan.bots[pairing.two]), self.plan.conditions)

    def keep(self, pairing: Any, outcome: Any) -> None:
        """Keep the result of a match, and report it."""
        from tools.bots.arena.results import Row

        one, two = outcome.tallies
        row = Row(
            number=self.rows[-1].number + 1 if self.rows else 1,
            ended=datetime.now().isoformat(" ", "seconds"),
            one=pairing.one,
            two=pairing.two,
            seed=pairing.seed,
            winner=outcome.winner,
            time_ms=max(one.time_ms, two.time_ms),
            pieces_one=one.pieces,
            sent_one=one.sent,
            fault_one=outcome.faults[0],
            pieces_two=two.pieces,
            sent_two=two.sent,
            fault_two=outcome.faults[1],
        )
        self.results.add(row, outcome.recording)
        self.rows.append(row)
        self.standings.add(row)
        how = ("beats", "loses to", "ties with")[row.winner]
        print(f"match {row.number}: {row.one} {how} {row.two}, seed {row.seed}, {row.time_ms / 1000:.0f} s", flush=True)
        failed = dict(row.list_faults())
        for name in (row.one, row.two):
            self.faults[name] = self.faults[name] + 1 if name in failed else 0
            if name in failed:
                how = "loses" if len(failed) == 1 else "fails in"
                note(COMMAND, f"{name} {how} match {row.number}: it {failed[name]}")
            if self.faults[name] == _FAULTS:
                note(COMMAND, f"{name} pauses until the next start, after {_FAULTS} faults in a row")

    def tabulate(self) -> str:
        """Return the standings as a table, and what the faults were."""
        heads = ["competitor", "rating", "mu", "sigma", "games", "wins", "lines sent a piece", "faults"]
        ranked = self.standings.rank()
        rows = [
            (
                standing.name if standing.name in self.plan.bots else f"{standing.name} (left)",
                f"{standing.least:.1f}",
                f"{standing.rating.mu:.1f}",
                f"{standing.rating.sigma:.1f}",
                str(standing.games),
                f"{standing.wins:g}",
                f"{standing.sent_a_piece:.3f}",
                str(standing.faults),
            )
            for standing in ranked
        ]
        faults = [f"{standing.name} lost {standing.last_fault}\n" for standing in ranked if standing.faults]
        return lay_out(heads, rows) + "".join(faults)

    def write_page(self) -> None:
        """Write the page, if one is wanted."""
        if self.options.page:
            from tools.bots.arena.page import write_page

            write_page(self.options.page, self.options.file.stem, self.standings, self.rows, self.results)

    def play(self) -> None:
        """Play until the end that the options set."""
        from tools.bots.arena.play import play

        with Workers(self.options.jobs, self.options.scheduler) as workers:
            for pairing, outcome in workers.stream(play, self.schedule()):
                self.keep(pairing, outcome)
                self.write_page()


def run(options: argparse.Namespace) -> int:
    """Carry out the command; return PAUSED if fewer than two competitors can play. Raise Refusal or OSError."""
    missing = [name for name in _PACKAGES if not find_spec(name)]
    if missing:
        raise Refusal(f"the arena needs {' and '.join(missing)}; pip install 'skyline-game[bots]'")
    arena = Arena(options)
    with arena.results:
        if options.page:
            from tools.bots.arena.page import write_handheld

            write_handheld(options.page)
        if not options.results:
            arena.plan.check()
            prepare(arena)
            try:
                arena.play()
            except (KeyboardInterrupt, SystemExit):
                note(COMMAND, f"ended after match {len(arena.rows)}; the same command goes on from there")
                raise
        arena.write_page()
        print(arena.tabulate(), end="")
        return 0 if options.results or len(arena.list_active()) > 1 else PAUSED


def prepare(arena: Arena) -> None:
    """Compile what our bots need once, not in every process."""
    from tools.bots.match import STRONG

    if any(bot.own == STRONG for bot in arena.plan.bots.values()) and not arena.options.scheduler:
        from tools.bots.strong.preparing import prepare

        prepare()
