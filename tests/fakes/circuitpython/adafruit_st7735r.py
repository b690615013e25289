"""Fake Adafruit's driver library of the same name: record how the display was made."""

from typing import Any

from workbench import Panel


class ST7735R(Panel):
    """A display that displayio drives."""

    def __init__(self, bus: Any, **options: Any) -> None:
        super().__init__("ST7735R", bus, **options)
