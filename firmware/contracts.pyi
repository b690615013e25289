"""Describe, for mypy alone, what the rooms ask of each other by structure; no interpreter reads this file.

The classes that most rooms name are here too, so that one line under TYPE_CHECKING imports them all.
"""

from collections.abc import Callable as Callable
from collections.abc import Iterable
from typing import Any as Any
from typing import Protocol, TypeAlias

from firmware.context import Context as Context
from firmware.device.edges import EdgeQueue as EdgeQueue
from firmware.device.handheld import Device as Device
from firmware.engine.game import Game as Game
from firmware.engine.matrix import Matrix as Matrix
from firmware.engine.mode import Mode
from firmware.engine.statistics import Statistics as Statistics
from firmware.idling import Idling as Idling
from firmware.link.seals import Seals as Seals
from firmware.link.session import LinkSession as LinkSession
from firmware.link.wire import Wire
from firmware.match.match import Match as Match
from firmware.match.options import MatchOptions as MatchOptions
from firmware.match.seat import Seat as Seat
from firmware.router import Router as Router
from firmware.save.journal import Journal as Journal
from firmware.save.recorder import Recorder as Recorder
from firmware.save.recordings.match_recorder import MatchRecorder as MatchRecorder
from firmware.save.settings import Settings as Settings
from firmware.scenes.link.play import Scene as LinkScene
from firmware.scenes.match.play import Scene as MatchScene
from firmware.scenes.match.practice import Adviser as Adviser
from firmware.scenes.play.play import Play as Play
from firmware.session import Session as Session
from firmware.sound.voice import Voice as Voice
from firmware.view.canvas import Canvas as Canvas

Blob: TypeAlias = bytes | bytearray | memoryview
Buffer: TypeAlias = bytearray | memoryview
Fields: TypeAlias = tuple[tuple[str, int, int, int], ...]  # (name, least, most, default) of each option
Written: TypeAlias = dict[str, tuple[str, str | int]]  # by key in capitals: its spelling, and its value
MakeMode: TypeAlias = Callable[[int], Mode]
Record: TypeAlias = dict[bytes, bytes]  # of a mode, by the words of firmware/modes/modes.txt
Pins: TypeAlias = dict[str, Any]  # the pins of a board by name, or what stands for them
Found: TypeAlias = dict[str, Any]  # the values of settings.toml by key: pins, numbers, words
Parts: TypeAlias = dict[str, Any]  # of a device that is being built, by name
MatchPlay: TypeAlias = MatchScene
LinkPlay: TypeAlias = LinkScene
# What devices agreed on: wire, key, seed, own place, Seals or None, names, then the options wish, level, delays.
Agreement: TypeAlias = tuple[Wire, int, int, int, Any, list[bytes], int, int, int]

class Covered(Protocol):
    """Be a scene of play under a countdown or a pause."""

    context: Context
    voice: Voice
    view: Any  # views differ
    start_ms: int

    def halt(self, state: int, cover: Any) -> None: ...
    def play_on(self, t_ms: int) -> None: ...
    def draw(self) -> None: ...

class Clock(Protocol):
    """Tell the time in ms, which wraps at 2**29; all but the page's have wait_until(t_ms), too."""

    def ticks_ms(self) -> int: ...  # 0..2**29-1

class Sheet(Protocol):
    """Show what changed in a canvas."""

    canvas: Canvas

    def show(self) -> None: ...

class Panel(Protocol):
    """Be as bright and as upright as the settings say."""

    def contrast(self, level: int) -> None: ...
    def turn(self, turned: int) -> None: ...  # by 180 degrees

class Display(Sheet, Panel, Protocol):
    """Be all that, and sleep."""

    def sleep(self, on: bool) -> None: ...  # the panel is off, or on again

class Buttons(Protocol):
    """Append every edge since the last poll."""

    def poll(self, sink: EdgeQueue) -> None: ...  # appends the edges since the last poll; without room the rest waits

class Buzzer(Protocol):
    """Sound a square wave until told otherwise; never block."""

    def tone(self, hz: int, duty: int) -> None: ...
    def off(self) -> None: ...

class Store(Protocol):
    """Keep bytes through power cuts, with the manners of flash: also erase() or replace(), see Device."""

    @property
    def size(self) -> int: ...
    def read(self, offset: int, buffer: Buffer) -> None: ...
    def write(self, offset: int, data: Blob) -> None: ...

class BackupBank(Protocol):
    """Keep a copy of the only bank while it is erased."""

    @property
    def size(self) -> int: ...
    def read(self, offset: int, buffer: Buffer) -> None: ...
    def keep(self, pieces: Iterable[Blob]) -> None: ...

class ReplayFiles(Protocol):
    """Keep a recording of each table's first place."""

    def holds(self, table: int, result: int) -> bool: ...
    def fetch(self, table: int, result: int) -> bytes: ...
    def keep(self, table: int, result: int, blob: bytes) -> None: ...

class Pipe(Protocol):
    """Carry bytes to other players; never block."""

    def read_into(self, buffer: bytearray) -> int: ...
    def write(self, data: memoryview) -> int: ...

class Bus(Protocol):
    """Change the speed of a display's lines."""

    hz: int

    def hurry(self, on: int) -> None: ...

class Mapping(Protocol):
    """Turn button edges into control edges, valid until the next call."""

    def forget(self) -> None: ...
    def translate(self, edges: EdgeQueue, now_ms: int) -> EdgeQueue: ...

class Cover(Protocol):
    """Stand over a game: take the edges of a frame and draw in place of its scene."""

    def update(self, edges: EdgeQueue, now_ms: int) -> None: ...
    def draw(self) -> None: ...

class Scene(Protocol):
    """Take the edges of a frame and draw what changed; see Router for what else a scene of a kind has."""

    kind: str

    def update(self, edges: EdgeQueue, now_ms: int) -> None: ...
    def draw(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

class Computer(Protocol):
    """Play a seat of a match, as a Player does, and a bot in its place."""

    due_ms: int
    button: int
    pressed: int

    def watch(self, game: Game) -> None: ...
    def prepare(self) -> None: ...
    def look(self, pool: int) -> int: ...

class Pen(Protocol):
    """Note the edges of a game, as a Recorder and a Rewind do."""

    def record_edge(self, button: int, pressed: int, time_ms: int) -> None: ...
    def note_change(self, name: str, value: int) -> None: ...
