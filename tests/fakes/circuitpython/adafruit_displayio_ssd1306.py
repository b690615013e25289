"""Fake Adafruit's driver library of the same name: record how the display was made."""

from functools import partial

from workbench import Panel

SSD1306 = partial(Panel, "SSD1306")
