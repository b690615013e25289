"""Set up a match: opponents, partners and rules (Guideline B1.2, B1.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save import match_choices
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import App

# The line behind those of the choices, which are in the order of firmware/save/match_choices.py.
_SCORES = const(14)

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


class Scene(Menu):
    """Offer to start as last time, then every choice."""

    heading = b"VERSUS"
    parent_at = 1
    lines: tuple[bytes, ...] = (
        b"START",
        b"RIVALS",
        b"LEVEL",
        b"LEVEL B",
        b"LEVEL C",
        b"TEAMS",
        b"TARGET",
        b"WINS",
        b"ROWS",
        b"HOLES",
        b"SENT",
        b"SPEED UP",
        b"HANDICAP",
        b"CO-OP",
        b"SCORES",
    )
    notes: tuple[bytes, ...] = (
        b"LAST PLAYER|STANDING WINS",
        b"HOW MANY|COMPUTERS PLAY",
        b"HOW WELL THE|FIRST ONE PLAYS",
        b"HOW WELL THE|SECOND ONE PLAYS",
        b"HOW WELL THE|THIRD ONE PLAYS",
        b"WITH THE FIRST|COMPUTER, OR|ONE AGAINST ALL",
        b"WHO GETS YOUR|LINES. MARK:|YOU CHOOSE",
        b"ROUNDS TO WIN",
        b"ROWS OF GARBAGE|AT THE START",
        b"HOLES OF THE|ROWS AT THE|START",
        b"HOLES OF THE|LINES THAT ARE|SENT",
        b"ONE LEVEL MORE|EVERY SO MANY|SECONDS",
        b"SHARE OF YOUR|LINES THAT|ARRIVES",
        b"CLEAR SO MANY|LINES TOGETHER,|NO ATTACKS",
        b"YOUR RESULTS|AGAINST EACH|LEVEL",
    )

    def __init__(self, app: "App", subject: object = None) -> None:
        self.choices = match_choices.unpack(app.settings.versus)
        if app.device.link:
            self.lines = self.lines + (b"LINK",)
            self.notes = self.notes + (b"AGAINST OTHER|HANDHELDS BY|CABLE",)
        Menu.__init__(self, app, subject)

    def value(self, at: int) -> bytes:
        """Return the value of a line; an absent computer has no level."""
        if not 0 < at < _SCORES:
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
        if not 0 < at < _SCORES:
            return False
        place = at - 1
        self.choices[place] = (self.choices[place] + step) % match_choices.COUNTS[place]
        self.app.settings.versus = match_choices.pack(self.choices)
        return True

    def pick(self, at: int) -> None:
        """Begin, or take the next value; a match takes a while to load."""
        if 0 < at < _SCORES:
            self.turn(at, 1)
            return
        app = self.app
        app.keep()
        if at == _SCORES:
            app.go("match_scores")
        elif not at and app.suspended is not None:
            app.go("choose_unfinished", "match_play")
        else:
            from firmware import match_modules

            match_modules.begin_afresh(app, "link_lobby" if at else "match_play")

    def back(self) -> None:
        """Keep the choices and leave."""
        self.app.keep()
        self.app.go(self.parent, self.parent_at)
