"""Choose a game against the handheld: it always fills a row, or it deals the worst pieces."""

from firmware.modes.catalogue import WORST
from firmware.scenes.against.choose import ALL_ROWS, FIVE_ROWS
from firmware.scenes.menu import Menu
from firmware.scenes.mode_opening import open_mode


class Scene(Menu):
    """Offer both challenges, and three strengths of the Worst Piece."""

    heading = b"BAD DEALER"
    parent = "menus.more_modes"
    records = (
        (b"YOU DEAL", b"THE COMPUTER|FILLS ROWS: CAN|YOU PREVENT IT?"),
        (b"BLOCK IT", b"DEAL SO THAT IT|CLEARS NO ROW OF|THE LOWEST FIVE"),
        (b"WORST 1", b"ONLY S AND Z|PIECES"),
        (b"WORST 2", b"YOU GET THE|PIECE THAT FITS|WORST"),
        (b"WORST 3", b"THE WORST PIECE,|LOOKING TWO|AHEAD"),
    )

    def pick(self, at: int) -> None:
        """Open the chosen line; the Worst Piece asks for a level first."""
        context = self.context
        if at < 2:
            context.go("against.choose", FIVE_ROWS if at else ALL_ROWS)
        elif context.session.has_game():
            context.go("menus.continue_or_new", (context.router.name, at, WORST, at - 1, False))
        else:
            open_mode(context, WORST, at - 1, False)
