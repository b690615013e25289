"""Describe the kinds of displays that displayio drives: what they need, and the library that deploy copies to lib/."""

from firmware.device.wiring import DIRECT

# They are on I2C or, if SCK has a pin, on SPI; those of COLOURED are on SPI only.
SLOW = "displayio-ssd1306"
SH1106 = "sh1106"
SH1107 = "sh1107"
ST7789 = "st7789"
ST7735 = "st7735"
COLOURED = (ST7789, ST7735)
LYING = (DIRECT, SLOW, SH1106)  # wider than high, so that an upright picture is turned by 90 or 270 degrees
# By kind: the module that drives it and the class there.
LIBRARIES = {
    SLOW: ("adafruit_displayio_ssd1306", "SSD1306"),
    SH1106: ("adafruit_displayio_sh1106", "SH1106"),
    SH1107: ("adafruit_displayio_sh1107", "SH1107"),
    ST7789: ("adafruit_st7789", "ST7789"),
    ST7735: ("adafruit_st7735r", "ST7735R"),
}
NO_DISPLAY = "only where the board has a display of its own; this one has none"
