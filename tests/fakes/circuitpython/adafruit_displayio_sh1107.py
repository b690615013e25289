"""Fake Adafruit's driver library of the same name: record how the display was made."""

from typing import Any

from workbench import Panel


class SH1107(Panel):
    """A display that displayio drives."""

    def __init__(self, bus: Any, **options: Any) -> None:
        super().__init__("SH1107", bus, **options)
