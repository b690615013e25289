"""Fake Adafruit's driver library of the same name: record how the display was made."""

from typing import Any

from workbench import Panel


class SSD1306(Panel):
    """A display that displayio drives."""

    def __init__(self, bus: Any, **options: Any) -> None:
        super().__init__("SSD1306", bus, **options)
