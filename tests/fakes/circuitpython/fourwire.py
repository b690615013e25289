"""Fake CircuitPython's `fourwire`."""

from typing import Any

from workbench import Pin


class FourWire:
    def __init__(
        self, spi: Any, *, command: Pin, chip_select: Pin | None, reset: Pin | None, baudrate: int = 24_000_000
    ) -> None:
        self.spi = spi
        self.baudrate = baudrate
        for pin in (command, chip_select, reset):
            if pin:
                pin.claim(self)
