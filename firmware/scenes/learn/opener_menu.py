"""Choose an opener, its side, and how to learn it."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.lessons.opener_file import describe, read
from firmware.save.journal import OPENERS
from firmware.save.puzzles import Progress
from firmware.scenes.menu import Menu
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

SIDES = const(64)  # a number is the opener times 2, plus 1 for the mirror, plus SIDES times one of these
SHOW = const(0)
MARKS = const(1)
ALONE = const(2)


class Scene(Menu):
    """List all openers with the best streaks; left and right choose the mirror.

    subject: the number of the first chosen one.
    """

    heading = b"OPENERS"
    font = FONT_3X5
    pitch = 8
    rows = 11
    parent = "learn.menu"

    def __init__(self, context: "Context", subject: object = None) -> None:
        number = subject % SIDES if isinstance(subject, int) else 0
        self.mirrored = number & 1
        self.lines = []
        self.notes = []
        for record in read():
            words = describe(record)
            self.lines.append(words[0])
            self.notes.append(b"|".join([b"%d/100" % record[1]] + words[1:]))
        self.tries = Progress(2 * len(self.lines), context.journal.read(OPENERS)).tries
        Menu.__init__(self, context, number >> 1)

    def value(self, at: int) -> bytes:
        best = self.tries[2 * at + self.mirrored]
        return b"%d" % best if best else b""

    def turn(self, at: int, step: int) -> bool:
        """Choose the other side."""
        self.mirrored ^= 1
        return True

    def pick(self, at: int) -> None:
        """Ask how to learn it."""
        self.context.go("learn.opener_ways_menu", 2 * at + self.mirrored)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Write the side, how many of a hundred bags allow it, and the words of the chosen opener."""
        Menu.draw_note(self, canvas, (b"<MIRROR> " if self.mirrored else b"<NORMAL> ") + note)
