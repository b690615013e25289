"""Lead to what makes a player better."""

from firmware.scenes.menu import Menu

_SCENES = ("help_scoring",)


class Scene(Menu):
    """Choose what to learn."""

    heading = b"LEARN"
    lines: tuple = (b"ACTIONS",)
    notes: tuple = (b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED",)
    parent_at = 5

    def pick(self, at: int) -> None:
        """Go there."""
        self.app.go(_SCENES[at])
