"""Host a match over TCP: pass whole frames from each player to the next, and only those that a player may send.

A player may pass on what the hub has just given it. It may also speak for itself: it greets and shares with a number
that nobody else has, and its frames of a match carry its own place. The hub drops all others, so that nobody speaks for
another.
"""

import errno
import selectors
import socket
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from typing import Any

from firmware.link.lobby import SURE
from firmware.link.ring import GREETING, HEAD, SHARE
from firmware.link.wire import Wire
from firmware.match.options import MOST_PLAYERS
from sim.link import LOOPBACK, LinkError, SocketPipe, explain, find_address, receive, split_address

_SILENT_S = 2.0  # a player who is silent for longer does not have LINK on the screen, and is skipped
_MOST_BYTES = 1 << 14  # wait for a player who does not read; further frames are lost, as on a wire
_MOST_GUESTS = 16  # connections that have not greeted; one more takes the place of the oldest
_GIVEN = 512  # frames that a player may still pass on
_MATCHES = 8  # whose seats are kept
# Of a frame (firmware/link/README.md): who sent it, in the upper half; of a share: the number of its sender; of a
# greeting: number, READY, and agreed hash.
_PLACE = 3
_SHARER = slice(1, 5)
_NUMBER = slice(4, 8)
_READY = 11
_HASH = slice(19, 23)


class End:
    """Hold the connection of one player, the number with which it greeted, and the frames that it was given lately."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self.connection = connection
        self.wire = Wire(self)
        self.waiting = bytearray()
        self.given: OrderedDict[bytes, None] = OrderedDict()
        self.number = self.consent = b""
        self.heard_s = time.monotonic()
        self.is_open = True

    def read_into(self, buffer: bytearray) -> int:
        count = receive(self.connection, buffer)
        if count < 0:
            self.is_open = False
        return max(0, count)

    def write(self, data: memoryview) -> int:
        self.waiting += data
        return len(data)

    def give(self, frame: bytearray, length: int) -> None:
        """Queue a frame, unless this player does not read."""
        if len(self.waiting) + length + 4 <= _MOST_BYTES:
            self.given[strip(frame, length)] = None
            if len(self.given) > _GIVEN:
                self.given.popitem(last=False)
            self.wire.send(frame, length)
            self.wire.push()

    def flush(self) -> None:
        """Send as many waiting bytes as possible."""
        try:
            del self.waiting[: self.connection.send(self.waiting)]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError:
            self.is_open = False


def strip(frame: bytearray, length: int) -> bytes:
    """Return a frame without what each device on its way changes."""
    bare = frame[:length]
    bare[0] &= 0xF0
    if length > _PLACE:
        bare[_PLACE] &= 0xF0
    return bytes(bare)


class Guard:
    """Know which player has which number, and who sits where in each match."""

    def __init__(self) -> None:
        self.ends: list[End] = []
        self._seats: dict[bytes, tuple[bytes, list[End]]] = {}  # by the key of the match: its hash, and the players

    def admits(self, end: End, frame: bytearray, length: int) -> bool:
        """Return whether a player may send a frame."""
        if strip(frame, length) in end.given:
            return True
        if frame[0] >> 4 == GREETING:
            return length >= _NUMBER.stop and self._greet(end, frame, length)
        if frame[0] >> 4 == SHARE:
            return length >= _SHARER.stop and bytes(frame[_SHARER]) == end.number
        _hash, seats = self._seats.get(bytes(frame[1:3]), (b"", []))
        place = frame[_PLACE] >> 4
        return length >= HEAD and place < len(seats) and seats[place] is end

    def _greet(self, end: End, frame: bytearray, length: int) -> bool:
        """Note the number of a player, and the match to which it agrees; return False if the number is another's."""
        number = bytes(frame[_NUMBER])
        if any(other.number == number for other in self.ends if other is not end):
            return False
        end.number = number
        end.consent = bytes(frame[_HASH]) if length >= _HASH.stop and frame[_READY] else b""
        if end.consent and frame[_READY] == SURE:
            # An honest player is sure only once everybody has agreed. From now on nobody can change the seats.
            self._forget_matches()
            agreed = [other for other in self.ends if other.consent == end.consent]
            if len(agreed) > 1:
                agreed.sort(key=lambda other: int.from_bytes(other.number, "little"))
                self._seats.setdefault(end.consent[:2], (end.consent, agreed))
        return True

    def _forget_matches(self) -> None:
        """Forget matches whose players have all greeted anew, and the oldest ones."""
        for key, (consent, seats) in list(self._seats.items()):
            if len(self._seats) >= _MATCHES or all(end.consent != consent for end in seats):
                del self._seats[key]


class Hub(SocketPipe):
    """The local player's end; it listens for others and passes the frames of each on to the next, as in a ring.

    A connection becomes a player with its first frame; until then it is a guest and takes nobody's place. address: the
    one that others give to --join.
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
        super().__init__(mine)
        self._here = End(here)
        self._guard = Guard()
        self._ring = self._guard.ends
        self._ring.append(self._here)
        self._guests: list[End] = []
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(here, selectors.EVENT_READ, self._here)
        self._thread = threading.Thread(target=self._run, name="hub", daemon=True)
        self._thread.start()

    def close(self) -> None:
        super().close()
        self._thread.join()

    def _run(self) -> None:
        """Carry frames until the local player leaves."""
        while self._here.is_open:
            for key, events in self._selector.select():
                end: Any = key.data
                if end is None:
                    self._accept()
                elif end.is_open:
                    if events & selectors.EVENT_READ:
                        self._pass_on(end)
                    if events & selectors.EVENT_WRITE:
                        end.flush()
            for end in [*self._ring, *self._guests]:
                self._watch(end)
        for end in [*self._ring, *self._guests]:
            end.is_open = False
            self._watch(end)
        self._listener.close()
        self._selector.close()

    def _accept(self) -> None:
        """Accept one more connection, unless there are enough players."""
        with suppress(OSError):
            connection, _address = self._listener.accept()
            if len(self._ring) == MOST_PLAYERS:
                connection.close()
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end = End(connection)
            self._guests.append(end)
            self._selector.register(connection, selectors.EVENT_READ, end)
            if len(self._guests) > _MOST_GUESTS:
                self._guests[0].is_open = False  # it joins anew if it is a player in the menus

    def _pass_on(self, end: End) -> None:
        """Pass a player's frames on to the next player; a single player receives nothing."""
        end.wire.poll()
        while length := end.wire.receive():
            if end in self._guests:
                if len(self._ring) == MOST_PLAYERS:
                    end.is_open = False
                    return
                self._guests.remove(end)
                self._ring.append(end)
            end.heard_s = time.monotonic()
            if self._guard.admits(end, end.wire.frame, length) and len(self._ring) > 1:
                self._find_next(end).give(end.wire.frame, length)

    def _find_next(self, end: End) -> End:
        """Return the next player in the ring who sent something lately; if nobody did, the next player."""
        at = self._ring.index(end)
        since_s = time.monotonic() - _SILENT_S
        others = self._ring[at + 1 :] + self._ring[:at]
        return next((other for other in others if other.heard_s >= since_s), others[0])

    def _watch(self, end: End) -> None:
        """Wait for what a connection needs, or drop it."""
        if end.is_open:
            self._selector.modify(
                end.connection, selectors.EVENT_READ | (selectors.EVENT_WRITE if end.waiting else 0), end
            )
            return
        self._selector.unregister(end.connection)
        (self._ring if end in self._ring else self._guests).remove(end)
        end.connection.close()
