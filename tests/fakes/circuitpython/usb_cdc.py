"""Fake CircuitPython's `usb_cdc`: serial ports over USB, which only boot.py may change."""

from workbench import bench, move


class Serial:
    """A port; a PC has it open while `connected`, and accepts `room` more bytes."""

    def __init__(self) -> None:
        self.connected = False
        self.timeout: float | None = None
        self.write_timeout: float | None = None
        self.received = bytearray()
        self.sent = bytearray()
        self.room = 1 << 20

    def readinto(self, buffer: bytearray) -> int:
        assert self.timeout == 0, "would wait"
        return move(self.received, buffer)

    def write(self, data: bytes) -> int:
        """Send bytes while there is room; return how many."""
        assert self.write_timeout == 0, "would wait"
        taken = bytes(data)[: self.room]
        self.room -= len(taken)
        self.sent += taken
        return len(taken)


console = Serial()
data = Serial() if bench.usb_data else None


def enable(*, console: bool = True, data: bool = False) -> None:
    bench.usb_data = data
