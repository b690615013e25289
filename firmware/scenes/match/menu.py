"""Set up a match: opponents, partners and rules (Guideline B1.2, B1.3)."""

from firmware.compat import TYPE_CHECKING
from firmware.players.levels import DESCRIPTIONS
from firmware.save import match_choices
from firmware.scenes.match.names import name_level
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Blob, Canvas, Context

_KINDS = (b"BROKEN", b"SOLID")
_LINK = (b"LINK", b"AGAINST OTHER|HANDHELDS BY|CABLE", "link.lobby")


def word(choices: "Blob", place: int) -> bytes:
    """Return the value of a choice, from TEAMS on, as menus show it."""
    return Scene.records[place + 1][3][choices[place]]


class Scene(Menu):
    """Offer to start as last time, then every choice in the order of save/match_choices.py.

    A record is the line, its note, the scene that it leads to, and the words of its values.
    """

    heading = b"VERSUS"
    records: "tuple[tuple[Any, ...], ...]" = (
        (b"START", b"LAST PLAYER|STANDING WINS", "match.play"),
        (b"RIVALS", b"HOW MANY|OTHERS PLAY", ""),
        (b"FIRST", b"NO COMPUTER|PLAYS HERE", ""),
        (b"SECOND", b"NO COMPUTER|PLAYS HERE", ""),
        (b"THIRD", b"NO COMPUTER|PLAYS HERE", ""),
        (b"TEAMS", b"WITH THE FIRST|COMPUTER, OR|ONE AGAINST ALL", "", (b"NO", b"2 TEAMS", b"ALONE")),
        (b"TARGET", b"WHO GETS YOUR|LINES. MARK:|YOU CHOOSE", "", (b"ALL", b"RANDOM", b"MARK")),
        (b"WINS", b"ROUNDS TO WIN", "", (b"1", b"2", b"3", b"5")),
        (
            b"ROWS",
            b"ROWS OF GARBAGE|AT THE START",
            "",
            (b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9", b"10"),
        ),
        (b"HOLES", b"HOLES OF THE|ROWS AT THE|START", "", _KINDS),
        (b"SENT", b"HOLES OF THE|LINES THAT ARE|SENT", "", _KINDS),
        (b"SPEED UP", b"ONE LEVEL MORE|EVERY SO MANY|SECONDS", "", (b"OFF", b"15S", b"30S", b"60S")),
        (b"HANDICAP", b"SHARE OF YOUR|LINES THAT|ARRIVES", "", (b"X 1", b"1/2", b"X 2")),
        (b"CO-OP", b"CLEAR SO MANY|LINES TOGETHER,|NO ATTACKS", "", (b"NO", b"40", b"100", b"200")),
        (b"SCORES", b"YOUR RESULTS|AGAINST EACH|LEVEL", "match.scores"),
    )

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.choices = match_choices.unpack(context.settings.versus)
        if context.device.link:
            self.records = self.records + (_LINK,)
        Menu.__init__(self, context, subject)

    def value(self, at: int) -> bytes:
        """Return the value of a line; an absent computer has no level."""
        if self.records[at][2]:
            return b""
        place = at - 1
        if place >= match_choices.TEAMS:
            return word(self.choices, place)
        levels = self.list_levels()
        if not place:
            return b"%d" % (len(levels) + len(self.context.device.others))
        return name_level(levels[place - 1]) if place <= len(levels) else b"-"

    def list_levels(self) -> bytes:
        """Return the levels of the computers, 1 to 5 each."""
        device = self.context.device
        if device.others or device.seats:
            return device.seats.replace(b"\0", b"")  # who plays is said elsewhere
        first = match_choices.LEVELS
        count = self.choices[match_choices.OPPONENTS] + 1
        return bytes([level + 1 for level in self.choices[first : first + count]])

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the line, or how a computer plays."""
        place = self.at - 1
        levels = self.list_levels()
        if match_choices.LEVELS <= place < match_choices.TEAMS and place <= len(levels):
            note = DESCRIPTIONS[levels[place - 1] - 1]
        Menu.draw_note(self, canvas, note)

    def turn(self, at: int, step: int) -> bool:
        """Take the value before or after the present one."""
        if self.records[at][2]:
            return False
        place = at - 1
        self.choices[place] = (self.choices[place] + step) % match_choices.COUNTS[place]
        self.context.settings.versus = match_choices.pack(self.choices)
        return True

    def pick(self, at: int) -> None:
        """Begin, or take the next value; a match takes a while to load."""
        if self.turn(at, 1):
            return
        context = self.context
        context.save_settings()
        name = self.records[at][2]
        if name == "match.scores":
            context.go(name)
        elif name == "match.play" and context.session.has_game():
            context.go("menus.choose_unfinished", name)
        else:
            from firmware import match_modules

            match_modules.begin_afresh(context, name)

    def back(self) -> None:
        """Keep the choices and leave."""
        self.context.save_settings()
        Menu.back(self)
