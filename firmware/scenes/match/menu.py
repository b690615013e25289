"""Set up a match: begin it, open the link, choose opponents (Guideline B1.2)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import Options
from firmware.modes.delays import limit_delays, write_delays
from firmware.players.levels import DESCRIPTIONS
from firmware.save import match_choices
from firmware.save.match_choices import LEVELS, OPPONENTS, RULES, TEAMS, TOGETHER, write_choice
from firmware.scenes.match.names import name_level
from firmware.scenes.settings_menu import SettingsMenu

if TYPE_CHECKING:
    from firmware.contracts import Any, Context

_START = b"LAST %s|STANDING WINS|"
_CO_OP = b"CLEAR %s LINES|TOGETHER|"
_LINK = (b"LINK", b"AGAINST OTHER|HANDHELDS BY|CABLE", "link.lobby")
_RIVALS = (b"RIVALS", b"HOW MANY|COMPUTERS PLAY", "", OPPONENTS)
_RULES = (b"RULES...", b"TEAMS, ROUNDS,|GARBAGE AND|HANDICAP", "match.rules")
_LADDER = (b"LADDER", b"BEAT EACH RIVAL|IN TURN, BEST OF|THREE", "match.ladder")
_SCORES = (b"SCORES", b"YOUR RESULTS|AGAINST EACH|RIVAL", "match.scores")
_ORDER = (b"FIRST", b"SECOND", b"THIRD")


class Scene(SettingsMenu):
    """Offer to start, the link, the level of each computer, and how many play.

    A record is the line, its note, and the scene that it opens; or an empty scene and the choice's place in
    save/match_choices.py.

    subject: the first chosen line, or the note of a match that the heap has no room for, until a value changes.
    """

    heading = b"VERSUS"

    def __init__(self, context: "Context", subject: object = None) -> None:
        device = context.device
        self.seated = bool(device.others or device.seats)  # the device fixes the players
        self.linked = bool(device.link)
        self.levels = device.seats.replace(b"\0", b"")
        self.most = device.machine.levels
        self.choices = match_choices.read(context.settings)
        self.context = context
        self.list_lines()
        SettingsMenu.__init__(self, context, subject)
        if isinstance(subject, bytes):
            self.notes = [subject] * len(self.records)  # on each line, for the cursor of 1 KEY goes on by itself

    def list_lines(self) -> None:
        """Make the records, with a line for each computer."""
        choices = self.choices
        if not self.seated:
            levels = [match_choices.find_level(choices, i) for i in range(choices[OPPONENTS] + 1)]
            self.levels = bytes([min(self.most, level) for level in levels])
        options = Options()
        self.context.settings.apply(options)
        limit_delays(options, self.levels)
        note = _START % (b"TEAM" if choices[TEAMS] and len(self.levels) > 1 else b"PLAYER")
        if choices[TOGETHER]:
            note = _CO_OP % write_choice(choices, TOGETHER)
        # For both is no room, and other rules change more.
        note += b"BY " + write_choice(choices, RULES) if choices[RULES] else write_delays(options)
        records: "list[tuple[Any, ...]]" = [(b"START", note, "match.play")]
        if self.linked:
            records.append(_LINK)
        count = len(self.levels)
        for i in range(count):
            name = _ORDER[i] if count > 1 else b"RIVAL"
            records.append((name, DESCRIPTIONS[self.levels[i] - 1], "", LEVELS + i))
        if not self.seated:
            records += (_RIVALS, _LADDER)
        records += (_RULES, _SCORES)
        self.records = tuple(records)

    def value(self, at: int) -> bytes:
        """Return the name of a computer, or the number of computers."""
        record = self.records[at]
        if record[2]:
            return b""
        place = record[3]
        return name_level(self.levels[place - LEVELS]) if place else b"%d" % len(self.levels)

    def turn(self, at: int, step: int) -> bool:
        """Set the value before or after the current one; the number of computers changes the lines."""
        record = self.records[at]
        if record[2] or self.seated:
            return False
        self.change(record[3], step)
        match_choices.save(self.context.settings, self.choices)
        self.list_lines()
        self.lines = [each[0] for each in self.records]
        self.notes = [each[1] for each in self.records]
        if record == _RIVALS:
            self.at = self.lines.index(_RIVALS[0])
            self.scroll()
        return True

    def change(self, place: int, step: int) -> None:
        if place == OPPONENTS:
            match_choices.turn(self.choices, place, step)
        else:
            opponent = place - LEVELS
            level = (self.levels[opponent] - 1 + step) % self.most + 1
            match_choices.set_level(self.choices, opponent, level)

    def pick(self, at: int) -> None:
        """Open the scene of a line, or set the next value."""
        name = self.records[at][2]
        if not name:
            self.turn(at, 1)
            return
        context = self.context
        begins = name == "match.play"
        links = name == _LINK[2]
        if begins:
            context.settings.last_match = 1
        self.save()
        if begins and context.session.has_game():
            context.go("menus.continue_or_new", (context.router.name, at))
        elif links and not context.settings.initials:
            context.go("menus.scores_initials")  # ask here: the lobby would ask only after a restart
        elif begins or links:
            from firmware import match_modules

            match_modules.begin_afresh(context, name)
        else:
            context.go(name)
