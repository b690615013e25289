"""Advise a knocked-out player who practises until the round ends (Guideline B1.2.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.mark import Mark

if TYPE_CHECKING:
    from firmware.contracts import Any, Game, Mapping, MatchPlay
    from firmware.view.layouts.match import MatchView

_UNITS = const(20)  # steps of the search in each frame
_WIDTH = const(8)  # places that the search compares
_NARROW = const(4)  # the same in a match with several computers; saves 1 KB
_POOL = const(0x2C)  # the scene's `pool` in a match without computers


class Adviser:
    """Show, when asked, the best computer's place for the Tetrimino in play.

    is_asked: whether it searches or shows a place. mapping, pool: the scene's values during Practice.
    """

    mapping: "Mapping | None"
    pool: int

    def __init__(self, view: "MatchView", width: int) -> None:
        self.view = view
        self.mark = Mark(view.canvas, view.matrix.left, view.matrix.pitch)
        # Imported late: a match without computers or hints does not need the search.
        from firmware.players.hint import Hint
        from firmware.players.player import Player

        self.hint = Hint(_UNITS, width)
        self.search = Player.look  # Hint.look would be one more call than a board's stack has room for
        self.is_asked = False

    def attend(self, game: "Game") -> None:
        """Prepare for a game that has just begun."""
        self.is_asked = False
        self.mark.piece = 0
        self.view.mark = self.mark
        # Set here: a new attribute would allocate in a frame.
        self.hint.hands.shadow.matrix = game.matrix
        self.hint.watch(game)

    def ask(self, game: "Game") -> None:
        """Begin to search for the Tetrimino in play."""
        self.put(0)
        self.hint.watch(game)
        self.is_asked = True

    def look(self, pool: int) -> int:
        """Continue the search until it has a place; remove the place when it is out of date.

        pool: the search steps that this frame has time for. Return the rest.
        """
        if not self.is_asked:
            return pool
        hint = self.hint
        if not hint.is_known:
            if pool > 0:
                hint.discard()
                pool = self.search(hint, pool)
            if hint.is_known:
                self.put(hint.piece_shown)
        elif not hint.is_of_use():
            self.put(0)
            self.is_asked = False
        return pool

    def put(self, piece: int) -> None:
        """Mark the place of `piece`, or remove the mark if `piece` is 0."""
        mark = self.mark
        if mark.piece != piece:
            self.view.uncover()
            mark.piece = piece
            mark.facing = self.hint.facing
            mark.x = self.hint.x
            mark.y = self.hint.y


def prepare(scene: "MatchPlay") -> None:
    """Make the adviser of Practice at the beginning of the match: in play it would take 0.3 s."""
    computers: "list[Any]" = [player for player in scene.players if player]  # Any: their buffers
    from firmware.mapping import map_match

    scene.trainer = trainer = Adviser(scene.view, _NARROW if len(computers) > 1 else _WIDTH)
    trainer.mapping = map_match(scene.context, True)
    trainer.pool = scene.pool or _POOL
    for player in computers:
        # Only one of them searches at a time, so they share these buffers.
        trainer.hint.beam.spare = player.beam.spare
        trainer.hint.beam.saved = player.beam.saved
        trainer.hint.hands.shadow = player.hands.shadow


def start_adviser(scene: "MatchPlay", game: "Game") -> None:
    """Offer hints in a game of Practice, on the control of the unused Target Mark."""
    scene.adviser = trainer = scene.trainer
    if TYPE_CHECKING:
        assert trainer and trainer.mapping
    scene.pool = trainer.pool
    scene.mapping = trainer.mapping
    trainer.mapping.forget()  # this mapping had no edges since the last round
    trainer.attend(game)
