"""Lead to the help (Guideline 2.6)."""

from firmware.scenes.menu import Menu

_SCENES = ("help_basics", "help_mapping", "help_scoring", "help_spins", "help_words", "help_modes")


class Scene(Menu):
    """Choose what to read about."""

    heading = b"HELP"
    lines = (b"BASICS", b"CONTROLS", b"SCORING", b"T-SPINS", b"WORDS", b"MODES")
    notes = (
        b"HOW TO PLAY",
        b"WHICH BUTTON|DOES WHAT",
        b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED",
        b"HOW TO SPIN, AND|WHAT CHAINS ADD",
        b"WHAT EACH WORD|MEANS",
        b"THE RULES OF|MODES BEYOND|THE GUIDELINE",
    )
    parent_at = 4

    def pick(self, at: int) -> None:
        """Go there."""
        self.app.go(_SCENES[at])
