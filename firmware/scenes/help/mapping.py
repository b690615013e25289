"""Show the button, or the chord of two buttons, of each control."""

from firmware.scenes.menu import Menu
from firmware.scenes.options import controls
from firmware.view.art import FONT_3X5


class Scene(controls.Scene):
    """Show the controls; the player cannot change them here."""

    heading = b"CONTROLS"
    records = (
        (b"MOVE LEFT", b"ONE CELL LEFT,|AND ON WHILE IT|IS HELD"),
        (b"MOVE RIGHT", b"ONE CELL RIGHT,|AND ON WHILE IT|IS HELD"),
        (b"SOFT DROP", b"FALL FASTER|WHILE IT IS HELD"),
        (b"HARD DROP", b"FALL AND|LOCK DOWN|AT ONCE"),
        (b"ROTATE CW", b"ROTATE IT|CLOCKWISE"),
        (b"ROTATE CCW", b"ROTATE IT|COUNTER-|CLOCKWISE"),
        (b"HOLD", b"EXCHANGE IT FOR|THE ONE IN THE|HOLD QUEUE"),
        (b"PAUSE", b"STOP. RESUME|LATER"),
    )
    parent = "help.help"
    rows = 6
    font = FONT_3X5
    pitch = 8

    def value(self, at: int) -> bytes:
        """Return the letters of a control's buttons."""
        names = controls.name_buttons(self.context.settings.buttons[at])
        return names if b"+" in names else names[:1]

    def pick(self, at: int) -> None:
        """Do nothing: the options set buttons."""

    def back(self) -> None:
        """Leave without saving."""
        Menu.back(self)
