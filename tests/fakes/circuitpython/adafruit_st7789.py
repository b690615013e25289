"""Fake Adafruit's driver library of the same name: record how the display was made."""

from typing import Any

from workbench import Panel


class ST7789(Panel):
    """A display that displayio drives."""

    def __init__(self, bus: Any, **options: Any) -> None:
        super().__init__("ST7789", bus, **options)
