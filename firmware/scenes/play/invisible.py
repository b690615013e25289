"""Hide the Blocks of a game (firmware/modes/README.md, 12); play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.save.scores import find_best
from firmware.view.veil import Veil

if TYPE_CHECKING:
    from firmware.contracts import Any, Game, Session


def hide(view: "Any", game: "Game", session: "Session") -> None:
    """Hide the Blocks that a view shows; show the best result of the game's own table."""
    view.best = find_best(session.journal, session.variant, game.options.aim, game.options.invisible)
    Veil(view, game)
