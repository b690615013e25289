"""Let the bots of an arena play, one match after the other."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

from sim.terminal import note
from tools.bots.arena import COMMAND
from tools.bots.arena.competitors import Plan
from tools.bots.arena.play import Task, play
from tools.bots.arena.results import Results, Row
from tools.bots.arena.standings import Pairing, Standings
from tools.bots.match import Outcome
from tools.markdown import lay_out
from tools.workers import Workers

_FAULTS = 3  # in a row, after which a bot pauses


class Arena:
    """Play the matches of a plan.

    rows: all matches.  standings: after them.  faults: the last matches in a row that each bot lost by a fault.
    """

    def __init__(self, plan: Plan, results: Results) -> None:
        self.plan = plan
        self.results = results
        self.rows = results.read()
        self.standings = Standings(self.rows)
        self.faults: Counter[str] = Counter()
        for name in plan.bots:
            self.standings.find(name)

    def list_active(self) -> list[str]:
        """Return who can play."""
        return [name for name in self.plan.bots if self.faults[name] < _FAULTS]

    def play(self, workers: Workers, games: int | None, minutes: int | None, look: Callable[[], None]) -> None:
        """Play for so many matches or minutes, or until fewer than two can; call `look` after each match."""
        until_s = time.monotonic() + 60 * minutes if minutes else float("inf")

        def schedule() -> Iterator[Task]:
            begun = 0
            while len(self.list_active()) > 1 and (not games or begun < games) and time.monotonic() < until_s:
                begun += 1
                pairing = self.standings.choose(self.list_active())
                self.standings.begin(pairing)
                bots = self.plan.bots
                yield Task(pairing, (bots[pairing.one], bots[pairing.two]), self.plan.conditions)

        for pairing, outcome in workers.stream(play, schedule()):
            self.keep(pairing, outcome)
            look()

    def keep(self, pairing: Pairing, outcome: Outcome) -> None:
        """Keep the result of a match, and report it."""
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
        """Return the standings as a table, and the last fault of each bot."""
        heads = ["bot", "rating", "mu", "sigma", "games", "wins", "lines sent a piece", "faults"]
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
        faults = [f"{standing.name}, {standing.last_fault}\n" for standing in ranked if standing.faults]
        return lay_out(heads, rows) + "".join(faults)
