"""Save the settings that a menu changes: the base of every menu with settings."""

from firmware.compat import const, ticks_diff
from firmware.scenes.menu import Menu

REST_MS = const(1000)


class SettingsMenu(Menu):
    """Save the settings on leaving, and when a changed value has rested for a second: power may fail at any moment.

    touched: whether a press may have changed a value since the last save. last_ms: when it came. seen_ms, seen: what
    `until_ms` and the line were in the last frame. All this is done in `draw`, because the calls of `update` are deep.
    """

    touched = False
    last_ms = seen_ms = seen = 0

    def draw(self) -> None:
        """Draw changes; save the settings if no press that can change a value came for a second."""
        Menu.draw(self)
        if self.seen_ms != self.until_ms:
            # A cursor that moves on leaves a value at rest, but some values move the cursor.
            if self.seen == self.at or not self.touched:
                self.last_ms = self.now_ms
            self.touched = True
        elif self.touched and ticks_diff(self.now_ms, self.last_ms) >= REST_MS:
            self.touched = False
            self.save()
        self.seen_ms = self.until_ms
        self.seen = self.at

    def save(self) -> None:
        """Save the settings if they changed."""
        self.context.save_settings()

    def pick(self, at: int) -> None:
        """Set the next value, or save the settings and open the line's scene."""
        if not self.turn(at, 1):
            self.context.save_settings()
            self.context.go(*self.records[at][2:])

    def back(self) -> None:
        self.context.save_settings()
        Menu.back(self)
