"""Carry the answer to an invitation from a friend's page to yours, so that the link alone is enough.

A room's name is the last part of an address, 16 to 64 letters that nobody can guess. Its host opens the room and waits.
A friend connects with ?answer after the address and sends the answer. The relay stores nothing, and closes a room when
its host leaves.
"""

import asyncio
import logging
import re
import ssl
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Origin

from tools.web import WebError

_ROOM = re.compile(r"[\w-]{16,64}", re.ASCII)
_REFUSED = 4000  # close code, with a reason in one line
_PAIR = 2
_GUEST = "answer"
_SILENT = logging.getLogger(__name__)
_MINUTE_S = 60
_HERE = re.compile(r"https?://(localhost|127\.0\.0\.1)(:\d+)?")


@dataclass(frozen=True)
class Limits:
    rooms: int = 1000
    letters: int = 2048  # of a message: an answer has about 250
    words: int = 8  # messages of one guest in one room
    idle_s: float = 1800  # longest time without a message; then the guest must leave
    calls: int = 30  # connections from one address in a minute
    held: int = 8  # rooms of hosts at one address


class Relay:
    """Keep rooms of two guests, and pass on their messages."""

    def __init__(self, limits: Limits | None = None, *, is_proxied: bool = False) -> None:
        self.limits = limits or Limits()
        self.is_proxied = is_proxied
        self.rooms: dict[str, list[ServerConnection]] = {}
        self.calls: Counter[str] = Counter()
        self.held: Counter[str] = Counter()
        self.minute = 0

    def count_call(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse an address that connects too often."""
        minute = int(asyncio.get_running_loop().time()) // _MINUTE_S
        if minute != self.minute:
            self.minute = minute
            self.calls.clear()
        address = self.find_address(connection, request)
        self.calls[address] += 1
        if self.calls[address] > self.limits.calls:
            return connection.respond(HTTPStatus.TOO_MANY_REQUESTS, "too many calls: wait for a minute\n")
        return None

    def find_address(self, connection: ServerConnection, request: Request) -> str:
        """Return the caller's address; a proxy has added it as the last one."""
        if self.is_proxied:
            return ",".join(request.headers.get_all("X-Forwarded-For")).rpartition(",")[2].strip()
        return str(connection.remote_address[0])

    def enter(self, name: str, is_host: bool, guest: ServerConnection, address: str) -> str:
        if not _ROOM.fullmatch(name):
            return "a room has 16 to 64 letters, digits, - or _"
        if not is_host and name not in self.rooms:
            return "nobody waits for this answer any more"
        if is_host and len(self.rooms) >= self.limits.rooms:
            return "this relay is full"
        if is_host and name not in self.rooms and self.held[address] >= self.limits.held:
            return "too many rooms for one address"
        room = self.rooms.setdefault(name, [])
        if len(room) >= (1 if is_host else _PAIR):
            return "this room is full"
        room.append(guest)
        return ""

    async def receive(self, guest: ServerConnection) -> None:
        assert guest.request
        path, _, role = guest.request.path.partition("?")
        name = path.rpartition("/")[2]
        address = self.find_address(guest, guest.request)
        is_host = role != _GUEST
        problem = self.enter(name, is_host, guest, address)
        if not problem:
            room = self.rooms[name]
            self.held[address] += is_host
            try:
                problem = await self.pass_messages(guest, room)
            except ConnectionClosed:
                pass
            finally:
                others = self.leave(name, room, guest, is_host)
                self.held[address] -= is_host
                self.held += Counter()  # without addresses that hold none
            for other in others:
                await other.close()
        if problem:
            await guest.close(_REFUSED, problem)

    async def pass_messages(self, guest: ServerConnection, room: list[ServerConnection]) -> str:
        """Pass on a guest's messages; return why the guest must leave."""
        for _ in range(self.limits.words):
            try:
                word = await asyncio.wait_for(guest.recv(), self.limits.idle_s)
            except asyncio.TimeoutError:
                return "nothing was said for too long"
            if not isinstance(word, str):
                return "this relay carries text"
            for other in room:
                if other is not guest:
                    await other.send(word)
        return "too much was said"

    def leave(
        self, name: str, room: list[ServerConnection], guest: ServerConnection, is_host: bool
    ) -> list[ServerConnection]:
        """Let a guest out of a room; if it is the host, close the room and return the others, who must leave too."""
        room.remove(guest)
        if not is_host:
            return []
        del self.rooms[name]
        return [*room]


async def open_relay(
    relay: Relay, host: str, port: int, pem: Path | None = None, origins: Sequence[str] = ()
) -> Server:
    """Return the relay's server; raise WebError if the port or the certificate is unavailable.

    origins: the pages that may call, by default those of this computer. What is no browser names none.
    """
    secret = read_secret(pem) if pem else None
    _SILENT.disabled = True  # else each invalid connection would print a traceback
    try:
        return await serve(
            relay.receive,
            host,
            port,
            ssl=secret,
            origins=[None, *map(Origin, origins or ()), *([] if origins else [_HERE])],
            process_request=relay.count_call,
            max_size=relay.limits.letters,
            max_queue=1,
            compression=None,
            logger=_SILENT,
        )
    except OSError as problem:
        raise WebError(f"{host} port {port} cannot be had: {problem.strerror}; --port N names another") from None


def read_secret(pem: Path) -> ssl.SSLContext:
    """Return a certificate with its key; raise WebError if the file has none."""
    secret = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        secret.load_cert_chain(pem)
    except ssl.SSLError:
        raise WebError(f"{pem} is no certificate with its key, both as PEM") from None
    except OSError as problem:
        raise WebError(f"{pem}: {problem.strerror}") from None
    return secret


async def run(
    relay: Relay,
    host: str,
    port: int,
    pem: Path | None,
    tell: Callable[[str], None],
    origins: Sequence[str] = (),
    warn: Callable[[str], None] = print,
) -> None:
    """Serve until somebody stops it; pass the address to `tell` first, and once to `warn` that handles have run out."""
    told: list[str] = []

    def note(_loop: object, context: dict[str, Any]) -> None:
        problem = context.get("exception")
        if isinstance(problem, OSError) and not told:
            told.append(str(problem.strerror))
            warn(f"cannot take more calls for now: {problem.strerror}; `ulimit -n` allows more")

    asyncio.get_running_loop().set_exception_handler(note)
    async with await open_relay(relay, host, port, pem, origins) as server:
        found = next(iter(server.sockets)).getsockname()[1]
        tell(f"{'wss' if pem else 'ws'}://{host}:{found}")
        await server.wait_closed()
