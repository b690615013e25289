"""Show which button, or chord of two, each control is now."""

from firmware.scenes.options import controls
from firmware.view.art import FONT_3X5


class Scene(controls.Scene):
    """Look at the controls without changing them."""

    heading = b"CONTROLS"
    lines = (
        b"MOVE LEFT",
        b"MOVE RIGHT",
        b"SOFT DROP",
        b"HARD DROP",
        b"ROTATE CW",
        b"ROTATE CCW",
        b"HOLD",
        b"PAUSE",
    )
    notes = (
        b"ONE CELL LEFT,|AND ON WHILE IT|IS HELD",
        b"ONE CELL RIGHT,|AND ON WHILE IT|IS HELD",
        b"FALL FASTER|WHILE IT IS HELD",
        b"FALL AND|LOCK DOWN|AT ONCE",
        b"ROTATE IT|CLOCKWISE",
        b"ROTATE IT|COUNTER-|CLOCKWISE",
        b"EXCHANGE IT FOR|THE ONE IN THE|HOLD QUEUE",
        b"STOP, AND GO ON|LATER",
    )
    parent = "help"
    parent_at = 1
    rows = 6
    font = FONT_3X5
    pitch = 8

    def value(self, at: int) -> bytes:
        """Return the buttons of a control by the letters that the picture of them shows."""
        names = controls.name_buttons(self.app.settings.buttons[at])
        return names if b"+" in names else names[:1]

    def pick(self, at: int) -> None:
        """Leave it as it is: the options set the buttons."""

    def back(self) -> None:
        """Leave."""
        self.app.go(self.parent, self.parent_at)
