"""Offer the pause menu of a linked match; nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.match import pause
from firmware.scenes.menu import SAMPLE_Y
from firmware.scenes.pause import PauseMenu
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.scenes.link.play import Scene as LinkPlay

_PITCH = const(7)
_NAME_WIDTH = const(16)


class Pause(pause.Pause):
    """Cover a match; Start and B go on from any line."""

    lines: tuple[bytes, ...] = (b"RESUME", b"LEAVE")
    notes: tuple[bytes, ...] = (b"OR PRESS START.|THE OTHERS WAIT", b"YOU LOSE THE|MATCH")
    question = b"PRESS AGAIN TO|LEAVE THIS MATCH"

    def __init__(
        self, scene: "LinkPlay", resume: "Callable[[LinkPlay, int], None]", leave: "Callable[[LinkPlay, int], None]"
    ) -> None:
        PauseMenu.__init__(self, scene, resume)
        self.leave = leave

    def press(self, button: int) -> None:
        """Go on with Start."""
        if button == controls.PAUSE:
            self.back()
        else:
            PauseMenu.press(self, button)

    def pick(self, at: int) -> None:
        """Go on, or leave; to leave needs a second press."""
        if not at:
            self.back()
        elif self.asked:
            self.leave(self.scene, self.now_ms)
        else:
            self.asked = True

    def draw_sample(self) -> None:
        """Show each player's wins, and the lines sent and received in this round."""
        pause.Pause.draw_sample(self)
        canvas = self.app.canvas
        y = SAMPLE_Y
        for name in self.scene.view.names:
            y += _PITCH
            canvas.fill(0, y, _NAME_WIDTH, 5, 0)
            canvas.text(1, y, name, FONT_3X5)
