"""Set the rules of a match (Guideline B1.2, B1.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.options import CUSTOM
from firmware.save import match_choices
from firmware.save.match_choices import write_choice
from firmware.scenes.menu import Menu
from firmware.scenes.settings_menu import SettingsMenu

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context

RULES_AT = const(9)  # the line of the rules


class Scene(SettingsMenu):
    """Offer every choice from TEAMS on, in the order of save/match_choices.py, the rules, and the line of all of them.

    A record is the line and its note, or the notes of its values, separated by slashes.
    """

    heading = b"RULES"
    records: "tuple[tuple[Any, ...], ...]" = (
        (b"TEAMS", b"EVERYONE FOR|THEMSELVES/YOU AND FIRST|AGAINST THE|OTHERS/YOU AGAINST ALL|OTHERS TOGETHER"),
        (
            b"TARGET",
            b"ALL RIVALS GET|YOUR LINES/ONE RIVAL GETS|YOUR LINES, BY|CHANCE/THE RIVAL THAT|YOU MARK GETS|YOUR LINES",
        ),
        (b"WINS", b"ROUNDS TO WIN"),
        (b"ROWS", b"ROWS OF GARBAGE|AT THE START"),
        (b"HOLES", b"ROWS AT START:|EACH HAS A HOLE/ROWS AT START:|NEVER CLEARED"),
        (b"SENT", b"LINES SENT:|EACH HAS A HOLE/LINES SENT:|NEVER CLEARED"),
        (b"SPEED UP", b"ONE LEVEL MORE|EVERY SO MANY|SECONDS"),
        (b"HANDICAP", b"RIVALS GET ALL|LINES YOU SEND/RIVALS GET HALF|THE LINES/RIVALS GET TWICE|THE LINES"),
        (b"CO-OP", b"CLEAR SO MANY|LINES TOGETHER,|NO ATTACKS"),
        (
            b"RULES",
            b"THE GUIDELINE OF|2009, APPENDIX B/COMBOS, SPINS,|HALF TURNS: AS|GAMES OF TODAY/EACH AS IN THE|NEXT LINE",
        ),
        (b"CUSTOM...", b"CHOOSE COMBOS,|SPINS AND SO ON|ONE BY ONE", "match.custom"),
        (b"LINE...", b"THESE RULES AS|A LINE TO SHARE,|TO KEEP OR LOAD", "rules.menu", (True, 0, "")),
    )
    parent = "match.menu"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.choices = match_choices.read(context.settings)
        Menu.__init__(self, context, subject)

    def pick(self, at: int) -> None:
        """Set the next value, or open the scene of a line; that of CUSTOM also when it is chosen."""
        SettingsMenu.pick(self, at)
        if at == RULES_AT and self.choices[match_choices.RULES] == CUSTOM:
            self.context.save_settings()
            self.context.go("match.custom")

    def value(self, at: int) -> bytes:
        return b"" if len(self.records[at]) > 2 else write_choice(self.choices, self.find_place(at))

    def find_place(self, at: int) -> int:
        """Return the place in save/match_choices.py of the choice of a line."""
        return match_choices.TEAMS + at if at < RULES_AT else match_choices.RULES

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the line, or its value."""
        notes = note.split(b"/")
        at = self.choices[self.find_place(self.at)] if len(notes) > 1 else 0
        Menu.draw_note(self, canvas, notes[at % len(notes)])

    def turn(self, at: int, step: int) -> bool:
        """Set the value before or after the current one."""
        if len(self.records[at]) > 2:
            return False
        match_choices.turn(self.choices, self.find_place(at), step)
        match_choices.save(self.context.settings, self.choices)
        return True
