"""Be a byte pipe to other players: the UART of two pins, or the serial port that boot.py opened for them."""

import busio
import supervisor

from firmware.compat import const, ticks_diff
from firmware.device.refusal import word_uart
from firmware.device.wiring import WiringError

BAUD = 115_200

_FIFO = const(32)  # bytes that the chip takes without making anybody wait
_BYTES_A_MS = const(11)
_RECEIVED = const(512)  # bytes that are kept until they are read: three frames at full speed


class Uart:
    """Carry bytes over two pins; a frame must never wait for the wire, so no more is written than the chip takes."""

    def __init__(self, tx, rx) -> None:
        """Take the pins; raise ValueError where they are not of one peripheral."""
        self.uart = busio.UART(tx, rx, baudrate=BAUD, timeout=0, receiver_buffer_size=_RECEIVED)
        self.free = _FIFO
        self.last_ms = supervisor.ticks_ms()

    def read_into(self, buffer) -> int:
        """Put what has come into `buffer`; return how many bytes that are."""
        return self.uart.readinto(buffer) or 0

    def write(self, data) -> int:
        """Take all of up to 32 bytes, or none; return how many."""
        now_ms = supervisor.ticks_ms()
        self.free = min(_FIFO, self.free + ticks_diff(now_ms, self.last_ms) * _BYTES_A_MS)
        self.last_ms = now_ms
        count = len(data)
        if count > self.free:
            return 0
        self.free -= count
        self.uart.write(data)
        return count


class Usb:
    """Carry bytes to a PC, over nothing but this port: it has no console behind it, and no drive."""

    def __init__(self, port) -> None:
        port.timeout = 0
        port.write_timeout = 0
        self.port = port

    def read_into(self, buffer) -> int:
        """Put what has come into `buffer`; return how many bytes that are."""
        return self.port.readinto(buffer) or 0

    def write(self, data) -> int:
        """Return how many bytes were taken; where nobody listens they go nowhere."""
        if not self.port.connected:
            return len(data)
        return self.port.write(data) or 0


class Either:
    """Be the USB port while a PC has it open, else the pins."""

    def __init__(self, usb: Usb, uart: Uart) -> None:
        self.usb = usb
        self.uart = uart

    def read_into(self, buffer) -> int:
        """Put what has come into `buffer`; return how many bytes that are."""
        return (self.usb if self.usb.port.connected else self.uart).read_into(buffer)

    def write(self, data) -> int:
        """Return how many bytes were taken."""
        return (self.usb if self.usb.port.connected else self.uart).write(data)


def build(found: dict, getenv):
    """Return the pipe that settings.toml asks for, or None; raise WiringError in one line."""
    usb = uart = None
    if found["LINK_USB"]:
        import usb_cdc

        if usb_cdc.data:  # boot.py runs at power-on alone: not yet where the key is new
            usb = Usb(usb_cdc.data)
    if found["LINK_TX"] or found["LINK_RX"]:
        try:
            if not (found["LINK_TX"] and found["LINK_RX"]):
                raise ValueError
            uart = Uart(found["LINK_TX"], found["LINK_RX"])
        except ValueError:
            from firmware.device.wiring_reading import look_up

            key, tx = look_up(getenv, "LINK_TX")
            other, rx = look_up(getenv, "LINK_RX")
            raise WiringError(word_uart(key, tx, other, rx)) from None
    if usb and uart:
        return Either(usb, uart)
    return usb or uart
