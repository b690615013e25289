"""Count the bytes on a display's bus: those sent, those that changed the picture, and the addressing."""

from dataclasses import dataclass
from operator import ne

from firmware.app import App
from firmware.device.handheld import Device
from firmware.device.ssd1306 import MOST_ROWS, SSD1306
from firmware.save.recordings.recording import Recording
from firmware.view.canvas import Canvas
from sim.bus import I2C
from sim.chip import Ssd1306Chip
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.desktop.speaker import NoSpeaker
from tools.measure import scripts

_PIXELS = 0x40


@dataclass
class Traffic:
    """Bytes on the bus from the second picture on."""

    pixels: int = 0
    changed: int = 0
    addressing: int = 0  # I2C addresses, control bytes and windows

    @property
    def ratio(self) -> float:
        """Return the bytes sent divided by the bytes needed."""
        return (self.pixels + self.addressing) / max(1, self.changed + self.addressing)


class CountingChip(Ssd1306Chip):
    def __init__(self) -> None:
        super().__init__()
        self.traffic = Traffic()

    def write(self, transfer: bytes | bytearray | memoryview) -> None:
        before = bytes(self.memory)
        super().write(transfer)
        if transfer[0] == _PIXELS:
            self.traffic.addressing += 2
            self.traffic.pixels += len(transfer) - 1
            self.traffic.changed += sum(map(ne, before, self.memory))
        else:
            self.traffic.addressing += 1 + len(transfer)


def measure_traffic(blob: bytes) -> Traffic:
    """Play a recording at sixty frames a second until the game is over; return its bytes on the bus."""
    recording = Recording(blob)
    while recording.read():
        pass
    frames = recording.time_ms * scripts.FRAMES_HZ // 1000 + 1
    recording.rewind()
    chip = CountingChip()
    display = SSD1306(I2C(chip), Canvas())
    display.most = MOST_ROWS
    clock = VirtualClock()
    app = App(Device(display, NoButtons(), NoSpeaker(), clock), recording=recording, first="play")
    app.router.change(app.context)
    for frame in range(frames):
        clock.passed_ms = (frame + 1) * 1000 // scripts.FRAMES_HZ
        app.step()
        if frame == 0:
            chip.traffic = Traffic()
        if app.router.scene.state:
            break
    return chip.traffic
