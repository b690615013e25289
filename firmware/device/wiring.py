"""List what is wired to which pin: one table of every key of settings.toml.

settings.toml has lines such as `SKYLINE_LEFT = "GP10"`. A missing key keeps its default, which suits a Raspberry Pi
Pico. wiring_reading.py reads the keys; tools/assets/wiring.py draws the same table.
"""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

PREFIX = "SKYLINE_"
PICO = "raspberry_pi_pico"  # how the ids of all Picos begin; the defaults are for them
NONE = "none"

PIN = "pin"
PIN_OR_NONE = "pin or none"
WORD = "a name"

# The kinds of displays: our own driver; those of libraries.py, which displayio drives; the board's built-in display.
DIRECT = "ssd1306"
OWN = "board"
_KINDS = "ssd1306 displayio-ssd1306 sh1106 sh1107 st7789 st7735 board"  # one text: words would stay in a board's heap


def list_pins(keys: str, allowed: str) -> "tuple[tuple[str, str, str], ...]":
    """Return the records of keys for pins, from words like "LEFT=GP2"; without a pin the default is none."""
    pairs = [key.partition("=") for key in keys.split()]
    return tuple([(key, pin or NONE, allowed) for key, _, pin in pairs])


# (key, default, allowed values). The display's keys come first, so that the display can show errors in the others.
# Two numbers are bounds; more numbers, or words, are the allowed values. Buttons have the order of engine/controls.py.
KEYS: "tuple[tuple[str, Any, Any], ...]" = (
    ("BOARD", NONE, WORD),
    ("DISPLAY", DIRECT, tuple(_KINDS.split())),
    ("ROTATION", 90, (0, 90, 180, 270)),
    ("I2C_ADDRESS", 0x3C, (0x08, 0x77)),
    ("I2C_HZ", 400_000, (100_000, 1_000_000)),
    ("SPI_HZ", 24_000_000, (1_000_000, 62_500_000)),
    ("WIDTH", 240, (64, 480)),
    ("HEIGHT", 240, (64, 480)),
    ("FIRST_COLUMN", 0, (0, 255)),
    ("FIRST_ROW", 0, (0, 255)),
)
KEYS += list_pins("SCK MOSI CS DC RESET BACKLIGHT", PIN_OR_NONE)
KEYS += list_pins("SDA=GP0 SCL=GP1 LEFT=GP2 RIGHT=GP3 SOFT_DROP=GP4 HARD_DROP=GP5 ROTATE_CW=GP6 ROTATE_CCW=GP7", PIN)
KEYS += list_pins("HOLD=GP8 PAUSE=GP9 TARGET BUZZER=GP15 BUZZER_ENABLE", PIN_OR_NONE)
KEYS += list_pins("I2S_BIT_CLOCK I2S_WORD_SELECT I2S_DATA LINK_TX LINK_RX", PIN_OR_NONE)
KEYS += (("LINK_USB", 0, (0, 1)),)
BUTTONS = ("LEFT", "RIGHT", "SOFT_DROP", "HARD_DROP", "ROTATE_CW", "ROTATE_CCW", "HOLD", "PAUSE")


class WiringError(Exception):
    """Name the wrong key and the allowed values in one line."""
