"""Count what a display's bus carries: the bytes sent, those of them that changed the picture, and the addressing."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.app import App
from firmware.device.handheld import Device
from firmware.device.ssd1306 import MOST_ROWS, SSD1306
from firmware.save.recordings.recording import Recording
from firmware.view.canvas import Canvas
from tools.measure import scripts

_PIXELS = 0x40
_SET_COLUMNS, _SET_PAGES = 0x21, 0x22


@dataclass
class Traffic:
    """Bytes on the bus from the second picture on."""

    pixels: int = 0
    changed: int = 0
    addressing: int = 0  # I2C addresses, control bytes and windows

    @property
    def ratio(self) -> float:
        """Return how many times what was needed was sent."""
        return (self.pixels + self.addressing) / max(1, self.changed + self.addressing)


class Bus:
    """Take transfers as a busio.I2C does and keep the memory of an SSD1306 in vertical addressing mode."""

    def __init__(self) -> None:
        self.memory = bytearray(128 * 8)
        self.window = [0, 127, 0, 7]
        self.traffic = Traffic()

    def try_lock(self) -> bool:
        """Be free."""
        return True

    def unlock(self) -> None:
        """Be free again."""

    def writeto(self, address: int, buffer: bytearray, start: int = 0, end: int | None = None) -> None:
        """Take buffer[start:end]."""
        sent = bytes(buffer[start:end])
        traffic = self.traffic
        if sent[0] != _PIXELS:
            traffic.addressing += 1 + len(sent)
            at = 1
            while at < len(sent):
                if sent[at] in (_SET_COLUMNS, _SET_PAGES):
                    place = 0 if sent[at] == _SET_COLUMNS else 2
                    self.window[place : place + 2] = sent[at + 1 : at + 3]
                    at += 2
                at += 1
            return
        traffic.addressing += 2
        traffic.pixels += len(sent) - 1
        first, last, first_page, last_page = self.window
        places = (column * 8 + page for column in range(first, last + 1) for page in range(first_page, last_page + 1))
        for place, pixels in zip(places, sent[1:], strict=True):
            traffic.changed += self.memory[place] != pixels
            self.memory[place] = pixels


class _Clock:
    now_ms = 0

    def ticks_ms(self) -> int:
        return self.now_ms


class _Silence:
    def poll(self, sink: object) -> None:
        pass

    def tone(self, hz: int, duty: int) -> None:
        pass

    def off(self) -> None:
        pass


def measure_traffic(blob: bytes) -> Traffic:
    """Play a recording at sixty frames a second until the game is over; return what went to the display."""
    recording = Recording(blob)
    while recording.read():
        pass
    frames = recording.time_ms * scripts.FRAMES_HZ // 1000 + 1
    recording.rewind()
    bus = Bus()
    display = SSD1306(bus, Canvas())
    display.most = MOST_ROWS
    clock = _Clock()
    app = App(Device(display, _Silence(), _Silence(), clock), recording=recording, first="play")
    app.change()
    for frame in range(frames):
        clock.now_ms = (frame + 1) * 1000 // scripts.FRAMES_HZ
        app.step()
        if frame == 0:
            bus.traffic = Traffic()
        if app.scene.state:
            break
    return bus.traffic
