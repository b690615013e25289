"""Carry the bytes of a match between simulators by TCP, and between a simulator and a handheld by a serial port."""

import errno
import os
import socket
import time
from contextlib import suppress
from typing import Any, Protocol

from firmware.match.options import MOST_PLAYERS
from sim.terminal import Refusal, read_whole, tell_install

LOOPBACK = "127.0.0.1"
PORT = 41_217
BAUD = 115_200

_RETRY_S = 1.0
_REFUSED_S = 0.5  # a host without room hangs up within this time


class LinkError(Refusal):
    """Say in one line why there is no link."""


class Pipe(Protocol):
    """The link of a Device, with a way to close it."""

    def read_into(self, buffer: bytearray) -> int:
        """Put received bytes into `buffer`; return how many."""

    def write(self, data: memoryview) -> int:
        """Send the bytes that fit; return how many."""

    def close(self) -> None:
        """Close the connection."""


def split_address(text: str) -> tuple[str, int]:
    """Return host and port of `text`, with PORT if it names none; raise LinkError."""
    host, port = text, str(PORT)
    if text.endswith("]") or text.count(":") > 1 and not text.startswith("["):
        pass  # a bare IPv6 address
    elif ":" in text:
        host, _colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    try:
        number = read_whole(port)
    except ValueError:
        number = 0
    if not host or host.isdecimal() or not 0 < number < 1 << 16:
        raise LinkError(f"{text!r} is not an address: it should be HOST or HOST:PORT, with a port from 1 to 65535")
    return host, number


def explain(problem: Exception) -> str:
    """Return a short reason why there is no connection."""
    if isinstance(problem, UnicodeError):
        return "no name of a computer"
    said = getattr(problem, "strerror", None) or str(problem)
    number = getattr(problem, "errno", None) or 0
    if number in errno.errorcode:
        said = os.strerror(number)  # pyserial's own message says everything twice
    return str(said).partition(" (while")[0]  # Python adds the address again


def find_address(host: str) -> str:
    """Return the address by which others reach this computer at `host`, without sending anything."""
    if host not in ("0.0.0.0", "::"):
        return host
    try:
        with socket.socket(socket.AF_INET6 if host == "::" else socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("2001:db8::1" if host == "::" else "192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return LOOPBACK  # there is no network


def receive(connection: socket.socket, buffer: bytearray) -> int:
    """Put received bytes into `buffer`; return how many, -1 if the connection is lost."""
    try:
        return connection.recv_into(buffer) or -1
    except (BlockingIOError, InterruptedError):
        return 0
    except OSError:
        return -1


class SocketPipe:
    """The end of a connection that never blocks; with an address, it reconnects by itself."""

    def __init__(self, connection: socket.socket, address: tuple[str, int] | None = None) -> None:
        connection.setblocking(False)
        self._connection: socket.socket | None = connection
        self._address = address
        self._tried_s = 0.0

    def read_into(self, buffer: bytearray) -> int:
        if self._connection is None:
            self._reconnect()
            return 0
        count = receive(self._connection, buffer)
        if count < 0:
            self.close()
        return max(0, count)

    def write(self, data: memoryview) -> int:
        if self._connection is None:
            return len(data)  # lost, as on an unplugged cable
        try:
            return self._connection.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            self.close()
            return len(data)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _reconnect(self) -> None:
        """Try to connect again, at most once in _RETRY_S."""
        now_s = time.monotonic()
        if self._address is None or now_s - self._tried_s < _RETRY_S:
            return
        self._tried_s = now_s
        with suppress(OSError):
            self._connection = connect(self._address, _RETRY_S / 10)


def connect(address: tuple[str, int], timeout_s: float) -> socket.socket:
    """Return a connection to a host; raise OSError."""
    connection = socket.create_connection(address, timeout_s)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setblocking(False)
    return connection


def join(text: str) -> SocketPipe:
    """Return the pipe to the host at an address; raise LinkError."""
    address = split_address(text)
    try:
        connection = connect(address, 5.0)
        if has_no_room(connection):
            raise LinkError(f"{MOST_PLAYERS} are linked at {address[0]}, port {address[1]}, already: there is no room")
        return SocketPipe(connection, address)
    except (OSError, UnicodeError) as error:
        raise LinkError(
            f"nobody hosts at {address[0]}, port {address[1]} ({explain(error)}); "
            "python -m sim --host there comes first"
        ) from error


def has_no_room(connection: socket.socket) -> bool:
    """Return whether the host hangs up at once; otherwise it sends something or is silent."""
    connection.settimeout(_REFUSED_S)
    try:
        return not connection.recv(1, socket.MSG_PEEK)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


class SerialPipe:
    """The end of a serial port (pyserial), such as the second one of a handheld's USB."""

    def __init__(self, port: Any) -> None:
        self._port = port

    def read_into(self, buffer: bytearray) -> int:
        with suppress(OSError):
            count = min(len(buffer), self._port.in_waiting)
            if count:
                return int(self._port.readinto(memoryview(buffer)[:count]))
        return 0

    def write(self, data: memoryview) -> int:
        try:
            return int(self._port.write(data) or 0)
        except OSError:  # also pyserial's errors: the port is too slow, or gone
            return len(data)

    def close(self) -> None:
        self._port.close()


def open_serial(name: str) -> SerialPipe:
    """Return the pipe of a serial port; raise LinkError."""
    try:
        import serial
    except ImportError:
        raise LinkError(f"--link needs pyserial; {tell_install('sim')}") from None
    try:
        return SerialPipe(serial.serial_for_url(name, BAUD, timeout=0, write_timeout=0))
    except (OSError, ValueError) as error:
        raise LinkError(f"cannot open {name}: {explain(error)}") from error
