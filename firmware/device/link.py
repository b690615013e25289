"""Carry bytes to other players over two pins (uart.py), or the serial port that boot.py opened.

The start drops this module: with pins alone, only the other stays in memory.
"""

from firmware.compat import TYPE_CHECKING
from firmware.device.uart import Uart

if TYPE_CHECKING:
    from firmware.contracts import Any, Found, Pipe


class Usb:
    """Carry bytes to a PC over the second USB serial port, which has no console; over the pins while no PC has it open.

    uart: the pins, or None.
    """

    def __init__(self, port: "Any", uart: "Uart | None") -> None:
        port.timeout = 0
        port.write_timeout = 0
        self.port = port
        self.uart = uart

    def read_into(self, buffer: bytearray) -> int:
        if self.uart and not self.port.connected:
            return self.uart.read_into(buffer)
        return self.port.readinto(buffer) or 0

    def write(self, data: memoryview) -> int:
        """Return the number of bytes accepted; drop them all if nobody is there."""
        if self.port.connected:
            return self.port.write(data) or 0
        return self.uart.write(data) if self.uart else len(data)


def build(found: "Found") -> "Pipe | None":
    """Return the pipe that settings.toml asks for, or None; raise WiringError in one line."""
    uart = None
    if found["LINK_TX"] or found["LINK_RX"]:
        from firmware.device.claims import claim  # late: it would stay in the heap with this module

        uart = claim(found, "LINK_TX LINK_RX", connect, found)
    if found["LINK_USB"]:
        import usb_cdc

        if usb_cdc.data:  # boot.py runs only at power-on: a new key has no effect before that
            return Usb(usb_cdc.data, uart)
    return uart


def connect(found: "Found") -> Uart:
    """Return the pipe over two pins; raise ValueError if one is missing, or if they do not belong to one UART."""
    if found["LINK_TX"] is None or found["LINK_RX"] is None:
        raise ValueError
    return Uart(found["LINK_TX"], found["LINK_RX"])
