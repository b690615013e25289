"""Ask before a game in progress goes."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Context


class Scene(Menu):
    """Offer to continue the game in progress; `subject` is the scene that sets up a new one."""

    heading = b"PLAY"
    records = (
        (b"CONTINUE", b"A GAME IS|IN PROGRESS:|RESUME IT"),
        (b"NEW GAME", b"A GAME IS|IN PROGRESS:|IT WILL BE LOST"),
    )

    def __init__(self, context: "Context", subject: str) -> None:
        Menu.__init__(self, context)
        self.following = subject
        if subject == "menus.choose_level":
            self.parent = "menus.against"
        elif subject == "match.play":
            self.parent = "match.menu"

    def pick(self, at: int) -> None:
        """Continue, or choose a new game."""
        if at and self.following == "match.play":
            from firmware.match_modules import begin_afresh

            begin_afresh(self.context, self.following)
        elif at:
            self.context.go(self.following)
        else:
            from firmware.resuming import resume_game

            resume_game(self.context)

    def back(self) -> None:
        """Go back to the line that led here."""
        self.context.go(self.parent, self.following)
