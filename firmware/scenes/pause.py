"""Cover a game or a match with a pause menu (Guideline 13.1.6): the base class of both pause menus."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.scenes.menu import SAMPLE_ROWS, Menu
from firmware.scenes.play_state import START_HELD_MS

if TYPE_CHECKING:
    from firmware.contracts import Any, Callable, Canvas, Covered, EdgeQueue

MOMENT_MS = const(10_000)  # a shorter game restarts without a question
RESTART = b"RESTART"


class PauseMenu(Menu):
    """Cover a scene of play with a menu; the scene itself handles Start, which resumes from any line.

    resume: the function that resumes the scene at a time of the clock.
    asked: whether `question` asks for a second press of A, because the chosen line loses a game.
    waits: whether START is down again under the question to restart: held it confirms, released it resumes.
    """

    rows = SAMPLE_ROWS
    question = b""
    was_held = waits = False

    def __init__(self, scene: "Covered", resume: "Callable[[Any, int], None]") -> None:
        self.scene = scene
        self.resume = resume
        self.asked = False
        Menu.__init__(self, scene.context)

    def is_held(self, edges: "EdgeQueue", now_ms: int) -> bool:
        """Return, once, whether START, whose press led here, has been held so long that it begins again.

        While it `waits`, its release resumes, and no press counts: with remapped buttons its own would be B.
        """
        since_ms = self.scene.start_ms
        if since_ms < 0 and self.waits:
            self.resume(self.scene, now_ms)
        if since_ms < 0 or self.was_held or edges.waiting or ticks_diff(now_ms, since_ms) < START_HELD_MS:
            return False
        self.was_held = True
        return RESTART in self.lines

    def delays_resume(self, t_ms: int) -> bool:
        """Return whether START, pressed at `t_ms`, resumes only at its release, because the question is open."""
        # A resume by B has another time.
        if self.asked and t_ms == self.scene.start_ms and self.lines[self.at] == RESTART:
            self.waits = True
            self.was_held = False
            return True
        return False

    def press(self, button: int) -> None:
        """Handle one press except Start; forget the question at any press but A, Left and Right, a chord of START."""
        if button >= controls.PAUSE:  # the Target Mark, too
            return
        asked = self.asked
        Menu.press(self, button)
        if asked and button > controls.RIGHT:
            self.asked = False
            self.fresh = True

    def value(self, at: int) -> bytes:
        """Return a question mark for the line that asks."""
        return b"?" if self.asked and at == self.at else b""

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        Menu.draw_note(self, canvas, self.question if self.asked else note)
