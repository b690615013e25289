"""Measure both drivers of a Raspberry Pi's display on our recorded game: bytes on the bus, and calls of functions.

python -m tools.measure.blinka           print a table
python -m tools.measure.blinka --fill    write it into sim/README.md, too
"""

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Any

from firmware.device.ssd1306 import SSD1306
from firmware.view.canvas import Canvas
from sim import terminal
from sim.blinka.wiring import KINDS
from sim.bus import I2C
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from sim.display import ChipDisplay
from sim.game_files import DEMO
from sim.game_record import load
from tools import ROOT
from tools.markdown import lay_out, show

if TYPE_CHECKING:
    from firmware.contracts import Sheet

PAGE = ROOT / "sim" / "README.md"
_COMMAND = "python -m tools.measure.blinka --fill"
_SPEEDS_HZ = (100_000, 400_000)
_BITS = 9  # of a byte on I2C


class Mirror(ChipDisplay):
    """Show on another driver's chip what the game draws; note the bytes and the calls of each picture after the first.

    chip: the model on `bus`.
    """

    def __init__(self, make_driver: "Callable[[I2C, Canvas], Sheet]") -> None:
        super().__init__()
        self._driver = make_driver(self.bus, self.canvas)
        self.bytes_each: list[int] = []
        self.calls_each: list[int] = []

    def show(self) -> None:
        sent = self.bus.bytes
        calls = count_calls(self._driver.show)
        self.bytes_each.append(self.bus.bytes - sent)
        self.calls_each.append(calls)
        if self.shown:
            self.shown()


def count_calls(work: Callable[[], object]) -> int:
    """Do `work`; return how many functions it called."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def make_displayio(bus: I2C, canvas: Canvas) -> "Any":
    os.environ["BLINKA_OS_AGNOSTIC"] = "1"  # any computer counts as a board
    screen = import_module("firmware.device.displayio_screen").DisplayioScreen
    wires = import_module("i2cdisplaybus").I2CDisplayBus(bus, device_address=0x3C)
    driver = import_module("adafruit_displayio_ssd1306").SSD1306
    return screen(driver(wires, width=64, height=128, rotation=90, auto_refresh=False), canvas)


def measure(make_driver: "Callable[[I2C, Canvas], Sheet]") -> tuple[list[int], list[int]]:
    """Return the bytes and the calls of each picture of the recorded game, from the third on: two are whole ones."""
    display = Mirror(make_driver)
    session = Session(VirtualClock(), NoButtons(), NoSpeaker(), recording=load(DEMO.read_bytes()), display=display)
    session.until_end = True
    session.run()
    assert display.picture == bytes(display.canvas.buffer[1:]), "the chip shows another picture"
    return display.bytes_each[2:], display.calls_each[2:]


def make_table() -> str:
    heads = ["`SKYLINE_DISPLAY`", "bytes a picture: mean", "most"]
    heads += [f"most, on the bus at {hz // 1000} kHz" for hz in _SPEEDS_HZ] + ["calls a picture: mean", "most"]
    rows = []
    makers: list[Callable[[I2C, Canvas], Sheet]] = [SSD1306, make_displayio]
    for kind, make_driver in zip(KINDS, makers, strict=True):
        sizes, calls = measure(make_driver)
        times = [f"{max(sizes) * _BITS * 1000 / hz:.0f} ms" for hz in _SPEEDS_HZ]
        mean = [f"{sum(sizes) / len(sizes):.0f}", str(max(sizes)), *times]
        rows.append([f'`"{kind}"`', *mean, f"{sum(calls) / len(calls):.0f}", f"{max(calls):,}"])
    return lay_out(heads, rows)


def main(arguments: list[str] | None = None) -> int:
    """Print the table, or fill it into the page; return the exit code."""
    parser = terminal.Parser(prog="python -m tools.measure.blinka", description=(__doc__ or "").split("\n")[0])
    terminal.add_fill(parser, f"write the table into {PAGE.relative_to(ROOT)}, too")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    show(make_table(), PAGE, "blinka-bus", _COMMAND, options.fill)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
