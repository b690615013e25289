"""Advise who practises, because that one is out: nothing of this is in memory before (Guideline B1.2.3)."""

import gc

from firmware.compat import const
from firmware.players.hint import Hint
from firmware.view.mark import Mark

# Beside the computers that play on: of thought a frame, and of places kept in mind.
_UNITS = const(20)
_WIDTH = const(8)
_POOL = const(0x2C)  # where no computer plays


class Adviser:
    """Show in a view of a match where the best computer would put the Tetrimino in play, once asked.

    is_asked: whether it thinks about that, or shows it.
    """

    def __init__(self, view) -> None:
        self.view = view
        self.mark = Mark(view.canvas, view.matrix.left, view.matrix.pitch)
        self.hint = Hint(_UNITS, _WIDTH)
        self.is_asked = False

    def attend(self, game) -> None:
        """Be there for a game that has just begun."""
        self.is_asked = False
        self.mark.piece = 0
        self.view.mark = self.mark
        # A frame must not make room for an attribute.
        self.hint.hands.shadow.matrix = game.matrix
        self.hint.watch(game)

    def ask(self, game) -> None:
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


def begin(scene, game) -> None:
    """Have somebody to ask in a game of Practice, by the control that has nobody to target any more."""
    if not scene.adviser:
        from firmware.mapping import map_match

        scene.adviser = Adviser(scene.view)
        for player in scene.players:
            if player:
                # Only one thinks at a time: all do so on one slate.
                hint = scene.adviser.hint
                hint.beam.spare = player.beam.spare
                hint.beam.saved = player.beam.saved
                hint.hands.shadow = player.hands.shadow
        scene.pool = scene.pool or _POOL
        scene.mapping = map_match(scene.app)
        scene.app.drop(False)
        gc.collect()  # what it took to come here is no longer needed
    scene.adviser.attend(game)
