"""Set music and effects (Guideline 2.5.5, 2.5.6)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import SAMPLE_HEIGHT, SAMPLE_Y

if TYPE_CHECKING:
    from typing import Any

_VOLUMES = const(5)
_TETRIMINOS = const(7)
_FIGURE_MS = const(1200)


class Scene(Choices):
    """Show the volume as bars; every change can be heard at once. BY EAR shows and plays one Tetrimino after the other.

    ear: the voice that plays figures, or None. piece: the Tetrimino that shows. due_ms: when the next one follows.
    """

    heading = b"SOUND"
    records = list_menu("sound")
    ear: "Any" = None
    piece = 0
    due_ms = 0

    def set(self, name: str, value: int) -> None:
        """Set a field; play the music if its settings change."""
        Choices.set(self, name, value)
        settings = self.context.settings
        voice = self.context.voice
        if name == "by_ear":
            voice.stop_tune()
        elif not name.startswith("effects") and settings.music_on:
            if name == "tune" or not voice.playing:
                voice.play_tune(settings.tune)
        elif not settings.music_on:
            voice.stop_tune()

    def back(self) -> None:
        """End the music and leave."""
        self.context.voice.stop_tune()
        Choices.back(self)

    def animate(self) -> None:
        """Show the next Tetrimino with its figure while the cursor is at BY EAR."""
        if self.setting() != "by_ear" or not self.context.settings.by_ear:
            if self.ear:
                self.ear.silence()
                self.ear = None
            return
        if not self.ear:
            from firmware.sound.by_ear import Ear

            self.ear = Ear(self)
            self.due_ms = self.now_ms
        if ticks_diff(self.now_ms, self.due_ms) >= 0:
            # Imported late: few players learn the figures.
            from firmware.view.sample import PLAIN, draw_tetrimino

            self.due_ms = ticks_add(self.due_ms, _FIGURE_MS)
            self.piece = self.piece % _TETRIMINOS + 1
            self.ear.hush()
            self.ear.add_figure(self.piece)
            self.context.canvas.fill(0, SAMPLE_Y, 64, SAMPLE_HEIGHT, 0)
            draw_tetrimino(self.context.canvas, 24, SAMPLE_Y + 24, self.piece, 0, PLAIN)
        self.ear.update(self.now_ms)

    def draw_sample(self) -> None:
        """Draw a bar for each step up to the volume, and short bars beyond it."""
        settings = self.context.settings
        name = self.setting()
        if name == "tune" or name == "by_ear":
            return
        if name.startswith("music"):
            volume = settings.music_volume if settings.music_on else 0
        else:
            volume = settings.effects_volume if settings.effects_on else 0
        for i in range(_VOLUMES):
            height = 6 * i + 6 if i < volume else 2
            self.context.canvas.fill(9 + i * 10, SAMPLE_Y + SAMPLE_HEIGHT - 2 - height, 7, height, 1)
