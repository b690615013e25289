"""Ask before a game in progress goes."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import App


class Scene(Menu):
    """Offer to continue the game in progress; `subject` is the scene that sets up a new one."""

    heading = b"PLAY"
    records = (
        (b"CONTINUE", b"A GAME IS|IN PROGRESS:|RESUME IT"),
        (b"NEW GAME", b"A GAME IS|IN PROGRESS:|IT WILL BE LOST"),
    )

    def __init__(self, app: "App", subject: str) -> None:
        Menu.__init__(self, app)
        self.following = subject
        if subject == "choose_level":
            self.parent = "against"
        elif subject == "match_play":
            self.parent = "match_menu"

    def pick(self, at: int) -> None:
        """Continue, or choose a new game."""
        from firmware import housekeeping, match_modules

        if at and self.following == "match_play":
            match_modules.begin_afresh(self.app, self.following)
        elif at:
            self.app.go(self.following)
        else:
            housekeeping.go_on(self.app)

    def back(self) -> None:
        """Go back to the line that led here."""
        self.app.go(self.parent, self.following)
