"""Put beginners' faults into games of computer players, and count those that a review shows.

Each fault is in a game of its own. `python -m tools.review measure` prints the sums.
"""

from collections.abc import Callable
from typing import NamedTuple

from firmware.engine.controls import LEFT, RIGHT
from firmware.players.levels import BEST
from firmware.save.recordings.recording import Recording
from sim.bots.host import Host
from sim.bots.places import Places
from sim.bots.process import Partner
from sim.bots.protocol import Message, Move
from tools.bots.bot_server import InProcessBot
from tools.bots.level_bot import LEVEL_NAMES, LevelBot
from tools.bots.strong.columns import T
from tools.review.judging import Judge, Setup
from tools.review.positions import read_game
from tools.review.reasons import Outcome, find_well
from tools.review.report import Side
from tools.workers import Workers

LEVEL = BEST  # misses T-Spins, which cost more than a hole
GAMES = 5  # of each fault
PIECES = 80

_FIRST = 20  # the earliest fault
_WIGGLES = 8

Choice = tuple[Outcome, Move]
Choose = Callable[[Outcome, list[Choice], Move], "Move | None"]


def make_hole(before: Outcome, choices: list[Choice], _best: Move) -> Move | None:
    """Choose a place on the ground that closes one or two holes, away from the well."""
    fit = [
        (sum(after.heights), move)
        for after, move in choices
        if 1 <= len(after.holes - before.holes) <= 2 and not after.lines and find_well(after.heights) >= 0
    ]
    return min(fit)[1] if fit else None


def cover_well(before: Outcome, choices: list[Choice], _best: Move) -> Move | None:
    well = find_well(before.heights)
    fit = [move for after, move in choices if well >= 0 and any(x == well for x, _ in after.holes - before.holes)]
    return fit[0] if fit else None


def give_slot_away(before: Outcome, choices: list[Choice], best: Move) -> Move | None:
    """Choose a flat place for a T that could make a T-Spin Double."""
    if best.piece != T or best.spin != 2 or Outcome(before.rows, best).lines < 2:
        return None
    fit = [(len(after.holes), sum(after.heights), move) for after, move in choices if not move.spin and not after.lines]
    return min(fit)[2] if fit else None


def build_tower(before: Outcome, choices: list[Choice], _best: Move) -> Move | None:
    """Choose the highest place without a new hole."""
    fit = [(max(after.heights), move) for after, move in choices if not after.holes - before.holes and not after.lines]
    tall, move = max(fit, default=(0, None))
    return move if tall >= max(before.heights) + 3 else None


FAULTS: dict[str, Choose | None] = {
    "hole": make_hole,
    "well": cover_well,
    "t_slot": give_slot_away,
    "height": build_tower,
    "keys": None,
}


def falls_straight(before: Outcome, move: Move) -> bool:
    """Return whether nothing is above a place; else its presses would not count."""
    return all(y >= before.heights[x] for x, y in move.cells())


class FaultyHost(Host):
    """Host a bot, and play one fault instead of its move; at: the number of that piece, 0 until it is played."""

    def __init__(self, kind: str, bot: Partner, seed: int) -> None:
        super().__init__(bot, seed)
        self.choose = FAULTS[kind]
        self.at = 0

    def ask(self) -> tuple[Move, Message]:
        best, said = super().ask()
        game = self.game
        if self.at or game.lock_downs + 1 < _FIRST:
            return best, said
        move: Move | None = best
        before = Outcome(tuple(bytes(row) for row in game.matrix.rows))
        if self.choose:
            mine = best if best.piece == game.piece else Move(game.piece, 0, 0, 0, 0)  # by Hold: nothing to spoil
            moves = [Move(game.piece, *place[:4]) for place in Places(game)]
            move = self.choose(before, [(Outcome(before.rows, one), one) for one in moves], mine)
        if not move or not (self.choose or best.piece == game.piece and falls_straight(before, best)):
            return best, said
        self.at = game.lock_downs + 1
        return move, move.as_json()

    def move(self, move: Move) -> None:
        if not self.choose and self.game.lock_downs + 1 == self.at:
            for button in (LEFT, RIGHT) * _WIGGLES:
                for pressed in (1, 0):
                    self.record_edges([(button, pressed, self.game.now_ms)])
                    self.game.input(button, pressed, self.game.now_ms)
        super().move(move)


def plant(kind: str, seed: int) -> FaultyHost:
    """Return a game with a fault: by the seed, or if no place of its game fits, by GAMES more, and so on."""
    host = FaultyHost(kind, InProcessBot(LevelBot(LEVEL)), seed)
    host.play(PIECES)
    return host if host.at else plant(kind, seed + GAMES)


class Planted(NamedTuple):
    """A fault in a game of a computer player, and the effort of its review."""

    kind: str
    seed: int
    setup: Setup


def find_shown(planted: Planted) -> tuple[bool, bool]:
    """Return whether the review of a game names a fault in one of the five moments, and in a moment or an example."""
    host = plant(planted.kind, planted.seed)
    recording = Recording(host.recorder.recorded(host.game.time_ms))
    judge = Judge(planted.setup)
    positions = read_game(recording)
    side = Side("", 0, positions, [judge.judge(position) for position in positions])
    among = [
        moment.position.number == host.at and planted.kind in {reason.kind for reason in moment.reasons}
        for moment in side.shown
    ]
    return any(among[: len(side.moments)]), any(among)


def tell_shown(setup: Setup, jobs: int) -> str:
    """Return a line with how many of all faults are shown."""
    tasks = [Planted(kind, seed, setup) for kind in FAULTS for seed in range(1, GAMES + 1)]
    with Workers(jobs) as workers:
        results = workers.map(find_shown, tasks)
    among, shown = (sum(result[at] for result in results) for at in range(2))
    return (
        f"Of {len(tasks)} faults, each put into a game of {LEVEL_NAMES[LEVEL - 1]}, the five moments show {among}. "
        f"With the examples the review shows {shown}."
    )
