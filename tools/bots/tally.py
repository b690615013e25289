"""Count one player's results in games and matches."""

from __future__ import annotations

from dataclasses import dataclass, fields
from statistics import mean, stdev

from firmware.engine.game import Game


@dataclass
class Tally:
    """One player's counts from one or more games."""

    games: int = 0
    wins: float = 0
    out: int = 0
    pieces: int = 0
    sent: int = 0
    time_ms: int = 0
    tetrises: int = 0
    t_spins: int = 0

    def add(self, other: Tally) -> None:
        for field in fields(Tally):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    @property
    def sent_a_piece(self) -> float:
        return self.sent / max(1, self.pieces)

    @property
    def pieces_a_second(self) -> float:
        return 1000 * self.pieces / max(1, self.time_ms)


def count_game(game: Game) -> Tally:
    kinds = game.statistics.kinds
    return Tally(games=1, pieces=game.lock_downs, time_ms=game.time_ms, tetrises=kinds[4], t_spins=sum(kinds[11:15]))


def average(values: list[float]) -> tuple[float, float]:
    """Return the mean of the results of several games, and its standard error, 0 for one game."""
    return mean(values), stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def find_interval(won: float, matches: int, deviations: float = 1.96) -> tuple[float, float]:
    """Return the interval of a share in percent, by Wilson's score: of 95 %, or by so many deviations."""
    square = deviations**2
    middle = (won + square / 2) / (matches + square)
    half = deviations / (matches + square) * (won * (matches - won) / matches + square / 4) ** 0.5
    return 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)
