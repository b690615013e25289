"""Lead to the help (Guideline 2.6)."""

from firmware.scenes.menu import Menu

_SCENES = ("help_basics", "help_mapping", "help_scoring", "help_spins", "help_words", "help_modes")


class Scene(Menu):
    """Choose what to read about."""

    heading = b"HELP"
    records = (
        (b"BASICS", b"HOW TO PLAY", "help_basics"),
        (b"CONTROLS", b"WHICH BUTTON|DOES WHAT", "help_mapping"),
        (b"SCORING", b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED", "help_scoring"),
        (b"T-SPINS", b"HOW TO SPIN, AND|WHAT CHAINS ADD", "help_spins"),
        (b"WORDS", b"WHAT EACH WORD|MEANS", "help_words"),
        (b"MODES", b"THE RULES OF|MODES BEYOND|THE GUIDELINE", "help_modes"),
    )
