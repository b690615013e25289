"""Set fields of the settings: the base of the pages of OPTIONS."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.menu import SAMPLE_ROWS, Menu

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Canvas


class Choices(Menu):
    """Set fields of the settings at once; save them on leaving.

    fields: one of (name, values, words) a line; with no words the value shows as a number.
    A line without a setting has None.  All go round.  A note may say of each value what it does, parted by slashes.
    """

    parent = "options"
    rows = SAMPLE_ROWS
    fields: "tuple[Any, ...]" = ()

    def setting(self) -> int:
        """Return the value of the chosen line."""
        return getattr(self.app.settings, self.fields[self.at][0])

    def value(self, at: int) -> bytes:
        """Return the value of a line."""
        field = self.fields[at]
        if not field:
            return b""
        value = getattr(self.app.settings, field[0])
        if not field[2]:
            return str(value).encode()
        return field[2][self.index(field)]

    def index(self, field: "tuple[Any, ...]") -> int:
        """Return the place of the current value among those offered, or of the next greater one."""
        value = getattr(self.app.settings, field[0])
        values = field[1]
        i = 0
        while i < len(values) - 1 and values[i] < value:
            i += 1
        return i

    def turn(self, at: int, step: int) -> bool:
        """Take the value before or after the current one."""
        field = self.fields[at]
        if not field:
            return False
        self.set(field[0], field[1][(self.index(field) + step) % len(field[1])])
        return True

    def set(self, name: str, value: int) -> None:
        """Set a field and apply it."""
        setattr(self.app.settings, name, value)
        self.app.adjust()

    def pick(self, at: int) -> None:
        """Take the next value, after the last the first."""
        self.turn(at, 1)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Draw the note of the line, or of its value."""
        if b"/" in note:
            note = note.split(b"/")[self.index(self.fields[self.at])]
        Menu.draw_note(self, canvas, note)

    def back(self) -> None:
        """Keep the settings and leave."""
        self.app.keep()
        self.app.go(self.parent, self.parent_at)
