"""Ask for the volume."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.setup.step import Step, write
from firmware.sound.effects import MENU_CHOOSE
from firmware.view.art import FONT_3X7

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_LOUDEST = const(5)


class Scene(Step):
    """Set the volume of music and effects together, with a sound at each step."""

    heading = b"LOUDNESS"
    following = "setup.handling"
    at = 3

    def press(self, button: int) -> None:
        """Raise or lower the volume, or finish."""
        context = self.context
        settings = context.settings
        if button == controls.ROTATE_CW or button == controls.PAUSE:
            self.finish()
            return
        louder = button == controls.RIGHT or button == controls.HARD_DROP
        if louder or button == controls.LEFT or button == controls.SOFT_DROP:
            level = settings.effects_volume + (1 if louder else -1)
            if 1 <= level <= _LOUDEST:
                settings.effects_volume = level
                settings.music_volume = level
                self.touch()
            context.voice.tell_menu(MENU_CHOOSE)

    def draw_all(self, canvas: "Canvas") -> None:
        level = self.context.settings.effects_volume
        for i in range(_LOUDEST):
            height = 8 + 8 * i
            canvas.fill(9 + 10 * i, 70 - height, 7, height, 1)
            if i >= level:
                canvas.fill(10 + 10 * i, 71 - height, 5, height - 2, 0)
        canvas.number(30, 76, level, -1, 1, FONT_3X7, False)
        write(canvas, 90, b"LEFT SOFTER|RIGHT LOUDER")
        write(canvas, 113, b"A NEXT")
