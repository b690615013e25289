"""Open the OLED on the I2C bus of a Raspberry Pi."""

import errno
import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from firmware.device.ssd1306 import SSD1306
from firmware.device.wiring import DIRECT, PREFIX, WiringError
from firmware.view.canvas import Canvas
from sim.blinka.pins import refuse_rights, require
from sim.terminal import Refusal

if TYPE_CHECKING:
    from firmware.contracts import Display, Found

ADDRESSES = (0x3C, 0x3D)  # a jumper on the module sets it, and the printed address is often wrong
_PROBE = b"\x00"  # a control byte without a command changes nothing
_LIBRARIES = {
    "displayio": "adafruit-blinka-displayio",
    "adafruit_displayio_ssd1306": "adafruit-circuitpython-displayio-ssd1306",
}


class WiredDisplay:
    """Pass on to a display what the game asks; call `shown` after every show().

    lost: why the display does not answer any more, or "". displayio cannot go on then; our own driver waits for it.
    """

    def __init__(self, panel: "Display") -> None:
        self.canvas = panel.canvas
        self.shown: Callable[[], None] | None = None
        self.lost = ""
        self._panel = panel

    @property
    def picture(self) -> bytes:
        return bytes(self.canvas.buffer[1:])

    def show(self) -> None:
        self._do(self._panel.show)
        if self.shown:
            self.shown()

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""
        self._do(lambda: self._panel.contrast(level))

    def turn(self, turned: int) -> None:
        self._do(lambda: self._panel.turn(turned))

    def sleep(self, on: bool) -> None:
        self._do(lambda: self._panel.sleep(on))

    def _do(self, work: Callable[[], None]) -> None:
        if self.lost:
            return
        try:
            work()
        except (OSError, RuntimeError) as problem:  # displayio makes a RuntimeError of some
            self.lost = str(problem)


def open_display(found: "Found") -> WiredDisplay:
    """Return the display, still dark; refuse if none answers."""
    bus = open_bus(found["SCL"], found["SDA"])
    addresses = list(dict.fromkeys((found["I2C_ADDRESS"], *ADDRESSES)))
    address = find(bus, addresses)
    turned = found["ROTATION"] == 270
    if found["DISPLAY"] == DIRECT:
        return WiredDisplay(SSD1306(bus, Canvas(), address, turned))
    require(_LIBRARIES)
    # Imported late: displayio starts a thread.
    screen = import_module("firmware.device.displayio_screen").DisplayioScreen
    wires = import_module("i2cdisplaybus").I2CDisplayBus(bus, device_address=address)
    driver = import_module("adafruit_displayio_ssd1306").SSD1306
    shape = {"width": 64, "height": 128, "rotation": found["ROTATION"], "auto_refresh": False}
    return WiredDisplay(screen(driver(wires, **shape), Canvas()))


def open_bus(scl: Any, sda: Any) -> Any:
    """Return Blinka's I2C on two pins; raise WiringError for pins of no bus, refuse a bus that is switched off."""
    ports = import_module("microcontroller.pin").i2cPorts
    port = next((number for number, *pair in ports if pair == [scl, sda]), None)
    if port is None:
        allowed = " or ".join(f"D{data.id} with D{clock.id}" for _, clock, data in ports if data.id < 28)
        raise WiringError(f"{PREFIX}SDA and {PREFIX}SCL are D{sda.id} with D{scl.id}, allowed: {allowed}")
    try:
        return import_module("busio").I2C(scl, sda)
    except PermissionError:
        raise refuse_rights(f"/dev/i2c-{port}", "i2c") from None
    except ValueError:  # Blinka's word for a bus that is not there
        cure = "`sudo raspi-config nonint do_i2c 0` and restart" if port == 1 else f"enable bus {port} in config.txt"
        raise Refusal(f"I2C is switched off, there is no /dev/i2c-{port}: {cure}") from None
    except OSError as problem:
        raise Refusal(f"cannot open /dev/i2c-{port}: {problem.strerror or os.strerror(errno.EIO)}") from None


def find(bus: Any, addresses: list[int]) -> int:
    """Return the first address that answers; refuse if none does."""
    for address in addresses:
        try:
            bus.writeto(address, _PROBE)
        except OSError:
            continue
        return address
    words = " or ".join(map(hex, addresses))
    raise Refusal(f"no display answers at {words}: look at VCC, GND, SDA and SCL")
