"""Lead to what makes a player better."""

from firmware.scenes.menu import Menu

_SCENES = ("help_scoring", "puzzles")


class Scene(Menu):
    """Choose what to learn."""

    heading = b"LEARN"
    lines: tuple = (b"ACTIONS", b"PUZZLES")
    notes: tuple = (
        b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED",
        b"SPINS AND CLEARS|TO THINK ABOUT|WITHOUT HURRY",
    )
    parent_at = 5

    def pick(self, at: int) -> None:
        """Go there."""
        self.app.go(_SCENES[at])
