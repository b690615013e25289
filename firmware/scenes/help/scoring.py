"""List the actions that score, each with its demonstration (Guideline 8)."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.lessons.demonstrations import LINES, NAMES, NOTES, POINTS
from firmware.scenes.menu import Menu
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context


class Scene(Menu):
    """Choose an action to watch its demonstration."""

    heading = b"SCORING"
    parent = "help.help"
    rows = 10
    font = FONT_3X5
    pitch = 8
    note_y = 98

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.lines = tuple(LINES.split(b"\n"))
        self.notes = tuple(NAMES.split(b"\n"))
        self.points = POINTS.split(b"\n")
        Menu.__init__(self, context, subject)

    def value(self, at: int) -> bytes:
        """Return the points at level 1; some actions have none."""
        return self.points[at]

    def pick(self, at: int) -> None:
        self.context.go("help.demo", at)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Write the whole name and the note of the action."""
        Menu.draw_note(self, canvas, note + b"|" + NOTES.split(b"\n")[self.at])
