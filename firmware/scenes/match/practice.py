"""Advise a knocked-out player who practises until the round ends (Guideline B1.2.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.mark import Mark

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Game, MatchPlay
    from firmware.view.layouts.match import MatchView

# Beside the computers that play on: of thought a frame, and of places kept in mind.
_UNITS = const(20)
_WIDTH = const(8)
_NARROW = const(4)  # beside several computers: 1 KB less
_POOL = const(0x2C)  # where no computer plays


class Adviser:
    """Show in a view of a match where the best computer would put the Tetrimino in play, once asked.

    is_asked: whether it thinks about that, or shows it.  mapping, pool: the scene's while somebody practises.
    """

    mapping: "Any"
    pool: int

    def __init__(self, view: "MatchView", width: int) -> None:
        self.view = view
        self.mark = Mark(view.canvas, view.matrix.left, view.matrix.pitch)
        # Imported late: in a match without computers, a Pico does without all that thinks.
        from firmware.players.hint import Hint

        self.hint = Hint(_UNITS, width)
        self.is_asked = False

    def attend(self, game: "Game") -> None:
        """Be there for a game that has just begun."""
        self.is_asked = False
        self.mark.piece = 0
        self.view.mark = self.mark
        # A frame must not make room for an attribute.
        self.hint.hands.shadow.matrix = game.matrix
        self.hint.watch(game)

    def ask(self, game: "Game") -> None:
        """Begin to think about the Tetrimino in play."""
        self.put(0)
        self.hint.watch(game)
        self.is_asked = True

    def look(self, pool: int) -> int:
        """Think on until there is a place to show; forget it when the Tetrimino has gone. Return what is left.

        pool: the units of thought that this frame has.
        """
        if not self.is_asked:
            return pool
        hint = self.hint
        if not hint.is_known:
            if pool > 0:
                pool = hint.look(pool)
            if hint.is_known:
                self.put(hint.piece_shown)
        elif not hint.is_of_use():
            self.put(0)
            self.is_asked = False
        return pool

    def put(self, piece: int) -> None:
        """Mark another place, or with piece 0 none."""
        mark = self.mark
        if mark.piece != piece:
            self.view.uncover()
            mark.piece = piece
            mark.facing = self.hint.facing
            mark.x = self.hint.x
            mark.y = self.hint.y


def prepare(scene: "MatchPlay") -> None:
    """Have an adviser ready for the games of Practice, from the match's beginning on: in play it would take 0.3 s."""
    computers = [player for player in scene.players if player]
    from firmware.mapping import map_match

    scene.trainer = trainer = Adviser(scene.view, _NARROW if len(computers) > 1 else _WIDTH)
    trainer.mapping = map_match(scene.context)
    trainer.pool = scene.pool or _POOL
    for player in computers:
        # Only one thinks at a time: all do so on one slate.
        trainer.hint.beam.spare = player.beam.spare
        trainer.hint.beam.saved = player.beam.saved
        trainer.hint.hands.shadow = player.hands.shadow


def start_adviser(scene: "MatchPlay", game: "Game") -> None:
    """Offer hints in a game of Practice, on the control of the unused Target Mark."""
    scene.adviser = trainer = scene.trainer
    scene.pool = trainer.pool
    scene.mapping = trainer.mapping
    trainer.attend(game)
