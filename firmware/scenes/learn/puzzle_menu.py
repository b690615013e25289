"""Choose a puzzle; a plus marks solved puzzles."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.lessons.puzzle_file import Facts, describe, fetch, fill, names
from firmware.save.journal import PUZZLES
from firmware.save.puzzles import MOST_TRIES, Progress
from firmware.scenes.menu import Menu
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_COLUMNS = const(16)  # of letters in a note


class Scene(Menu):
    """List all puzzles, and below them the task of the chosen one.

    subject: the first chosen puzzle, by default the first unsolved one.
    """

    heading = b"PUZZLES"
    font = FONT_3X5
    pitch = 8
    rows = 11
    parent = "learn.menu"

    def __init__(self, context: "Context", subject: object = None) -> None:
        found = names()
        self.progress = Progress(len(found), context.journal.read(PUZZLES))
        tries = self.progress.tries
        self.lines = tuple([b"%d" % (i + 1) + (b"+" if tries[i] else b" ") + found[i] for i in range(len(found))])
        self.notes = (b"",) * len(found)
        if subject is None:
            subject = 0
            while subject < len(found) - 1 and tries[subject]:
                subject += 1
        Menu.__init__(self, context, subject)

    def pick(self, at: int) -> None:
        self.context.go("learn.puzzle_play", at)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Write the goal and the hint of the chosen puzzle, and how many tries solved it if there is room."""
        facts = Facts()
        fill(facts, fetch(self.at))
        goal = describe(facts).split(b"|")
        if len(b" ".join(goal)) > _COLUMNS:
            goal = [b" ".join(goal[:-1]), goal[-1]]
        else:
            goal = [b" ".join(goal)]
        lines = goal + facts.words.split(b"|")[1:]
        tries = self.progress.tries[self.at]
        if tries and len(lines) < 3:
            more = b"+" if tries == MOST_TRIES else b""
            lines.append(b"SOLVED, TRIES %d" % tries + more)
        elif len(lines) < 3:
            lines.append(b"%d OF %d SOLVED" % (self.progress.count(), len(self.lines)))
        Menu.draw_note(self, canvas, b"|".join(lines))
