"""On MicroPython a frame's way through firmware/device allocates nothing."""

from __future__ import annotations

import pytest

from tools.interpreters import NATIVE, WASM, missing, run

SCRIPT = """
from micropython import heap_lock, heap_unlock
from firmware.device.edges import EdgeQueue
from firmware.device.ssd1306 import SSD1306

class Bus:
    sent = 0
    def try_lock(self):
        return True
    def unlock(self):
        pass
    def writeto(self, address, buffer, *, start=0, end=0):
        self.sent += (end or len(buffer)) - start

class Canvas:
    buffer = bytearray(1025)
    dirty = bytearray(128)

bus = Bus()
display = SSD1306(bus, Canvas())
edges = EdgeQueue()
dirty = Canvas.dirty

def play(frames):
    for frame in range(frames):
        edges.clear()
        edges.append(frame & 7, True, 0x1FFFFFFF - frame)
        row = frame & 15
        while row < 128:
            dirty[row] = 1
            row += 1 + (frame & 3)
        display.show()

bus.sent = 0
heap_lock()
try:
    play(100)
finally:
    heap_unlock()
assert not any(dirty)
print(bus.sent > 50000)
"""


@pytest.mark.parametrize("interpreter", [WASM, NATIVE])
def test_show_and_edges_allocate_nothing(interpreter: str) -> None:
    if missing(interpreter):
        pytest.skip(missing(interpreter))
    assert run(interpreter, SCRIPT).last_line == "True"
