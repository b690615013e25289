"""List what is wired to which pin: one table of every key of settings.toml.

settings.toml has lines such as `SKYLINE_LEFT = "GP10"`. A missing key keeps its default, which suits a Raspberry Pi
Pico. wiring_reading.py reads the keys; tools/assets/wiring.py draws the same table.
"""

PREFIX = "SKYLINE_"
NONE = "none"

PIN = "pin"
PIN_OR_NONE = "pin or none"

# The kinds of displays: our own driver, two that displayio drives over I2C, and the board's built-in display.
DIRECT = "ssd1306"
SLOW = "displayio-ssd1306"
SH1106 = "sh1106"
OWN = "board"

# (key, default, allowed values). The display's keys come first, so that the display can show errors in the others.
# Two numbers are bounds; more numbers, or words, are the allowed values. Buttons have the order of engine/controls.py.
KEYS = (
    ("DISPLAY", DIRECT, (DIRECT, SLOW, SH1106, OWN)),
    ("ROTATION", 90, (0, 90, 180, 270)),
    ("I2C_ADDRESS", 0x3C, (0x08, 0x77)),
    ("I2C_HZ", 400_000, (100_000, 1_000_000)),
    ("SDA", "GP0", PIN),
    ("SCL", "GP1", PIN),
    ("LEFT", "GP2", PIN),
    ("RIGHT", "GP3", PIN),
    ("SOFT_DROP", "GP4", PIN),
    ("HARD_DROP", "GP5", PIN),
    ("ROTATE_CW", "GP6", PIN),
    ("ROTATE_CCW", "GP7", PIN),
    ("HOLD", "GP8", PIN_OR_NONE),
    ("PAUSE", "GP9", PIN_OR_NONE),
    ("BUZZER", "GP15", PIN_OR_NONE),
    ("LINK_TX", NONE, PIN_OR_NONE),
    ("LINK_RX", NONE, PIN_OR_NONE),
    ("LINK_USB", 0, (0, 1)),
)
BUTTONS = ("LEFT", "RIGHT", "SOFT_DROP", "HARD_DROP", "ROTATE_CW", "ROTATE_CCW", "HOLD", "PAUSE")


class WiringError(Exception):
    """Name the wrong key and the allowed values in one line."""
