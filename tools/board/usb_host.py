"""Model the computer at the USB port: enumerate the board and exchange bytes with its serial console."""

import numpy as np

from tools.board.rp2040.layout import CYCLES_A_US
from tools.board.rp2040.peripherals import usb

_RESET_US = 10_000
_PACKET_US = 10
_SIE_STATUS, _BUFF_STATUS = 0x50 // 4, 0x58 // 4
_EP0_IN, _LENGTH, _FULL = 0x80, 0x3FF, 1 << 15
_EP0_BUFFER = 0x100
_PACKET_BYTES = 64

_SET_ADDRESS = bytes([0x00, 5, 1, 0, 0, 0, 0, 0])
_SET_CONFIGURATION = bytes([0x00, 9, 1, 0, 0, 0, 0, 0])
_OPEN_PORT = bytes([0x21, 0x22, 3, 0, 0, 0, 0, 0])  # SET_CONTROL_LINE_STATE: DTR and RTS
_HEADER_BYTES = 9
_INTERFACE, _ENDPOINT, _CDC_DATA, _BULK = 4, 5, 10, 2


def get_configuration(length: int) -> bytes:
    return bytes([0x80, 6, 0, 2, 0, 0, length & 0xFF, length >> 8])


class UsbHost:
    """Talk to the chip's USB device; the state is plain data, so that a snapshot can copy it.

    serial: output of the console.  open: whether the serial port is open.
    """

    def __init__(self) -> None:
        self.serial = bytearray()
        self.open = False
        self._to_send = bytearray()
        self._descriptors = b""
        self._size = 0
        self._in = self._out = -1
        self._out_room = 0  # bytes that the console's OUT endpoint accepts now
        self._events: list[tuple[int, str, int, bytes]] = []  # cycle, kind, offset of the buffer control word, data

    def send(self, data: bytes) -> None:
        self._to_send += data

    @property
    def next_cycle(self) -> int | None:
        return min(event[0] for event in self._events) if self._events else None

    def take_mail(self, chip: np.void) -> None:
        """React to the firmware's accesses of the USB device."""
        for mail in chip["mail"][: int(chip["mails"])].tolist():
            kind, offset = mail & 0xFF_0000, mail & 0xFFFF
            if kind == usb.MAIL_ON:
                self._schedule(chip, _RESET_US, "reset")
            elif kind == usb.MAIL_RESET:
                self._request(chip, _SET_ADDRESS)
            elif offset & 4:
                self._note_out_buffer(chip, offset - _EP0_IN >> 3, offset)
            else:
                self._schedule(chip, _PACKET_US, "in", offset)
        chip["mails"] = 0

    def work(self, chip: np.void) -> None:
        """Carry out the events that are due, and send typed text."""
        now = int(chip["now"])
        due = sorted(event for event in self._events if event[0] <= now)
        self._events = [event for event in self._events if event[0] > now]
        for _cycle, kind, offset, data in due:
            if kind == "reset":
                chip["usb"][_SIE_STATUS] |= usb.BUS_RESET
            elif kind == "setup":
                chip["dpram"][:2] = np.frombuffer(data, "<u4")
                chip["usb"][_SIE_STATUS] |= usb.SETUP_REC
            elif kind == "in":
                self._receive(chip, offset)
            else:
                self._deliver(chip, offset, data)
        if self._out_room and self._to_send:
            size = min(self._out_room, len(self._to_send))
            self._schedule(chip, _PACKET_US, "out", _EP0_IN + 8 * self._out + 4, bytes(self._to_send[:size]))
            del self._to_send[:size]
            self._out_room = 0
        if due:
            usb.update(chip)

    def _schedule(self, chip: np.void, delay_us: int, kind: str, offset: int = 0, data: bytes = b"") -> None:
        self._events.append((int(chip["now"]) + delay_us * CYCLES_A_US, kind, offset, data))

    def _request(self, chip: np.void, setup: bytes) -> None:
        self._schedule(chip, _PACKET_US, "setup", 0, setup)

    def _note_out_buffer(self, chip: np.void, endpoint: int, offset: int) -> None:
        """Note the room in the console's OUT buffer; other endpoints receive nothing."""
        control = int(chip["dpram"][offset // 4])
        chip["dpram"][offset // 4] = control & ~usb.AVAILABLE
        if endpoint == self._out:
            self._out_room = control & _LENGTH

    def _receive(self, chip: np.void, offset: int) -> None:
        """Take the packet from an IN buffer; continue the enumeration if it came from endpoint 0."""
        endpoint = offset - _EP0_IN >> 3
        control = int(chip["dpram"][offset // 4])
        at = self._buffer(chip, offset)
        memory = chip["dpram"].view(np.uint8)
        packet = memory[at : at + (control & _LENGTH)].tobytes()
        if control >> 16 & usb.AVAILABLE:  # the second buffer of a longer transfer
            packet += memory[at + _PACKET_BYTES : at + _PACKET_BYTES + (control >> 16 & _LENGTH)].tobytes()
        done = usb.AVAILABLE | _FULL
        chip["dpram"][offset // 4] = control & ~(done | done << 16)
        chip["usb"][_BUFF_STATUS] |= 1 << 2 * endpoint
        if endpoint == self._in:
            self.serial += packet
        elif endpoint == 0:
            self._enumerate(chip, packet)

    def _deliver(self, chip: np.void, offset: int, data: bytes) -> None:
        """Put a packet into an OUT buffer."""
        at = self._buffer(chip, offset)
        chip["dpram"].view(np.uint8)[at : at + len(data)] = np.frombuffer(data, np.uint8)
        control = int(chip["dpram"][offset // 4])
        chip["dpram"][offset // 4] = control & ~_LENGTH | _FULL | len(data)
        chip["usb"][_BUFF_STATUS] |= 2 << 2 * (offset - _EP0_IN >> 3)

    @staticmethod
    def _buffer(chip: np.void, offset: int) -> int:
        """Return the address of the buffer of a buffer control word."""
        if offset < _EP0_IN + 8:
            return _EP0_BUFFER
        return int(chip["dpram"][(offset - _EP0_IN) // 4]) & 0xFFC0

    def _enumerate(self, chip: np.void, packet: bytes) -> None:
        """Send the next request: address, descriptors, configuration, opening the port."""
        if not packet:
            if not self._size:
                self._request(chip, get_configuration(_HEADER_BYTES))
            elif not self.open:
                self._request(chip, _OPEN_PORT)
                self.open = True
        elif not self._size:
            self._size = packet[2] | packet[3] << 8
            self._request(chip, get_configuration(self._size))
        elif len(self._descriptors) < self._size:
            self._descriptors += packet
            if len(self._descriptors) == self._size:
                self._in, self._out = find_console(self._descriptors)
                self._request(chip, _SET_CONFIGURATION)


def find_console(descriptors: bytes) -> tuple[int, int]:
    """Return the IN and OUT endpoints of the first serial port of a configuration, -1 for none."""
    endpoints = {True: -1, False: -1}  # by whether it is IN
    at, serial = 0, False
    while at + 2 <= len(descriptors) and descriptors[at] >= 2:
        entry = descriptors[at : at + descriptors[at]]
        if entry[1] == _INTERFACE:
            serial = entry[5] == _CDC_DATA and entry[4] == 2
        elif entry[1] == _ENDPOINT and serial and entry[3] & 3 == _BULK:
            is_in = bool(entry[2] & 0x80)
            if endpoints[is_in] < 0:
                endpoints[is_in] = entry[2] & 15
        at += descriptors[at]
    return endpoints[True], endpoints[False]
