"""Carry bytes to other players over the UART of two pins."""

import busio
import supervisor

from firmware.compat import TYPE_CHECKING, const, ticks_diff

if TYPE_CHECKING:
    from microcontroller import Pin

_BAUD = const(115_200)
_FIFO = const(32)  # bytes that the chip accepts without blocking
_BYTES_A_MS = const(11)
_DRAIN_MS = const(3)
_RECEIVED = const(512)  # bytes kept until read: three frames at full speed


class Uart:
    """Carry bytes over two pins. Write no more bytes than the chip accepts, because a frame must never wait."""

    def __init__(self, tx: "Pin", rx: "Pin") -> None:
        """Take the pins; raise ValueError if they do not belong to one UART."""
        self.uart = busio.UART(tx, rx, baudrate=_BAUD, timeout=0, receiver_buffer_size=_RECEIVED)
        self.free = _FIFO
        self.last_ms = supervisor.ticks_ms()

    def read_into(self, buffer: bytearray) -> int:
        return self.uart.readinto(buffer) or 0

    def write(self, data: memoryview) -> int:
        """Accept all of up to 32 bytes, or none; return the number accepted."""
        now_ms = supervisor.ticks_ms()
        passed_ms = ticks_diff(now_ms, self.last_ms)
        self.last_ms = now_ms
        if not 0 <= passed_ms < _DRAIN_MS:  # below 0 after three days of silence, for which the clock wraps
            passed_ms = _DRAIN_MS
        self.free = min(_FIFO, self.free + passed_ms * _BYTES_A_MS)
        count = len(data)
        if count > self.free:
            return 0
        self.free -= count
        self.uart.write(data)
        return count
