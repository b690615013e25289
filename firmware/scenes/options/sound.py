"""Set music and effects (Guideline 2.5.5, 2.5.6)."""

from firmware.compat import const
from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import SAMPLE_HEIGHT, SAMPLE_Y

_VOLUMES = const(5)
_TUNES = const(3)


class Scene(Choices):
    """Show the volume as bars; every change can be heard at once."""

    heading = b"SOUND"
    records = list_menu("sound")

    def set(self, name: str, value: int) -> None:
        """Set a field; play the music if its settings change."""
        Choices.set(self, name, value)
        settings = self.context.settings
        voice = self.context.voice
        if not name.startswith("effects") and settings.music_on:
            if name == "tune" or not voice.playing:
                voice.play_tune(settings.tune % _TUNES)
        elif not settings.music_on:
            voice.stop_tune()

    def back(self) -> None:
        """End the music and leave."""
        self.context.voice.stop_tune()
        Choices.back(self)

    def draw_sample(self) -> None:
        """Draw a bar for each step up to the volume, and short bars beyond it."""
        settings = self.context.settings
        name = self.setting()
        if name == "tune":
            return
        if name.startswith("music"):
            volume = settings.music_volume if settings.music_on else 0
        else:
            volume = settings.effects_volume if settings.effects_on else 0
        for i in range(_VOLUMES):
            height = 6 * i + 6 if i < volume else 2
            self.context.canvas.fill(9 + i * 10, SAMPLE_Y + SAMPLE_HEIGHT - 2 - height, 7, height, 1)
