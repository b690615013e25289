"""Ask before a game in progress ends."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Any, Context


class Scene(Menu):
    """Offer to continue the game in progress.

    subject: the menu that led here, and its line. For a game of one player also variant, aim and whether to ask for
    more; without these it is a match.
    """

    heading = b"PLAY"
    records = (
        (b"CONTINUE", b"A GAME IS|IN PROGRESS:|RESUME IT"),
        (b"NEW GAME", b"A GAME IS|IN PROGRESS:|IT WILL BE LOST"),
    )

    def __init__(self, context: "Context", subject: "tuple[Any, ...] | None" = None) -> None:
        Menu.__init__(self, context)
        subject = subject or (self.parent,)
        self.origin = subject[:2]
        self.mode = subject[2:]

    def pick(self, at: int) -> None:
        """Continue, or begin a new game or match."""
        if not at:
            from firmware.resuming import resume_game

            resume_game(self.context)
        elif self.mode:
            from firmware.scenes.mode_opening import open_mode

            open_mode(self.context, *self.mode)
        else:
            from firmware.match_modules import begin_afresh

            begin_afresh(self.context, "match.play")

    def back(self) -> None:
        """Go back to the line that led here."""
        self.context.go(*self.origin)
