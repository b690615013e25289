"""Show the menu of the help (Guideline 2.6)."""

from firmware.scenes.menu import Menu


class Scene(Menu):
    """Choose a topic."""

    heading = b"HELP"
    parent = "learn.menu"
    records = (
        (b"BASICS", b"HOW TO PLAY", "help.basics"),
        (b"CONTROLS", b"WHICH BUTTON|DOES WHAT", "help.mapping"),
        (b"SCORING", b"EVERY ACTION|THAT SCORES:|SEE IT PLAYED", "help.scoring"),
        (b"T-SPINS", b"HOW TO SPIN, AND|WHAT CHAINS ADD", "help.spins"),
        (b"WORDS", b"WHAT EACH WORD|MEANS", "help.words"),
        (b"MODES", b"THE RULES OF|MODES BEYOND|THE GUIDELINE", "help.modes"),
    )
