"""Devices with their own clocks in a ring of pipes, which can lose, flip, double or delay bytes, or be cut."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from firmware.compat import TICKS_PERIOD
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW
from firmware.engine.options import Options
from firmware.link import members
from firmware.link.linked import LinkedMatch
from firmware.link.lobby import Lobby
from firmware.link.members import LIED, LOST, READY
from firmware.link.sealed import Session as SealedSession
from firmware.link.session import LinkSession
from firmware.link.wire import Wire
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.modes.delays import set_delays
from firmware.players.player import IDLE, Player
from tests.support.drill import Order, choose

FRAME_MS = 17
ROW = b"\x08\x08\x08\x08\x08\x00\x08\x08\x08\x08"
PLAYED = (LEFT, RIGHT, HARD_DROP, HARD_DROP, HARD_DROP, ROTATE_CW, ROTATE_CCW, HOLD)


@dataclass
class Line:
    """One direction of a pipe: written bytes reach the other end after `delay_ms`, unless a fault is set.

    What is written in one millisecond arrives together: a wire writes a frame in several parts.
    """

    chance: random.Random = field(default_factory=random.Random)
    delay_ms: int = 5
    jitter_ms: int = 0
    loss: float = 0
    flips: float = 0
    doubles: float = 0
    cut: bool = False
    carried: int = 0
    writes: int = 0
    cut_at: int = -1  # cut from this write on
    now_ms: int = 0
    sent_ms: int = -1
    waiting: list[tuple[int, bytes]] = field(default_factory=list)

    def write(self, data: memoryview) -> int:
        chunk = bytes(data)
        self.carried += len(chunk)
        self.writes += 1
        if self.writes == self.cut_at:
            self.cut = True
        chance = self.chance
        if self.cut or self.loss and chance.random() < self.loss:
            return len(data)
        if self.flips and chance.random() < self.flips:
            at = chance.randrange(len(chunk))
            chunk = chunk[:at] + bytes([chunk[at] ^ 1 << chance.randrange(8)]) + chunk[at + 1 :]
        if self.doubles and chance.random() < self.doubles:
            chunk += chunk
        due_ms = self.now_ms + self.delay_ms
        if self.jitter_ms and self.sent_ms != self.now_ms:
            due_ms += chance.randrange(self.jitter_ms)
        self.sent_ms = self.now_ms
        if self.waiting:
            due_ms = max(due_ms, self.waiting[-1][0])  # bytes do not overtake each other
        self.waiting.append((due_ms, chunk))
        return len(data)

    def read_into(self, buffer: bytearray) -> int:
        count = 0
        while self.waiting and self.waiting[0][0] <= self.now_ms and count < len(buffer):
            due_ms, chunk = self.waiting.pop(0)
            taken = chunk[: len(buffer) - count]
            buffer[count : count + len(taken)] = taken
            count += len(taken)
            if len(taken) < len(chunk):
                self.waiting.insert(0, (due_ms, chunk[len(taken) :]))
        return count


@dataclass
class Pipe:
    """A device's end of the link: it reads the line from the previous device and writes the line to the next."""

    before: Line
    after: Line

    def read_into(self, buffer: bytearray) -> int:
        return self.before.read_into(buffer)

    def write(self, data: memoryview) -> int:
        return self.after.write(data)


class TappedWire(Wire):
    """A wire that gives what it should send to `tap`, if there is one; `send_on` sends it."""

    tap: Callable[[bytearray, int], bool] | None = None

    def send(self, frame: bytearray, length: int) -> bool:
        return self.tap(frame, length) if self.tap else self.send_on(frame, length)

    def send_on(self, frame: bytearray, length: int) -> bool:
        return bool(Wire.send(self, frame, length))


class Side:
    """One device: a lobby, then a match whose player presses random buttons."""

    def __init__(self, circle: RingHarness, place: int, chance: random.Random) -> None:
        self.circle = circle
        self.chance = chance
        self.phase_ms = chance.randrange(FRAME_MS)
        self.ahead_ms = chance.randrange(TICKS_PERIOD)
        self.place = place
        self.pipe = Pipe(circle.lines[place - 1], circle.lines[place])
        self.number = chance.randrange(1, 1 << 30)
        self.enter(0)
        self.session: Any = None  # a LinkSession once all agree
        self.dead = False
        self.away = False
        self.plays = True
        self.buttons: tuple[int, ...] = PLAYED
        self.pace = 0.2  # chance of a press in each frame
        self.level = 0  # of a computer that plays instead
        self.computer: Any = None
        self.zero_ms: int | None = None  # start of its match, by the harness's clock
        self.edges: list[tuple[int, int, int, int]] = []

    def enter(self, now_ms: int) -> None:
        self.wire = TappedWire(self.pipe)
        name = b"AB" + bytes([67 + self.place])
        self.lobby = Lobby(self.wire, self.number, name, 1000 + self.place, 1, self.clock(now_ms))
        self.lobby.draw = functools.partial(random.Random(self.number).randrange, 1 << 30)

    def drop_all(self) -> None:
        """Hard Drop again and again, until this player is out."""
        self.buttons = (HARD_DROP,)
        self.pace = 1

    def leave(self) -> None:
        """Leave the match, as by the menu; then a lobby passes on the others' messages."""
        if self.session:
            self.session.leave(self.now_ms)

    def clock(self, now_ms: int) -> int:
        return (now_ms + self.ahead_ms) % TICKS_PERIOD

    @property
    def now_ms(self) -> int:
        return self.clock(self.circle.now_ms)

    @property
    def match(self) -> Any:
        return self.session.match

    def seat_of(self, other: Side) -> Any:
        """Return the seat of another side's player in this side's match."""
        return self.match.seats[other.match.me]

    @property
    def done(self) -> bool:
        """Whether the match is over for this side, or the link is lost."""
        return self.session is not None and (self.session.state in (LOST, LIED) or self.match.over or self.away)

    def step(self, now_ms: int) -> None:
        clock_ms = self.clock(now_ms)
        if self.away:
            self.lobby.step(clock_ms)
            return
        if not self.session:
            self.lobby.step(clock_ms)
            self.lobby.me.ready = self.circle.willing and self.lobby.is_whole()
            if self.lobby.agreed:
                match = self.circle.make_match(self.lobby)
                self.session = open_session(self.lobby, match, clock_ms)
            return
        session, match = self.session, self.match
        session.step(clock_ms)
        if session.state == members.LEFT and session.may_disconnect(clock_ms):
            self.away = True
            self.enter(now_ms)
            return
        time_ms = session.read_time_ms(clock_ms)
        if time_ms > match.time_ms:
            match.advance(time_ms)
            if self.zero_ms is None:
                self.zero_ms = now_ms - time_ms
        if self.level and session.is_running() and not match.over:
            self.follow_computer(match)
            return
        if not self.plays or not session.is_running() or match.over or self.chance.random() > self.pace:
            return
        button = self.chance.choice(self.buttons)
        for pressed in (1, 0):
            match.input(match.me, button, pressed, match.time_ms)
            self.edges.append((match.time_ms, match.me, button, pressed))

    def follow_computer(self, match: LinkedMatch) -> None:
        """Give the match the presses of a computer that are due."""
        game = match.seats[match.me].game
        if not self.computer or self.computer.game is not game:
            self.computer = Player(self.level, self.number)
            self.computer.watch(game)
        while IDLE != self.computer.due_ms <= match.time_ms:
            edge = (self.computer.button, self.computer.pressed)
            match.input(match.me, *edge, match.time_ms)
            self.edges.append((match.time_ms, match.me, *edge))
            self.computer.prepare()
        self.computer.look()


def open_session(lobby: Lobby, match: LinkedMatch, now_ms: int) -> LinkSession:
    if lobby.seals:
        return SealedSession(lobby.wire, lobby.key, match, now_ms, lobby.seals)
    return LinkSession(lobby.wire, lobby.key, match, now_ms)


class RingHarness:
    """Two to four sides.

    rules: of the match, by name.  armed: whether arm() prepares the match.  events: moments and what to call then.
    """

    def __init__(self, count: int, seed: int = 1, armed: bool = False, **rules: int) -> None:
        chance = random.Random(seed)
        self.armed = armed
        self.rules = rules
        self.willing = True
        self.now_ms = 0
        self.lines = [Line(random.Random(seed * 9 + place)) for place in range(count)]
        self.sides = [Side(self, place, random.Random(chance.random())) for place in range(count)]
        self.events: list[tuple[int, Callable[[], None]]] = []

    def make_match(self, lobby: Lobby) -> LinkedMatch:
        options = choose(MatchOptions(), players=len(lobby.members), **self.rules)
        options.teams &= (1 << options.players) - 1
        choices = [Options() for _ in range(options.players)]
        for choice in choices:
            set_delays(choice, lobby.me.delays)
        match = LinkedMatch(lobby.seed, options, choices, lobby.place)
        if self.armed:
            arm(match)
        return match

    def run(self, until: Callable[[], bool] | None = None, limit_ms: int = 900_000) -> None:
        """Let time pass until all are done or `until` holds; fail after `limit_ms`."""
        until = until or (lambda: all(side.done for side in self.living))
        order = sorted(self.sides, key=lambda side: side.phase_ms)
        end_ms = self.now_ms + limit_ms
        while not until():
            assert self.now_ms < end_ms, f"hangs: {[side.session and side.session.state for side in self.sides]}"
            for side in order:
                now_ms = self.now_ms + side.phase_ms
                for line in self.lines:
                    line.now_ms = now_ms
                if not side.dead:
                    side.step(now_ms)
            self.now_ms += FRAME_MS
            for due_ms, deed in [event for event in self.events if event[0] <= self.now_ms]:
                self.events.remove((due_ms, deed))
                deed()

    def seat_computers(self, *levels: int) -> None:
        """Let computers play: they send lines, which random presses hardly do."""
        for side, level in zip(self.sides, levels, strict=True):
            side.level = level

    def wait(self, ms: int) -> None:
        end_ms = self.now_ms + ms
        self.run(lambda: self.now_ms >= end_ms)

    @property
    def living(self) -> list[Side]:
        return [side for side in self.sides if not side.dead]

    @property
    def sessions(self) -> list[Any]:
        return [side.session for side in self.sides]

    @property
    def states(self) -> list[int]:
        return [session.state for session in self.sessions]

    def start_next_round(self) -> None:
        sides = [side for side in self.sides if not side.away]
        for side in sides:
            side.session.make_ready(side.now_ms)
            assert side.session.state == READY
        number = sides[0].match.round
        self.run(lambda: all(side.match.round == number + 1 and side.match.time_ms > 0 for side in sides))

    def results(self) -> set[tuple[int, int, int]]:
        return {
            (side.match.ends_ms, side.match.winner, side.match.hash())
            for side in self.living
            if side.session and side.match.over
        }

    def finish(self) -> tuple[int, int, int]:
        """Let time pass until all are done; return the result, which must be the same on all sides."""
        self.run()
        (result,) = self.results()
        return result

    def lose(self, place: int) -> None:
        self.sides[place].dead = True
        self.lines[place - 1].waiting.clear()
        count = len(self.sides)
        after = self.sides[(place + 1) % count]
        after.pipe.before = self.lines[place - 1]


def begun(count: int = 2, seed: int = 1, plays: bool = True, **rules: Any) -> RingHarness:
    """Return a ring whose match has run for 0.3 s; `plays`: whether the players go on pressing buttons."""
    ring = RingHarness(count, seed, **rules)
    ring.run(lambda: all(side.session and side.match.time_ms > 300 for side in ring.sides))
    for side in ring.sides:
        side.plays = plays
    return ring


def begin_idle(count: int = 2, seed: int = 1, **rules: Any) -> tuple[RingHarness, Any, Any]:
    """Return a ring with a running match without presses, and two of its sessions."""
    ring = begun(count, seed, plays=False, **rules)
    ring.wait(100)
    return ring, ring.sides[0].session, ring.sides[1].session


def check_by_one_device(ring: RingHarness, choices: list[Options]) -> None:
    """Check that the finished match is as one device plays it with the same edges, and these options of each player."""
    reference = Match(ring.sides[0].lobby.seed, ring.sides[0].match.options, choices)
    edges = sorted((edge for side in ring.sides for edge in side.edges), key=lambda edge: edge[0])
    for t_ms, number, button, pressed in edges:
        reference.input(number, button, pressed, t_ms)
    reference.advance(10_000_000)
    for match in (side.match for side in ring.sides):
        assert (match.ends_ms, match.winner) == (reference.ends_ms, reference.winner)
        for name in ("out_ms", "sent", "received"):
            assert [getattr(seat, name) for seat in match.seats] == [getattr(seat, name) for seat in reference.seats]
        assert match.seats[match.me].game.matrix.masks == reference.seats[match.me].game.matrix.masks


def arm(match: LinkedMatch) -> None:
    """Deal only I to every player, over rows with the same empty column."""
    for seat in match.seats:
        game = seat.game
        seat.hand.bag = Order("I")
        game.dealer = Order("I")
        seat.hand.next[:] = game.next[:] = b"\x01" * 6
        seat.hand.piece = 1
        for y in range(12):
            game.matrix.set_row(y, ROW)
        if seat.number == match.me:
            game.generate()


def set_faults(lines: Iterable[Line], **faults: float) -> None:
    for line in lines:
        choose(line, **faults)


def make_event(kind: int, time_ms: int, *rest: int, low: int = 0) -> bytearray:
    return bytearray([kind << 4 | low, time_ms & 255, time_ms >> 8 & 255, time_ms >> 16, *rest])
