"""Make the displays that displayio drives: over I2C with a library, or built into the board."""

import os

import board

from firmware.compat import TYPE_CHECKING
from firmware.device.displayio_screen import DisplayioScreen
from firmware.device.wiring import OWN, SH1106
from firmware.device.wiring_reading import look_up, refuse
from firmware.view.canvas import Canvas

if TYPE_CHECKING:
    from firmware.device.bus import Bus as OurBus


def make_panel(kind: str, bus: "OurBus", address: int, rotation: int) -> DisplayioScreen:
    """Return the display of this kind at `address`; raise WiringError if its library is missing."""
    from i2cdisplaybus import I2CDisplayBus

    assert bus.i2c is not None
    wires = I2CDisplayBus(bus.i2c, device_address=address)
    shape = {"width": 64, "height": 128, "rotation": rotation, "auto_refresh": False}
    panel: object
    try:
        if kind == SH1106:
            import adafruit_displayio_sh1106

            # The chip has 132 columns for a panel of 128: two are hidden on each side.
            panel = adafruit_displayio_sh1106.SH1106(wires, colstart=2, **shape)
        else:
            import adafruit_displayio_ssd1306

            panel = adafruit_displayio_ssd1306.SSD1306(wires, **shape)
    except ImportError:
        bus.deinit()
        raise refuse("DISPLAY", kind, "only with its library in lib/, where python -m tools.deploy puts it") from None
    return DisplayioScreen(panel, Canvas())


def make_builtin(rotation: int) -> DisplayioScreen:
    """Return the board's built-in display; raise WiringError if the board has none."""
    panel = getattr(board, "DISPLAY", None)
    if panel is None:
        raise refuse("DISPLAY", OWN, "only where the board has a display of its own; this one has none")
    if look_up(os.getenv, "ROTATION")[1] is not None:
        panel.rotation = rotation
    return DisplayioScreen(panel, Canvas())
