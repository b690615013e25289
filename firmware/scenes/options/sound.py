"""Set music and effects (Guideline 2.5.5, 2.5.6)."""

from firmware.compat import const
from firmware.scenes.choices import Choices
from firmware.scenes.menu import SAMPLE_HEIGHT, SAMPLE_Y

_ON = (b"OFF", b"ON")
_VOLUMES = (1, 2, 3, 4, 5)
_TUNE_AT = const(2)
_EFFECTS_AT = const(3)
_TUNES = const(3)
_TUNE_NOTE = (
    b"KOROBEINIKI,|A FOLK SONG/MINUET IN G,|BY PETZOLD/"
    b"IN THE HALL OF|THE MOUNTAIN|KING, BY GRIEG/ANOTHER TUNE|FOR EACH GAME"
)


class Scene(Choices):
    """Show the volume as bars; every change sounds as it is from then on."""

    heading = b"SOUND"
    lines = (b"MUSIC", b"VOLUME", b"TUNE", b"EFFECTS", b"VOLUME")
    notes = (
        b"NO MUSIC/MUSIC WHILE|YOU PLAY",
        b"HOW LOUD|THE MUSIC IS",
        _TUNE_NOTE,
        b"NO EFFECTS/A SOUND FOR ALL|THAT HAPPENS",
        b"HOW LOUD|EFFECTS ARE",
    )
    parent_at = 6
    fields = (
        ("music_on", (0, 1), _ON),
        ("music_volume", _VOLUMES, None),
        ("tune", (0, 1, 2, 3), (b"KOROBEI.", b"MINUET", b"MT. KING", b"RANDOM")),
        ("effects_on", (0, 1), _ON),
        ("effects_volume", _VOLUMES, None),
    )

    def set(self, name: str, value: int) -> None:
        """Set a field; a setting of the music is heard."""
        Choices.set(self, name, value)
        settings = self.app.settings
        voice = self.app.voice
        if self.at < _EFFECTS_AT and settings.music_on:
            if name == "tune" or not voice.playing:
                voice.play_tune(settings.tune % _TUNES)
        elif not settings.music_on:
            voice.stop_tune()

    def back(self) -> None:
        """End the music and leave."""
        self.app.voice.stop_tune()
        Choices.back(self)

    def draw_sample(self) -> None:
        """Draw a bar for each step of the volume, those beyond it but their feet; a tune is heard."""
        settings = self.app.settings
        if self.at == _TUNE_AT:
            return
        if self.at < _EFFECTS_AT:
            volume = settings.music_volume if settings.music_on else 0
        else:
            volume = settings.effects_volume if settings.effects_on else 0
        for i in range(len(_VOLUMES)):
            height = 6 * i + 6 if i < volume else 2
            self.app.canvas.fill(9 + i * 10, SAMPLE_Y + SAMPLE_HEIGHT - 2 - height, 7, height, 1)
