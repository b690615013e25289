"""Play all-clear tasks without end (modes/README 11)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import events
from firmware.scenes.learn.puzzle_play import Scene as PuzzlePlay
from firmware.scenes.learn.puzzle_stop import SOLVED
from firmware.view.layouts.all_clear import View

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue


class Scene(PuzzlePlay):
    """Play tasks of grade `subject`, from 0: each solved one leads to the next at once.

    Start restarts the task, or opens the panel as in a puzzle. There right gives a hint, and down skips the task.

    task: the packed task, b"" before one is dealt. number: the run. shown: whether a hint was given.
    """

    look = View
    view: View

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        self.grade = subject or 0
        self.task = b""
        self.runs: "Any" = None  # the record, once it is read
        PuzzlePlay.__init__(self, context)

    def rest(self) -> "Any":
        """Return the module all_clear_stop, which play does not keep in memory."""
        from firmware.scenes.learn import all_clear_stop

        return all_clear_stop

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; after a solved task go on with the next."""
        PuzzlePlay.update(self, edges, now_ms)
        # Not in `announce_events`: dealing needs a board's whole stack.
        if self.state == SOLVED:
            self.rest().go_on(self, True)

    def announce_events(self, happened: int) -> None:
        """Handle events; a Lock Down ends the hint."""
        view = self.view
        if happened & events.LOCKED and view.shown:
            view.shown = view.swaps = False
            view.reset()
        PuzzlePlay.announce_events(self, happened)
