"""Fake CircuitPython's `i2cdisplaybus`."""

from typing import Any


class I2CDisplayBus:
    def __init__(self, i2c: Any, *, device_address: int) -> None:
        self.i2c = i2c
        self.device_address = device_address
