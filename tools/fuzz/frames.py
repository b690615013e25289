"""Let the link hear frames: those of a ring that we record as good input, and what a mutation makes of them.

The input is a row of frames: for each its length, the milliseconds until it comes, and its bytes without their CRC.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from firmware.engine.controls import HARD_DROP, LEFT, RIGHT, ROTATE_CW
from firmware.engine.options import Options
from firmware.link.linked import LinkedMatch
from firmware.link.lobby import Lobby
from firmware.link.session import LinkSession
from firmware.link.wire import LONGEST, Wire
from firmware.match.options import MatchOptions
from sim.hub import End, Guard

_FRAME_MS = 17
_KEY = 9
_HEAD_BYTES = 2
_FRAMES = 420  # of a recorded match
_DEVICES = 3
_PRESSED = (LEFT, RIGHT, HARD_DROP, HARD_DROP, ROTATE_CW)


class Ear:
    """A pipe: a device reads what `hear` was given; `said` gets what it writes."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.said = bytearray()

    def read_into(self, buffer: bytearray) -> int:
        count = min(len(buffer), len(self.heard))
        buffer[:count] = self.heard[:count]
        del self.heard[:count]
        return count

    def write(self, data: memoryview) -> int:
        self.said += data
        return len(data)

    def hear(self, frame: bytes) -> None:
        """Let the device read a frame next, with its CRC and the bytes of COBS."""
        sender = Ear()
        wire = Wire(sender)
        wire.send(bytearray(frame) + bytearray(2), len(frame))
        wire.push()
        self.heard += sender.said

    def take_said(self) -> Iterator[bytes]:
        """Yield the frames that the device has written since the last time."""
        listener = Ear()
        listener.heard, self.said = self.said, bytearray()
        wire = Wire(listener)
        while listener.heard or wire.at < wire.count:
            wire.poll()
            if length := wire.receive():
                yield bytes(wire.frame[:length])


def split(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each frame of an input, and the milliseconds before it."""
    at = 0
    while at + _HEAD_BYTES < len(content):
        length, wait_ms = content[at] % (LONGEST - 1), content[at + 1]
        yield wait_ms, content[at + _HEAD_BYTES : at + _HEAD_BYTES + length]
        at += _HEAD_BYTES + length


def open_lobby(number: int) -> tuple[Lobby, Ear]:
    ear = Ear()
    lobby = Lobby(Wire(ear), number, b"ABC", 0, 1, 0)
    lobby.draw = partial(Random(number).randrange, 1 << 30)
    return lobby, ear


def open_session(me: int) -> tuple[LinkSession, Ear]:
    """Return one end of a match of two, which no seals guard: it believes what it hears."""
    ear = Ear()
    options = MatchOptions()
    options.players = 2
    return LinkSession(Wire(ear), _KEY, LinkedMatch(7, options, [Options(), Options()], me), 0), ear


def greet(lobby: Lobby, now_ms: int) -> None:
    lobby.step(now_ms)
    lobby.me.ready = lobby.is_whole()


def play(session: LinkSession, chance: Random, now_ms: int) -> None:
    """Let a device work for one frame, and its player press a button now and then."""
    session.step(now_ms)
    match: Any = session.match
    time_ms = session.read_time_ms(now_ms)
    if time_ms > match.time_ms:
        match.advance(time_ms)
    if session.is_running() and not match.over and not chance.randrange(6):
        button = chance.choice(_PRESSED)
        for pressed in (1, 0):
            match.input(match.me, button, pressed, match.time_ms)


def record(sides: list[tuple[Ear, Callable[[int], object]]]) -> bytes:
    """Let devices in a ring work for some time; return what the first one hears."""
    heard: list[tuple[int, bytes]] = []
    heard_ms = 0
    for now_ms in range(0, _FRAMES * _FRAME_MS, _FRAME_MS):
        for at, (ear, step) in enumerate(sides, 1):
            step(now_ms)
            for frame in ear.take_said():
                sides[at % len(sides)][0].hear(frame)
                if at == len(sides):
                    heard.append((min(now_ms - heard_ms, 255), frame))
                    heard_ms = now_ms
    return b"".join(bytes([len(frame), wait_ms]) + frame for wait_ms, frame in heard)


def make_plays() -> list[bytes]:
    """Return what a device hears in a match of two."""
    sessions = [open_session(me) for me in range(2)]
    return [record([(ear, partial(play, session, Random(session.match.me))) for session, ear in sessions])]


def make_greetings() -> list[bytes]:
    """Return what a device hears in a lobby of three, until all agree."""
    lobbies = [open_lobby(number) for number in range(1, 1 + _DEVICES)]
    return [record([(ear, partial(greet, lobby)) for lobby, ear in lobbies])]


def read_lobby(content: bytes) -> None:
    lobby, ear = open_lobby(1)
    now_ms = 0
    for wait_ms, frame in split(content):
        now_ms += wait_ms
        ear.hear(frame)
        greet(lobby, now_ms)


def read_link(content: bytes) -> None:
    session, ear = open_session(0)
    chance = Random(0)
    now_ms = due_ms = 0
    for wait_ms, frame in split(content):
        due_ms += wait_ms
        while now_ms < due_ms:
            play(session, chance, now_ms)
            now_ms += _FRAME_MS
        ear.hear(frame)
    for _ in range(10):
        play(session, chance, now_ms)
        now_ms += _FRAME_MS


def read_hub(content: bytes) -> None:
    """Ask the hub about each frame, from three players in turn."""
    sockets = [socket.socketpair() for _ in range(_DEVICES)]
    guard = Guard()
    guard.ends.extend(End(near) for near, _far in sockets)
    for number, (_wait_ms, frame) in enumerate(split(content)):
        end = guard.ends[number % _DEVICES]
        heard = bytearray(frame.ljust(LONGEST, b"\0"))  # as in the buffer of a wire
        if frame and guard.admits(end, heard, len(frame)):
            guard.ends[(number + 1) % _DEVICES].give(heard, len(frame))
    for pair in sockets:
        for each in pair:
            each.close()
