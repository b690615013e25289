"""Offer the modes and games that are not in the main menu (Guideline 2.3.2, 12)."""

from firmware.compat import TYPE_CHECKING
from firmware.residents import GAME
from firmware.scenes.mode_menu import ModeMenu, list_modes

if TYPE_CHECKING:
    from firmware.contracts import Record, Settings


class Scene(ModeMenu):
    """List these modes, the board game and the challenges."""

    keeps = GAME  # MENU would take 1 KB more
    heading = b"MORE MODES"
    records = (
        (b"TETRESS", b"A BOARD GAME FOR|TWO, OR AGAINST|THE COMPUTER", "tetress.menu"),
        (b"BAD DEALER", b"IT DEALS YOU THE|WORST PIECES, OR|YOU DEAL TO IT", "against.menu"),
    )

    def list_modes(self, settings: "Settings") -> "list[Record]":
        return list_modes(b"menus.more_modes")
