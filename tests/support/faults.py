"""Record games of the strong player with one beginner's fault put in: `python -m tests.support.faults` writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware.engine.controls import LEFT, RIGHT
from sim.bots.host import Host
from sim.bots.places import Places
from sim.bots.protocol import Message, Move
from tests.support.recorded import RECORDINGS
from tools.bots.bot_server import InProcessBot
from tools.bots.strong.bot import StrongBot
from tools.bots.strong.columns import T
from tools.review.reasons import Outcome, find_well

FOLDER = RECORDINGS / "faults"
PIECES = 50
SEED = 38

_FIRST = 20  # the earliest fault
_NODES = 4000
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


class FaultyHost(Host):
    """Host a bot, and play one fault instead of its move; at: the number of that piece, 0 until it is played."""

    def __init__(self, kind: str) -> None:
        super().__init__(InProcessBot(StrongBot(nodes=_NODES)), SEED)
        self.choose = FAULTS[kind]
        self.at = 0

    def ask(self) -> tuple[Move, Message]:
        best, said = super().ask()
        game = self.game
        if self.at or game.lock_downs + 1 < _FIRST:
            return best, said
        move: Move | None = best
        if self.choose:
            before = Outcome(tuple(bytes(row) for row in game.matrix.rows))
            mine = best if best.piece == game.piece else Move(game.piece, 0, 0, 0, 0)  # by Hold: nothing to spoil
            moves = [Move(game.piece, *place[:4]) for place in Places(game)]
            move = self.choose(before, [(Outcome(before.rows, one), one) for one in moves], mine)
        if not move:
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


def record(kind: str) -> tuple[bytes, int]:
    """Return the recording of a game with a fault of this kind, and the number of the piece."""
    host = FaultyHost(kind)
    host.play(PIECES)
    assert host.at
    return host.recorder.recorded(host.game.time_ms), host.at


def write_all() -> Iterator[str]:
    for kind in FAULTS:
        blob, at = record(kind)
        (FOLDER / f"{kind}.sky").write_bytes(blob)
        yield f"{kind}: piece {at}, {len(blob)} bytes"


if __name__ == "__main__":
    print(*write_all(), sep="\n")
