"""Offer the pause menu of a linked match; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.match import pause
from firmware.scenes.pause import PauseMenu

if TYPE_CHECKING:
    from firmware.contracts import Callable, LinkPlay

_OPTIONS = const(1)


class Page(pause.Pause):
    """Cover a match; Start and B resume it from any line."""

    scene: "LinkPlay"
    lines: tuple[bytes, ...] = (b"RESUME", b"OPTIONS", b"LEAVE")
    notes: tuple[bytes, ...] = (b"OR PRESS START:|THE OTHERS WAIT", b"HANDLING|AND SOUND", b"YOU LOSE IT")
    question = b"PRESS AGAIN|TO LEAVE"

    def __init__(self, scene: "LinkPlay", resume: "Callable[[LinkPlay, int], None]") -> None:
        PauseMenu.__init__(self, scene, resume)

    def press(self, button: int) -> None:
        """Handle one press; Start resumes."""
        if button == controls.PAUSE:
            self.back()
        else:
            PauseMenu.press(self, button)

    def pick(self, at: int) -> None:
        """Resume, show the options, or leave; leaving needs a second press."""
        if not at:
            self.back()
        elif at == _OPTIONS:
            self.scene.stop.ask_for("link.options")
        elif self.asked:
            self.scene.stop.leave(self.now_ms)
        else:
            self.asked = True

    def name(self, number: int) -> bytes:
        return self.scene.view.names[number]
