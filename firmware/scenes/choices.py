"""Set fields of the settings: the base of the pages of OPTIONS."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.scenes.menu import REPEAT_MS, SAMPLE_ROWS, Menu
from firmware.scenes.settings_menu import SettingsMenu

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_SETTING = const(5)  # entries in the record of a setting
_MS = (b"MS",)
_RUN = const(8)  # repeats before a held direction takes tens
_FRAMES = const(6)  # hundredths of a frame of 60 Hz in a millisecond


class Choices(SettingsMenu):
    """Apply changes of the settings at once.

    The record of a setting is the line, its note, the name of the setting, its values, and the words for the values, or
    None to show numbers. A joined line has several names: the first counts 1, the second 2. After the last value comes
    the first. A record without values leads to a scene. A note may
    have one part for each value, separated by slashes. With the word MS every millisecond from the first value to the
    last can be set, and a note of two lines follows the number of frames.
    """

    parent = "options.options"
    rows = SAMPLE_ROWS
    run = 0  # repeats of a held direction

    def setting(self) -> str:
        """Return the name of the chosen line's setting or scene."""
        return self.records[self.at][2]

    def value(self, at: int) -> bytes:
        record = self.records[at]
        if len(record) < _SETTING:
            return b""
        line, _note, name, _values, words = record
        if words == _MS:
            value = self.get(name)
            return b"DAS" if value == 1 and line == b"DCD" else b"%d MS" % value
        return words[self.index(at)] if words else b"%d" % self.get(name)

    def index(self, at: int) -> int:
        """Return the index of a line's value among its offered values, or of the next greater one."""
        _line, _note, name, values, _words = self.records[at]
        value = self.get(name)
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
        if record[4] == _MS:
            # A held direction steps by 1, then from ten to ten.
            self.run = self.run + 1 if ticks_diff(self.until_ms, self.now_ms) == REPEAT_MS else 0
            pace = 10 if self.run > _RUN else 1
            value = self.get(record[2])
            value = (value // pace + 1) * pace if step > 0 else (value - 1) // pace * pace
            self.set(record[2], max(values[0], min(values[1], value)))
            return True
        self.set(record[2], values[(self.index(at) + step) % len(values)])
        return True

    def get(self, name: str) -> int:
        """Return a setting, or the value of a joined line."""
        value = shift = 0
        for each in name.split():
            value += getattr(self.context.settings, each) << shift
            shift += 1
        return value

    def set(self, name: str, value: int) -> None:
        """Set one setting, or each of a joined line, and apply it."""
        names = name.split()
        for each in names[:-1]:
            setattr(self.context.settings, each, value & 1)
            value >>= 1
        setattr(self.context.settings, names[-1], value)
        self.context.apply_settings()

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        record = self.records[self.at]
        if len(record) == _SETTING and record[4] == _MS:
            value = self.get(record[2])
            if value == 1 and record[0] == b"DCD":
                value = self.context.settings.das_ms
            tenths = (value * _FRAMES + 5) // 10
            note = b"%d.%d FRAMES|%s" % (tenths // 10, tenths % 10, note)
        elif b"/" in note:
            note = note.split(b"/")[self.index(self.at)]
        Menu.draw_note(self, canvas, note)
