"""Set the rules of a match (Guideline B1.2, B1.3)."""

from firmware.compat import TYPE_CHECKING
from firmware.save import match_choices
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Blob, Context

_KINDS = (b"BROKEN", b"SOLID")
_ROWS = (b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9", b"10")


def word(choices: "Blob", place: int) -> bytes:
    """Return the value of a choice, from TEAMS on, as menus show it."""
    return Scene.records[place - match_choices.TEAMS][2][choices[place]]


class Scene(Menu):
    """Offer every choice from TEAMS on, in the order of save/match_choices.py.

    A record is the line, its note, and the words of its values.
    """

    heading = b"RULES"
    records = (
        (b"TEAMS", b"WITH THE FIRST|COMPUTER, OR|ONE AGAINST ALL", (b"NO", b"2 TEAMS", b"ALONE")),
        (b"TARGET", b"WHO GETS YOUR|LINES. MARK:|YOU CHOOSE", (b"ALL", b"RANDOM", b"MARK")),
        (b"WINS", b"ROUNDS TO WIN", (b"1", b"2", b"3", b"5")),
        (b"ROWS", b"ROWS OF GARBAGE|AT THE START", _ROWS),
        (b"HOLES", b"HOLES OF THE|ROWS AT THE|START", _KINDS),
        (b"SENT", b"HOLES OF THE|LINES THAT ARE|SENT", _KINDS),
        (b"SPEED UP", b"ONE LEVEL MORE|EVERY SO MANY|SECONDS", (b"OFF", b"15S", b"30S", b"60S")),
        (b"HANDICAP", b"SHARE OF YOUR|LINES THAT|ARRIVES", (b"X 1", b"1/2", b"X 2")),
        (b"CO-OP", b"CLEAR SO MANY|LINES TOGETHER,|NO ATTACKS", (b"NO", b"40", b"100", b"200")),
    )
    parent = "match.menu"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.choices = match_choices.unpack(context.settings.versus)
        Menu.__init__(self, context, subject)

    def value(self, at: int) -> bytes:
        """Return the value of a line."""
        return word(self.choices, match_choices.TEAMS + at)

    def turn(self, at: int, step: int) -> bool:
        """Take the value before or after the present one."""
        self.context.settings.versus = match_choices.turn(self.choices, match_choices.TEAMS + at, step)
        return True

    def back(self) -> None:
        """Keep the choices and leave."""
        self.context.save_settings()
        Menu.back(self)
