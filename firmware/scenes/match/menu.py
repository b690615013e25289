"""Set up a match: opponents, partners and rules (Guideline B1.2, B1.3)."""

from firmware.compat import TYPE_CHECKING
from firmware.save import match_choices
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import App

_LEVELS = (b"1", b"2", b"3", b"4", b"5")
_KINDS = (b"BROKEN", b"SOLID")
WORDS = (
    (b"1", b"2", b"3"),
    _LEVELS,
    _LEVELS,
    _LEVELS,
    (b"NO", b"2 TEAMS", b"ALONE"),
    (b"ALL", b"RANDOM", b"MARK"),
    (b"1", b"2", b"3", b"5"),
    (b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9", b"10"),
    _KINDS,
    _KINDS,
    (b"OFF", b"15S", b"30S", b"60S"),
    (b"X 1", b"1/2", b"X 2"),
    (b"NO", b"40", b"100", b"200"),
)
_LINK = (b"LINK", b"AGAINST OTHER|HANDHELDS BY|CABLE", "link_lobby")


class Scene(Menu):
    """Offer to start as last time, then every choice."""

    heading = b"VERSUS"
    records: "tuple[tuple[Any, ...], ...]" = (
        (b"START", b"LAST PLAYER|STANDING WINS", "match_play"),
        (b"RIVALS", b"HOW MANY|COMPUTERS PLAY"),
        (b"LEVEL", b"HOW WELL THE|FIRST ONE PLAYS"),
        (b"LEVEL B", b"HOW WELL THE|SECOND ONE PLAYS"),
        (b"LEVEL C", b"HOW WELL THE|THIRD ONE PLAYS"),
        (b"TEAMS", b"WITH THE FIRST|COMPUTER, OR|ONE AGAINST ALL"),
        (b"TARGET", b"WHO GETS YOUR|LINES. MARK:|YOU CHOOSE"),
        (b"WINS", b"ROUNDS TO WIN"),
        (b"ROWS", b"ROWS OF GARBAGE|AT THE START"),
        (b"HOLES", b"HOLES OF THE|ROWS AT THE|START"),
        (b"SENT", b"HOLES OF THE|LINES THAT ARE|SENT"),
        (b"SPEED UP", b"ONE LEVEL MORE|EVERY SO MANY|SECONDS"),
        (b"HANDICAP", b"SHARE OF YOUR|LINES THAT|ARRIVES"),
        (b"CO-OP", b"CLEAR SO MANY|LINES TOGETHER,|NO ATTACKS"),
        (b"SCORES", b"YOUR RESULTS|AGAINST EACH|LEVEL", "match_scores"),
    )

    def __init__(self, app: "App", subject: object = None) -> None:
        self.choices = match_choices.unpack(app.settings.versus)
        if app.device.link:
            self.records = self.records + (_LINK,)
        Menu.__init__(self, app, subject)

    def value(self, at: int) -> bytes:
        """Return the value of a line; an absent computer has no level."""
        if len(self.records[at]) > 2:
            return b""
        place = at - 1
        if place < match_choices.TEAMS and (self.app.device.others or self.app.device.seats):
            levels = self.app.device.seats.replace(b"\0", b"")  # who plays is said elsewhere: the computers of it
            number = len(levels) if not place else levels[place - 1] if place <= len(levels) else 0
            return str(number).encode() if number else b"-"
        opponent = place - match_choices.LEVELS
        if 0 < opponent < 3 and opponent > self.choices[match_choices.OPPONENTS]:
            return b"-"
        return WORDS[place][self.choices[place]]

    def turn(self, at: int, step: int) -> bool:
        """Take the value before or after the present one."""
        if len(self.records[at]) > 2:
            return False
        place = at - 1
        self.choices[place] = (self.choices[place] + step) % match_choices.COUNTS[place]
        self.app.settings.versus = match_choices.pack(self.choices)
        return True

    def pick(self, at: int) -> None:
        """Begin, or take the next value; a match takes a while to load."""
        if self.turn(at, 1):
            return
        app = self.app
        app.keep()
        name = self.records[at][2]
        if name == "match_scores":
            app.go(name)
        elif name == "match_play" and app.suspended is not None:
            app.go("choose_unfinished", name)
        else:
            from firmware import match_modules

            match_modules.begin_afresh(app, name)

    def back(self) -> None:
        """Keep the choices and leave."""
        self.app.keep()
        Menu.back(self)
