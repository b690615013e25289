"""Describe the kinds of displays: the library of each, which deploy copies to lib/, and what they have in common."""

from firmware.device.wiring import DIRECT, SH1106, SH1107, SLOW, ST7735, ST7789

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
