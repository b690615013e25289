"""List the options that differ from their defaults, and reset them one by one."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.catalogue import find
from firmware.modes.delays import GUIDELINE, NAMES, find_delays, set_delays
from firmware.option_table import list_changeable
from firmware.save import buttons
from firmware.save.buttons import CONTROLS
from firmware.save.settings import Settings
from firmware.scenes.menu import Menu
from firmware.scenes.settings_menu import SettingsMenu

if TYPE_CHECKING:
    from firmware.contracts import Any, Context

_OPTIONS = list_changeable()
_DELAYS = "delays"  # in place of the name of an option, as in GAME RULES: the line sets two
_MODERN = const(16)  # the number of a rule of EXTRAS, more than those of controls
_RULES = const(2)
_NOTHING = (b"NOTHING", b"AS USUAL", "", b"")


class Scene(SettingsMenu):
    """Offer to reset each option that differs from its default; its line then vanishes.

    Words and resets are those of the option's own page. A record is the line, its note, the option and its value. The
    option is a name, the number of a control, or _MODERN and the number of a rule.
    """

    heading = b"CHANGED"
    parent = "options.device"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        self.usual = Settings()
        self.list_changes()
        Menu.__init__(self, context)

    def list_changes(self) -> None:
        settings = self.context.settings
        self.changes: "list[tuple[Any, ...]]" = []
        mode = find(settings.variant)
        self.usual.aim = settings.aim and int(mode[b"default"])  # an aim of 0 is the same
        lines = _OPTIONS[1].split(b"\n")
        last = b""
        for name in _OPTIONS[0]:
            page, title, values, words = lines.pop(0).split(b"/", 3)
            last = page or last
            numbers = (getattr(settings, name), getattr(self.usual, name))
            if numbers[0] != numbers[1]:
                if title == b"AIM":
                    title, shown = describe(mode, numbers)
                elif title == b"LEVEL":
                    least = int(mode[b"levels"].split()[0])
                    shown = [b"%d" % (number - 1 + least) for number in numbers]
                else:
                    shown = [name_choice(title, values, words, number) for number in numbers]
                self.add(last, title, name, shown)
        if find_delays(settings) != GUIDELINE:
            self.add(b"rules", b"DELAYS", _DELAYS, [NAMES[find_delays(settings)], NAMES[GUIDELINE]])
        # Imported late here and below: few players change these.
        if settings.modern:
            from firmware.scenes.options import extra_rules

            for rule in range(_RULES):
                if settings.modern >> rule & 1:
                    self.add(b"extras", extra_rules.Scene.records[rule][0], _MODERN + rule, [b"ON", b"OFF"])
        for control in range(CONTROLS):
            masks = (buttons.read(settings, control), buttons.find_buttons(control, self.context.device.wired))
            if masks[0] != masks[1]:
                from firmware.scenes.options import controls

                shown = [controls.name_buttons(mask) for mask in masks]
                self.add(b"buttons", controls.Scene.records[control][0], control, shown)
        self.records = tuple(self.changes) or (_NOTHING,)

    def add(self, page: bytes, title: bytes, option: "str | int", shown: "list[bytes]") -> None:
        """Add a record; `shown` are the words for the value and the default."""
        note = b"%s: %s|USUAL: %s|A RESETS IT" % (page.upper(), title, shown[1])
        self.changes.append((title, note, option, shown[0]))

    def value(self, at: int) -> bytes:
        return self.records[at][3]

    def pick(self, at: int) -> None:
        option = self.records[at][2]
        settings = self.context.settings
        if option == _DELAYS:
            set_delays(settings, GUIDELINE)
        elif isinstance(option, str):
            if option == "level":
                settings.start_level = self.usual.start_level
            if option:
                setattr(settings, option, getattr(self.usual, option))
        elif option < _MODERN:
            buttons.give(settings, option, buttons.find_buttons(option, self.context.device.wired))
        else:
            settings.modern &= ~(1 << option - _MODERN)
        self.context.apply_settings()
        self.list_changes()
        self.lines = [record[0] for record in self.records]
        self.notes = [record[1] for record in self.records]
        self.at = min(at, len(self.records) - 1)
        self.top = 0
        self.scroll()


def name_choice(title: bytes, values: bytes, words: bytes, number: int) -> bytes:
    """Return what the page of an option shows for a value, as firmware/scenes/choices.py does."""
    if words == b"MS":
        return b"DAS" if title == b"DCD" and number == 1 else b"%d MS" % number
    if not words:
        return b"%d" % number
    names = words.split(b"|")
    offered = [int(value) for value in values.split()]
    if len(offered) == 1:
        return names[number - offered[0]]
    at = 0
    while at < len(offered) - 1 and offered[at] < number:
        at += 1
    return names[at]


def describe(mode: "dict[bytes, bytes]", aims: "tuple[int, int]") -> "tuple[bytes, list[bytes]]":
    """Return the title of a mode's aim, and the words of its menu for some."""
    if mode[b"rules"] == b"standard":  # WHICH GAME has it
        return b"REPEAT", [b"ON" if aim else b"OFF" for aim in aims]
    shown = []
    for aim in aims:
        _kind, name, word, _note = mode.get(b"aim %d" % aim, b"||%d|" % aim).split(b"|", 3)
        shown.append(word or name)
    return b"AIM", shown
