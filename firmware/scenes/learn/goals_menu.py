"""Show the goals: which are reached, and what is next (modes/README 22)."""

from firmware.compat import TYPE_CHECKING
from firmware.save.goals import COUNT, STEP, count_saves, has, judge, load, read
from firmware.scenes.menu import Menu
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context


class Scene(Menu):
    """List all goals, the reached ones with a plus; begin with the first one that is left.

    Left and right go to the first goal of a step, A to that of the next one: nothing is locked.
    """

    heading = b"GOALS"
    font = FONT_3X5
    pitch = 8
    rows = 11
    parent = "learn.menu"

    def __init__(self, context: "Context", subject: object = None) -> None:
        judge(context, count_saves(context.journal))  # what no game's result has told: puzzles, openers, rounds
        record = load(context.journal)
        lines: "list[bytes]" = []
        notes: "list[bytes]" = []
        self.lines = lines
        self.notes = notes
        done = first = 0
        for name, _, words in read():
            sign = b"  "
            if has(record, len(lines)):
                sign = b"+ "
                first += first == len(lines)
                done += 1
            lines.append(sign + name)
            notes.append(words)
        self.done = done
        Menu.__init__(self, context, first % COUNT)

    def value(self, at: int) -> bytes:
        return b"%d" % (at // STEP + 1)

    def turn(self, at: int, step: int) -> bool:
        self.choose((at // STEP + step) * STEP % COUNT)
        return True

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Write how to reach the goal, and how many are reached."""
        Menu.draw_note(self, canvas, note + b"|%d OF %d REACHED" % (self.done, COUNT))
