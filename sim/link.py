"""Carry the bytes of a match between simulators by TCP, and between a simulator and a handheld by a serial port."""

import errno
import os
import selectors
import socket
import threading
import time
from contextlib import suppress
from typing import Any, Protocol

from firmware.match.options import MOST_PLAYERS
from sim.terminal import Refusal, tell_install

LOOPBACK = "127.0.0.1"
PORT = 41_217
BAUD = 115_200

_RETRY_S = 1.0
_REFUSED_S = 0.5  # a host without room hangs up within this time
_SILENT_S = 2.0  # a player who is silent for longer does not have LINK on the screen, and is skipped
_MOST_BYTES = 1 << 14  # wait for a player who does not read; further bytes are lost, as on a wire
_READ = 1 << 12


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
    if not host or host.isdecimal() or not (port.isascii() and port.isdecimal()) or not 0 < int(port) < 1 << 16:
        raise LinkError(f"{text!r} is not an address: it should be HOST or HOST:PORT, with a port from 1 to 65535")
    return host, int(port)


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
        try:
            count = self._connection.recv_into(buffer)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            count = 0
        if not count:
            self.close()
        return count

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


class Hub(SocketPipe):
    """The local player's end; it listens for others and passes the bytes of each on to the next, as in a ring.

    address: the one that others give to --join.
    """

    def __init__(self, text: str = LOOPBACK) -> None:
        """Listen at an address; raise LinkError if that fails."""
        host, port = split_address(text)
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._listener = socket.create_server((host, port), family=family)
        except (OSError, UnicodeError) as error:
            taken = getattr(error, "errno", None) == errno.EADDRINUSE
            way = f"; try another port, as in --host {host}:{port % 65_535 + 1}" if taken else ""
            if getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
                way = "; it is not an address of this computer, as 0.0.0.0 is"
            raise LinkError(f"cannot host at {host}, port {port}: {explain(error)}{way}") from error
        host, port = self._listener.getsockname()[:2]
        host = find_address(host)
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._listener.setblocking(False)
        mine, here = socket.socketpair()
        here.setblocking(False)
        super().__init__(mine)
        self._ring = [here]
        self._waiting = {here: bytearray()}
        self._heard_s = {here: time.monotonic()}
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(here, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="hub", daemon=True)
        self._thread.start()

    def close(self) -> None:
        super().close()
        self._thread.join()

    def _run(self) -> None:
        """Carry bytes until the local player leaves."""
        here = self._ring[0]
        while here in self._ring:
            for key, events in self._selector.select():
                if key.fileobj is self._listener:
                    self._accept()
                    continue
                end: Any = key.fileobj
                if events & selectors.EVENT_READ:
                    self._pass_on(end)
                if events & selectors.EVENT_WRITE and end in self._waiting:
                    self._send(end)
        for end in list(self._ring):
            self._drop(end)
        self._listener.close()
        self._selector.close()

    def _accept(self) -> None:
        """Accept one more player at the end of the ring, if there is room."""
        with suppress(OSError):
            end, _address = self._listener.accept()
            if len(self._ring) == MOST_PLAYERS:
                end.close()
                return
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end.setblocking(False)
            self._ring.append(end)
            self._waiting[end] = bytearray()
            self._heard_s[end] = time.monotonic()
            self._selector.register(end, selectors.EVENT_READ)

    def _pass_on(self, end: socket.socket) -> None:
        """Pass a player's bytes on to the next player; a single player receives nothing."""
        try:
            data = end.recv(_READ)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._drop(end)
            return
        self._heard_s[end] = time.monotonic()
        if len(self._ring) == 1:
            return
        after = self._find_next(end)
        waiting = self._waiting[after]
        if len(waiting) + len(data) <= _MOST_BYTES:
            waiting += data
        self._send(after)

    def _find_next(self, end: socket.socket) -> socket.socket:
        """Return the next player in the ring who sent something lately; if nobody did, the next player."""
        at = self._ring.index(end)
        since_s = time.monotonic() - _SILENT_S
        others = self._ring[at + 1 :] + self._ring[:at]
        return next((other for other in others if self._heard_s[other] >= since_s), others[0])

    def _send(self, end: socket.socket) -> None:
        """Send as many of a player's waiting bytes as possible."""
        waiting = self._waiting[end]
        try:
            del waiting[: end.send(waiting)]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self._drop(end)
            return
        self._selector.modify(end, selectors.EVENT_READ | (selectors.EVENT_WRITE if waiting else 0))

    def _drop(self, end: socket.socket) -> None:
        self._selector.unregister(end)
        self._ring.remove(end)
        del self._waiting[end], self._heard_s[end]
        end.close()


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
