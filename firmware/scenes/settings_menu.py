"""Save the settings that a menu changes: the base of every menu with settings."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.controls import HARD_DROP, SOFT_DROP
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue

_REST_MS = const(1000)


class SettingsMenu(Menu):
    """Save the settings on leaving, and when a changed value has rested for a second: power may fail at any moment.

    touched: whether a press may have changed a value since the last save. last_ms: when it came.
    """

    touched = False
    last_ms = 0

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; save the settings if no press came for a second."""
        Menu.update(self, edges, now_ms)
        if edges.count or self.button >= 0:
            self.last_ms = now_ms
        elif self.touched and ticks_diff(now_ms, self.last_ms) >= _REST_MS:
            self.save()

    def press(self, button: int) -> None:
        """Handle one press; up and down change no value."""
        if button != HARD_DROP and button != SOFT_DROP:
            self.touched = True
        Menu.press(self, button)

    def save(self) -> None:
        """Save the settings if they changed."""
        self.touched = False
        self.context.save_settings()

    def pick(self, at: int) -> None:
        """Set the next value, or save the settings and open the line's scene."""
        if not self.turn(at, 1):
            self.save()
            self.context.go(*self.records[at][2:])

    def back(self) -> None:
        """Save the settings and leave."""
        self.save()
        Menu.back(self)
