"""Fake Adafruit's driver library of the same name: record how the display was made."""

from functools import partial

from workbench import Panel

SH1106 = partial(Panel, "SH1106")
