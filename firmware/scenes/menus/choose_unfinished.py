"""Ask before a game in progress goes."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import App


class Scene(Menu):
    """Offer to continue the game in progress; `subject` is the scene that sets up a new one."""

    heading = b"PLAY"
    lines = (b"CONTINUE", b"NEW GAME")
    notes = (b"A GAME IS|IN PROGRESS:|RESUME IT", b"A GAME IS|IN PROGRESS:|IT WILL BE LOST")

    def __init__(self, app: "App", subject: str) -> None:
        Menu.__init__(self, app)
        self.following = subject
        if subject == "choose_level":
            self.parent = "against"

    def pick(self, at: int) -> None:
        """Continue, or choose a new game."""
        from firmware import housekeeping, match_modules

        if at and self.following == "match_play":
            match_modules.begin_afresh(self.app, self.following)
        elif at:
            self.app.go(self.following)
        else:
            housekeeping.go_on(self.app)
