"""Choose the number of Tetriminos of all-clear tasks."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.lessons.all_clear_file import FEWEST, GRADES
from firmware.save.all_clears import BEST, RUN, Runs
from firmware.save.journal import ALL_CLEARS
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Context


class Scene(Menu):
    """List the grades, each with its longest run. subject: the first chosen grade."""

    heading = b"ALL CLEAR"
    parent = "learn.menu"

    def __init__(self, context: "Context", subject: object = None) -> None:
        runs = Runs(context.journal.read(ALL_CLEARS))
        self.bests = [runs.field(grade, BEST) for grade in range(GRADES)]
        self.lines = tuple([b"%d PIECES" % (FEWEST + grade) for grade in range(GRADES)])
        self.notes = tuple([self.tell(runs, grade) for grade in range(GRADES)])
        Menu.__init__(self, context, subject if isinstance(subject, int) else 0)

    def tell(self, runs: Runs, grade: int) -> bytes:
        if not runs.field(grade, BEST):
            return b"LEAVE NO BLOCK,|TASK AFTER TASK"
        return b"SOLVED IN A ROW:|NOW %d BEST %d" % (runs.field(grade, RUN), runs.field(grade, BEST))

    def value(self, at: int) -> bytes:
        return b"%d" % self.bests[at] if self.bests[at] else b""

    def pick(self, at: int) -> None:
        """Play tasks of this grade."""
        self.context.go("learn.all_clear_play", at)
