"""List the options that differ from their defaults, and reset them one by one."""

from firmware.compat import TYPE_CHECKING
from firmware.option_table import list_changeable
from firmware.save.settings import Settings
from firmware.save.settings_fields import fit
from firmware.scenes.menu import Menu
from firmware.scenes.settings_menu import SettingsMenu

if TYPE_CHECKING:
    from firmware.contracts import Context

_OPTIONS = list_changeable()
_BUTTONS = "buttons"  # in place of the name of an option
_NOTHING = (b"NOTHING", b"ALL OPTIONS HAVE|THEIR DEFAULTS", "", b"")


class Scene(SettingsMenu):
    """Offer to reset each option that differs from its default; its line then vanishes.

    A record is the line, its note, the name of the option and its value.
    """

    heading = b"CHANGED"
    parent = "options.options"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.usual = Settings()
        fit(self.usual, context.device.wired)
        self.list_changes(context)
        Menu.__init__(self, context)

    def list_changes(self, context: "Context") -> None:
        """Make the records."""
        settings = context.settings
        usual = self.usual
        records = []
        lines = _OPTIONS[1].split(b"\n")
        last = b""
        for name in _OPTIONS[0]:
            page, title, least, words = lines.pop(0).split(b"/", 3)
            last = page or last
            numbers = (getattr(settings, name), getattr(usual, name))
            if numbers[0] != numbers[1]:
                shown = [words.split(b"|")[i - int(least)] if words else b"%d" % i for i in numbers]
                if title == b"DCD" and numbers[0] == 1:
                    shown[0] = b"DAS"
                note = b"%s: %s|USUAL: %s|A SETS IT BACK" % (last.upper(), title, shown[1])
                records.append((title, note, name, shown[0]))
        if settings.buttons != usual.buttons:
            records.append((b"BUTTONS", b"NOT AS USUAL|A SETS ALL BACK", _BUTTONS, b""))
        self.records = tuple(records) or (_NOTHING,)

    def value(self, at: int) -> bytes:
        return self.records[at][3]

    def pick(self, at: int) -> None:
        """Reset an option."""
        name = self.records[at][2]
        settings = self.context.settings
        if name == _BUTTONS:
            settings.buttons[:] = self.usual.buttons
        elif name:
            setattr(settings, name, getattr(self.usual, name))
        self.context.apply_settings()
        self.list_changes(self.context)
        self.lines = [record[0] for record in self.records]
        self.notes = [record[1] for record in self.records]
        self.at = min(at, len(self.records) - 1)
        self.top = 0
        self.scroll()
