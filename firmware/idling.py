"""Dim the screen while no button is pressed, let it sleep, and wake it."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff

if TYPE_CHECKING:
    from firmware.contracts import Device, Scene, Settings, Voice

_IDLE_MS = const(1000)
_DIM = const(0)  # the contrast of a dimmed screen


class Idling:
    """Count the seconds without a button in `idle_s`, but not while a game or a recording plays.

    since_ms: when the current second began; the first one begins when the first picture appears.
    asleep: whether the screen is dark; then nothing is drawn.
    """

    def __init__(self, device: "Device", settings: "Settings", voice: "Voice", began_ms: "int | None") -> None:
        self.display = device.display
        self.settings = settings
        self.voice = voice
        self.idle_s = 0
        self.since_ms = device.clock.ticks_ms() if began_ms is None else began_ms
        self.asleep = False

    def wake(self, now_ms: int) -> bool:
        """Light the screen again; return whether it slept: the press that wakes it does nothing else."""
        self.since_ms = now_ms
        slept = self.asleep
        if slept:
            self.asleep = False
            self.display.sleep(False)
        if self.idle_s and self.settings.dim_s:
            self.display.contrast(self.settings.contrast)
        self.idle_s = 0
        return slept

    def rest(self, now_ms: int, scene: "Scene") -> None:
        """Count a second that has passed; dim the screen or let it sleep when its time has come."""
        if ticks_diff(now_ms, self.since_ms) < _IDLE_MS:
            return
        self.since_ms = now_ms
        if hasattr(scene, "is_playing") and scene.is_playing():
            return
        self.idle_s += 1
        if self.idle_s == self.settings.sleep_s:
            self.asleep = True
            self.voice.silence()
            self.display.sleep(True)
        elif self.idle_s == self.settings.dim_s:
            self.display.contrast(_DIM)
