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
    """

    rows = SAMPLE_ROWS
    question = b""
    was_held = False

    def __init__(self, scene: "Covered", resume: "Callable[[Any, int], None]") -> None:
        self.scene = scene
        self.resume = resume
        self.asked = False
        Menu.__init__(self, scene.context)

    def is_held(self, edges: "EdgeQueue", now_ms: int) -> bool:
        """Return, once, whether START, whose press led here, has been held so long that it begins again."""
        since_ms = self.scene.start_ms
        if since_ms < 0 or self.was_held or edges.waiting or ticks_diff(now_ms, since_ms) < START_HELD_MS:
            return False
        self.was_held = True
        return RESTART in self.lines

    def press(self, button: int) -> None:
        """Handle one press except Start; forget the question at any press but A."""
        if button >= controls.PAUSE:  # the Target Mark, too
            return
        asked = self.asked
        Menu.press(self, button)
        if asked:
            self.asked = False
            self.fresh = True

    def value(self, at: int) -> bytes:
        """Return a question mark for the line that asks."""
        return b"?" if self.asked and at == self.at else b""

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        Menu.draw_note(self, canvas, self.question if self.asked else note)
