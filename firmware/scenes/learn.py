"""Lead to what makes a player better."""

from firmware.modes.catalogue import FINESSE
from firmware.scenes.menu import Menu

_SCENES = ("help_scoring", "play")


class Scene(Menu):
    """Choose what to learn."""

    heading = b"LEARN"
    lines: tuple = (b"ACTIONS", b"FINESSE")
    notes: tuple = (b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED", b"EACH PLACE BY|THE FEWEST|PRESSES")
    parent_at = 5

    def pick(self, at: int) -> None:
        """Go there."""
        name = _SCENES[at]
        if name == "play":
            self.app.variant = FINESSE
            self.app.settings.garbage_rows = self.app.settings.aim = 0
        self.app.go(name)
