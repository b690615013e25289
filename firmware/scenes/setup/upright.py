"""Ask whether the picture is upright."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import controls
from firmware.scenes.setup.step import Step, write
from firmware.sound.effects import MENU_MOVE

if TYPE_CHECKING:
    from firmware.contracts import Canvas


class Scene(Step):
    """Show an arrow that must point upward; any button but A turns the picture."""

    heading = b"UPRIGHT"
    following = "setup.speed"
    at = 1

    def press(self, button: int) -> None:
        """Accept the picture, or turn it."""
        context = self.context
        if button == controls.ROTATE_CW or button == controls.PAUSE:
            self.finish()
            return
        context.settings.turned = 1 - context.settings.turned
        self.touch()
        context.voice.tell_menu(MENU_MOVE)

    def draw_all(self, canvas: "Canvas") -> None:
        for i in range(20):
            canvas.fill(31 - i, 26 + i, 2 + 2 * i, 1, 1)
        canvas.fill(25, 46, 14, 26, 1)
        write(canvas, 82, b"DOES THE ARROW|POINT UP?")
        write(canvas, 106, b"A YES|B ROTATE")
