"""Make the displays that displayio drives: over I2C or SPI with a library, or built into the board."""

import board

from firmware.compat import TYPE_CHECKING
from firmware.device.claims import claim
from firmware.device.displayio_screen import DisplayioScreen
from firmware.device.libraries import COLOURED, LIBRARIES, NO_DISPLAY, SH1106
from firmware.device.wiring import OWN
from firmware.device.wiring_reading import refuse
from firmware.view.canvas import Canvas

if TYPE_CHECKING:
    from firmware.contracts import Any, Found
    from firmware.device.bus import Bus as OurBus


def make_panel(found: "Found", bus: "OurBus | None", address: int = 0) -> DisplayioScreen:
    """Return the display at `address` of an I2C bus, or on SPI if `bus` is None.

    Raise WiringError if its library is missing or the pins are of no SPI.
    """
    kind = found["DISPLAY"]
    library, name = LIBRARIES[kind]
    try:
        driver = getattr(__import__(library), name)
    except ImportError:
        if bus:
            bus.deinit()
        raise refuse("DISPLAY", kind, "only with its library in lib/, where python -m tools.deploy puts it") from None
    wires: "Any"
    if bus:
        from i2cdisplaybus import I2CDisplayBus

        assert bus.i2c is not None
        wires = I2CDisplayBus(bus.i2c, device_address=address)
    else:
        wires = claim(found, "SCK MOSI DC CS RESET", connect, found)
    return DisplayioScreen(driver(wires, **shape(found)), Canvas())


def connect(found: "Found") -> "Any":
    """Return the SPI bus of a display; raise ValueError if its pins belong to none or are in use."""
    from busio import SPI
    from fourwire import FourWire

    spi = SPI(found["SCK"], MOSI=found["MOSI"])
    return FourWire(spi, command=found["DC"], chip_select=found["CS"], reset=found["RESET"], baudrate=found["SPI_HZ"])


def shape(found: "Found") -> "dict[str, Any]":
    """Return the arguments of a driver: size, place and rotation of the picture."""
    shaped = {"width": 64, "height": 128, "rotation": found["ROTATION"], "auto_refresh": False}
    if found["DISPLAY"] in COLOURED:
        shaped["width"] = found["WIDTH"]
        shaped["height"] = found["HEIGHT"]
        shaped["colstart"] = found["FIRST_COLUMN"]
        shaped["rowstart"] = found["FIRST_ROW"]
        shaped["backlight_pin"] = found["BACKLIGHT"]
    elif found["DISPLAY"] == SH1106:
        # The chip has 132 columns for a panel of 128: two are hidden on each side.
        shaped["colstart"] = 2
    return shaped


def make_first(found: "Found") -> "DisplayioScreen | None":
    """Return the display that is built in or on SPI; None for one on I2C, which make_panel makes on a bus."""
    if found["DISPLAY"] == OWN:
        return make_builtin(found)
    import displayio

    displayio.release_displays()  # otherwise the last run still holds the pins; it would take a built-in display, too
    return None if found["SCK"] is None else make_panel(found, None)


def make_builtin(found: "Found") -> DisplayioScreen:
    """Return the board's built-in display; raise WiringError if the board has none."""
    panel = getattr(board, "DISPLAY", None)
    if panel is None:
        raise refuse("DISPLAY", OWN, NO_DISPLAY)
    if "ROTATION" in found["written"]:
        panel.rotation = found["ROTATION"]
    return DisplayioScreen(panel, Canvas())
