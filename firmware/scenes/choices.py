"""Set fields of the settings: the base of the pages of OPTIONS."""

from firmware.compat import TYPE_CHECKING, const
from firmware.scenes.menu import SAMPLE_ROWS, Menu
from firmware.scenes.settings_menu import SettingsMenu

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_SETTING = const(5)  # entries in the record of a setting


class Choices(SettingsMenu):
    """Apply changes of the settings at once.

    The record of a setting is the line, its note, the name of the setting, its values, and the words for the values, or
    None to show numbers. After the last value comes the first. A record without values leads to a scene. A note may
    have one part for each value, separated by slashes.
    """

    parent = "options.options"
    rows = SAMPLE_ROWS

    def setting(self) -> str:
        """Return the name of the chosen line's setting or scene."""
        return self.records[self.at][2]

    def value(self, at: int) -> bytes:
        record = self.records[at]
        if len(record) < _SETTING:
            return b""
        _line, _note, name, _values, words = record
        return words[self.index(at)] if words else str(getattr(self.context.settings, name)).encode()

    def index(self, at: int) -> int:
        """Return the index of a line's value among its offered values, or of the next greater one."""
        _line, _note, name, values, _words = self.records[at]
        value = getattr(self.context.settings, name)
        i = 0
        while i < len(values) - 1 and values[i] < value:
            i += 1
        return i

    def turn(self, at: int, step: int) -> bool:
        """Set a line to the value before or after the current one; return whether it has values."""
        record = self.records[at]
        if len(record) < _SETTING:
            return False
        values = record[3]
        self.set(record[2], values[(self.index(at) + step) % len(values)])
        return True

    def set(self, name: str, value: int) -> None:
        """Set a field and apply it."""
        setattr(self.context.settings, name, value)
        self.context.apply_settings()

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Draw the note of the line, or of its value."""
        if b"/" in note:
            note = note.split(b"/")[self.index(self.at)]
        Menu.draw_note(self, canvas, note)
