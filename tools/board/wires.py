"""Name the handheld's pins: the defaults of the table for settings.toml (firmware/device/wiring.py), and displays."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firmware.device import profiles
from firmware.device.wiring import BUTTONS, KEYS, PREFIX
from sim.terminal import tell_unknown

_PINS = {key: int(str(default)[2:]) for key, default, _allowed in KEYS if str(default).startswith("GP")}
BUZZER = _PINS["BUZZER"]
LINK_TX, LINK_RX = 12, 13
LINK_SETTINGS = [f'SKYLINE_LINK_TX = "GP{LINK_TX}"', f'SKYLINE_LINK_RX = "GP{LINK_RX}"']

# The letter on each button.
_LETTERS = {"LEFT": "L", "RIGHT": "R", "HARD_DROP": "U", "SOFT_DROP": "D"}
_LETTERS |= {"ROTATE_CW": "A", "ROTATE_CCW": "B", "HOLD": "C", "PAUSE": "S"}


def name_buttons(pins: Mapping[str, int]) -> dict[str, int]:
    return {key: pins[key] for key in BUTTONS} | {_LETTERS[key]: pins[key] for key in BUTTONS}


BUTTON_PINS = name_buttons(_PINS)


@dataclass(frozen=True)
class I2cWires:
    """The pins of an SSD1306 on I2C."""

    sda: int
    scl: int


@dataclass(frozen=True)
class SpiWires:
    """The pins of a display on SPI.

    chip: sh1106 or st7789.  data_or_command: the pin named D/C.  height: of the panel in pixels; an ST7789 has 240 or
    320 rows of 240 pixels.  turned: whether the module is mounted a quarter turn from where Adafruit mounts it.
    """

    chip: str
    height: int
    clock: int
    data: int
    select: int
    data_or_command: int
    reset: int
    turned: bool = False


SSD1306 = I2cWires(sda=_PINS["SDA"], scl=_PINS["SCL"])
SH1106 = SpiWires("sh1106", 64, clock=18, data=19, select=17, data_or_command=20, reset=21)
# As on Waveshare's Pico-LCD-1.3. Its backlight is at GP13; the model does not look at it.
ST7789 = SpiWires("st7789", 240, clock=10, data=11, select=9, data_or_command=8, reset=12)


@dataclass(frozen=True)
class Wiring:
    """What is wired to the Pico: a display, buttons, and the lines of settings.toml that say so."""

    display: I2cWires | SpiWires
    buttons: Mapping[str, int]
    settings: tuple[str, ...] = ()
    library: str = ""  # SKYLINE_DISPLAY, if the display needs a library

    @property
    def deploy_options(self) -> list[str]:
        return ["--display", self.library] if self.library else []


def name_pins(board: str) -> dict[str, int]:
    record = profiles.find(board) or {}
    return name_buttons({key: int(record[key].removeprefix("GP")) for key in BUTTONS})


_MACROPAD = {"DISPLAY": "sh1106", "SCK": "GP18", "MOSI": "GP19", "CS": "GP17", "DC": "GP20", "RESET": "GP21"}
_LCD = "waveshare_pico_lcd_1_3"
# By the name of the profile. CircuitPython for the MacroPad is another one: this is a Pico with its kind of display.
PROFILES = {
    "raspberry_pi_pico": Wiring(SSD1306, BUTTON_PINS),
    "adafruit_macropad_rp2040": Wiring(
        SH1106, BUTTON_PINS, tuple(f'{PREFIX}{key} = "{value}"' for key, value in _MACROPAD.items()), "sh1106"
    ),
    _LCD: Wiring(replace(ST7789, turned=True), name_pins(_LCD), (f'{PREFIX}BOARD = "{_LCD}"',), "st7789"),
}


def find_pin(name: str, pins: Mapping[str, int] = BUTTON_PINS) -> int:
    if name.upper() not in pins:
        raise ValueError(tell_unknown(name, pins, "button"))
    return pins[name.upper()]
