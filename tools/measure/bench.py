"""Build a handheld whose bus counts bytes and whose clock moves only by tick().

This text is put in front of every measuring script and runs on MicroPython; no module imports it.
`BASE` is the heap in use before the firmware is imported. Scripts call gc.collect() from their
top level only (see tools/interpreters.py).
"""

import gc


class Bus:
    """Take the bytes that go to the display as a busio.I2C would; `count` counts them, address bytes too."""

    def __init__(self):
        self.count = 0

    def try_lock(self):
        return True

    def unlock(self):
        pass

    def writeto(self, address, buffer, start=0, end=None):
        self.count += 1 + (len(buffer) if end is None else end) - start


# LEFT, RIGHT, SOFT_DROP, ROTATE_CW, ROTATE_CCW, HOLD and one HARD_DROP: a Tetrimino moves around, and
# in a thousand frames the Blocks do not reach the Skyline.
CHOICES = b"\x00\x01\x00\x01\x04\x05\x00\x01\x04\x02\x00\x01\x06\x04\x02\x03"


class Buttons:
    """Press and release one button after another at random, the same way every run."""

    def __init__(self, clock, seed):
        self.clock = clock
        self.seed = seed
        self.held = -1
        self.at_play = seed != 0

    def poll(self, sink):
        if not self.at_play:
            return
        self.seed = seed = (self.seed * 1021 + 12345) & 0xFFFFF
        if self.held >= 0:
            if seed & 0x3000:
                return
            sink.append(self.held, 0, self.clock.now_ms)
            self.held = -1
        else:
            self.held = CHOICES[seed >> 8 & 15]
            sink.append(self.held, 1, self.clock.now_ms)


class Buzzer:
    def tone(self, hz, duty):
        pass

    def off(self):
        pass


class Clock:
    """Advance only by tick(): sixty frames a second, which are three in 50 ms."""

    def __init__(self):
        self.now_ms = 0
        self.frame = 0

    def tick(self):
        self.frame += 1
        self.now_ms = self.frame * 50 // 3

    def ticks_ms(self):
        return self.now_ms

    def wait_until(self, t_ms):
        pass


def build(bus, seed=0, mark=None):
    """Return a Device on `bus`; a seed from 1 to 0xFFFFF presses its buttons at random.

    mark: called before each show().
    """
    from firmware.device.handheld import Device
    from firmware.device.ssd1306 import MOST_ROWS, SSD1306
    from firmware.view.canvas import Canvas

    class Marked(SSD1306):
        def show(self):
            mark()
            SSD1306.show(self)

    clock = Clock()
    display = (Marked if mark else SSD1306)(bus, Canvas())
    display.most = MOST_ROWS
    return Device(display, Buttons(clock, seed), Buzzer(), clock)


def length_ms(recording):
    while recording.read():
        pass
    whole_ms = recording.time_ms
    recording.rewind()
    return whole_ms


gc.collect()
BASE = gc.mem_alloc()
