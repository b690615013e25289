"""Read the state of matches, and record them."""

from firmware.engine.controls import HARD_DROP
from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_recorder import MatchRecorder
from tests.support.arena import Arena
from tests.support.drill import choose

SEED = 99


class Table:
    """A match of persons that records every edge."""

    def __init__(self, players: int = 2, capacity: int = 4096, **options: int) -> None:
        chosen = choose(MatchOptions(), **{"players": players, "wins": 2} | options)
        choices = [Options() for _ in range(players)]
        choices[1].das_ms = 133
        self.match = Match(SEED, chosen, choices)
        self.recorder = Recorder(capacity)
        self.recorder.resize = lambda capacity: None  # type: ignore[method-assign]  # it keeps its room
        self.noted = MatchRecorder(self.recorder)
        self.noted.begin_match(self.match)

    def press(self, number: int, button: int, t_ms: int) -> None:
        for pressed in (1, 0):
            self.match.input(number, button, pressed, t_ms)
            if not self.match.over:
                self.noted.note_edge(number, button, pressed, t_ms)

    def play_round(self, loser: int) -> None:
        """Let a player drop everything in the middle until the round is over."""
        t_ms = 0
        while not self.match.over:
            t_ms += 300
            self.press(loser, HARD_DROP, t_ms)
        self.noted.stop(self.match.time_ms)

    def start_next_round(self) -> None:
        self.noted.note_round(self.match)
        self.match.begin_round(self.match.round + 1)


def standing(match: Match) -> list[object]:
    """Return the values that must be equal in two plays of a match."""
    seats = [
        (seat.out_ms, seat.sent, seat.received, seat.mark, [bytes(row) for row in seat.game.matrix.rows])
        for seat in match.seats
    ]
    return [match.round, match.time_ms, match.over, match.winner, bytes(match.wins), seats]


WELL = "#########.\n" * 4


def make_tetris(arena: Arena, number: int = 0) -> Arena:
    """Let a player lock a Tetris down now; return the arena."""
    arena.draw(number, WELL)
    arena.deal(number, "I")
    arena.tap(number, "cw", *["right"] * 4, "hard")
    return arena
