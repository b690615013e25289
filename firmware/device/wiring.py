"""List what is wired to which pin: one table of every key of settings.toml.

settings.toml has lines such as `SKYLINE_LEFT = "GP10"`. A missing key keeps its default, which suits a Raspberry Pi
Pico. wiring_reading.py reads the keys; tools/assets/wiring.py draws the same table.
"""

PREFIX = "SKYLINE_"
NONE = "none"

PIN = "pin"
PIN_OR_NONE = "pin or none"
WORD = "a name or none"

# The kinds of displays: our own driver; those that displayio drives over I2C or, if SCK has a pin, over SPI; two with
# colours, on SPI only; and the board's built-in display.
DIRECT = "ssd1306"
SLOW = "displayio-ssd1306"
SH1106 = "sh1106"
SH1107 = "sh1107"
ST7789 = "st7789"
ST7735 = "st7735"
OWN = "board"
COLOURED = (ST7789, ST7735)
# By kind: the library in lib/ that drives it, and the library's class.
LIBRARIES = {
    SLOW: ("adafruit_displayio_ssd1306", "SSD1306"),
    SH1106: ("adafruit_displayio_sh1106", "SH1106"),
    SH1107: ("adafruit_displayio_sh1107", "SH1107"),
    ST7789: ("adafruit_st7789", "ST7789"),
    ST7735: ("adafruit_st7735r", "ST7735R"),
}
LYING = (DIRECT, SLOW, SH1106)  # wider than high, so that an upright picture is turned by 90 or 270 degrees

# (key, default, allowed values). The display's keys come first, so that the display can show errors in the others.
# Two numbers are bounds; more numbers, or words, are the allowed values. Buttons have the order of engine/controls.py.
KEYS = (
    ("BOARD", NONE, WORD),
    ("DISPLAY", DIRECT, (DIRECT, SLOW, SH1106, SH1107, ST7789, ST7735, OWN)),
    ("ROTATION", 90, (0, 90, 180, 270)),
    ("I2C_ADDRESS", 0x3C, (0x08, 0x77)),
    ("I2C_HZ", 400_000, (100_000, 1_000_000)),
    ("SCK", NONE, PIN_OR_NONE),
    ("MOSI", NONE, PIN_OR_NONE),
    ("CS", NONE, PIN_OR_NONE),
    ("DC", NONE, PIN_OR_NONE),
    ("RESET", NONE, PIN_OR_NONE),
    ("BACKLIGHT", NONE, PIN_OR_NONE),
    ("SPI_HZ", 24_000_000, (1_000_000, 62_500_000)),
    ("WIDTH", 240, (64, 480)),
    ("HEIGHT", 240, (64, 480)),
    ("FIRST_COLUMN", 0, (0, 255)),
    ("FIRST_ROW", 0, (0, 255)),
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
    ("BUZZER_ENABLE", NONE, PIN_OR_NONE),
    ("I2S_BIT_CLOCK", NONE, PIN_OR_NONE),
    ("I2S_WORD_SELECT", NONE, PIN_OR_NONE),
    ("I2S_DATA", NONE, PIN_OR_NONE),
    ("LINK_TX", NONE, PIN_OR_NONE),
    ("LINK_RX", NONE, PIN_OR_NONE),
    ("LINK_USB", 0, (0, 1)),
)
BUTTONS = ("LEFT", "RIGHT", "SOFT_DROP", "HARD_DROP", "ROTATE_CW", "ROTATE_CCW", "HOLD", "PAUSE")


class WiringError(Exception):
    """Name the wrong key and the allowed values in one line."""
