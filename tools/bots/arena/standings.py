"""Rate the competitors of an arena from its matches, and choose who plays next."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any, NamedTuple

from openskill.models import BradleyTerryFull

from tools.bots.arena.results import Row
from tools.bots.tally import Tally, find_interval

# A pair is decided, and rests, when the interval of 99 % of its wins lies beyond this share: after 20:0.
_DECIDED, _DEVIATIONS = 75.0, 2.576
_SIGMAS = 3  # a rating counts as high as it is almost certainly


class Pairing(NamedTuple):
    """A match to play: who has the first seat and who the second, and the seed."""

    one: str
    two: str
    seed: int


@dataclass(kw_only=True)
class Standing(Tally):
    """The sums of a competitor's matches, and its rating by openskill."""

    name: str
    rating: Any
    faults: int = 0
    last_fault: str = ""

    @property
    def least(self) -> float:
        """The rating that it almost certainly has."""
        return float(self.rating.ordinal(_SIGMAS))


class Standings:
    """The standings after the matches so far.

    of: by name.  wins: of the first over the second, by both names.  Bots do not learn, so a rating's uncertainty only
    shrinks (tau is 0).
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._model = BradleyTerryFull(tau=0.0)
        self.of: dict[str, Standing] = {}
        self.wins: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._seeds: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        for row in rows:
            self.add(row)

    def find(self, name: str) -> Standing:
        """Return the standing of a competitor, which may be new."""
        if name not in self.of:
            self.of[name] = Standing(name=name, rating=self._model.rating())
        return self.of[name]

    def add(self, row: Row) -> None:
        both = self.find(row.one), self.find(row.two)
        ranks: list[float] = [1, 1] if row.winner < 0 else [row.winner + 1, 2 - row.winner]
        rated = self._model.rate([[each.rating] for each in both], ranks=ranks)
        sides = ((row.pieces_one, row.sent_one, row.fault_one), (row.pieces_two, row.sent_two, row.fault_two))
        for number, (standing, (pieces, sent, fault)) in enumerate(zip(both, sides, strict=True)):
            won = 0.5 if row.winner < 0 else float(row.winner == number)
            standing.rating = rated[number][0]
            standing.add(Tally(games=1, wins=won, pieces=pieces, sent=sent))
            self.wins[standing.name, both[1 - number].name] += won
            if fault:
                standing.faults += 1
                standing.last_fault = f"match {row.number}: it {fault}"
        self.begin(Pairing(row.one, row.two, row.seed))

    def begin(self, pairing: Pairing) -> None:
        """Note a match that is played, or was."""
        self._seeds[pairing.one, pairing.two].add(pairing.seed)

    def count_games(self, one: str, two: str) -> int:
        """Return how often two have met, matches in play included."""
        return len(self._seeds[one, two]) + len(self._seeds[two, one])

    def is_decided(self, one: str, two: str) -> bool:
        """Return whether a pair's better one is known beyond doubt."""
        games = self.wins[one, two] + self.wins[two, one]
        most = max(self.wins[one, two], self.wins[two, one])
        return games > 0 and find_interval(most, int(games), _DEVIATIONS)[0] >= _DECIDED

    def rank(self) -> list[Standing]:
        return sorted(self.of.values(), key=lambda standing: (-standing.least, standing.name))

    def choose(self, names: Sequence[str]) -> Pairing:
        """Return the next match of two of these.

        Two play each seed twice and change seats. First comes a pair with such a match left. Decided pairs rest while
        others are left. Of these comes the one with the greatest uncertainty: the sum of its variances, divided by one
        more than the seeds that it has played.
        """

        def weigh(pair: tuple[str, str]) -> tuple[bool, bool, float]:
            variance = sum(self.find(name).rating.sigma ** 2 for name in pair)
            games = self.count_games(*pair)
            return games % 2 == 1, not self.is_decided(*pair), variance / (1 + games // 2)

        one, two = max(combinations(names, 2), key=weigh)
        seats = min((one, two), (two, one), key=lambda each: len(self._seeds[each]))
        seed = next(number for number in count(1) if number not in self._seeds[seats])
        return Pairing(*seats, seed)
