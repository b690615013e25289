"""Measure a link in a match: its work in each frame, its allocations, and its bytes on the wire."""

import itertools
from dataclasses import dataclass

from tools import interpreters
from tools.measure import board, scripts

FRAMES = 1200
WARM_UP_FRAMES = 300  # before those that count

# All devices of a ring run in one interpreter. Marks enclose the work of the first device's link in each frame, but not
# the work of its pipe: on a board CircuitPython itself does that.
_SCRIPT = """
import micropython
from time import ticks_us as mark
from firmware.engine.game import Game  # first: importing it from within the link nests too deep for this stack
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CW
from firmware.engine.options import Options
from firmware.engine.randomizer import Random
from firmware.link.session import LinkSession
from firmware.link.linked import LinkedMatch
from firmware.link.lobby import Member
from firmware.link.wire import Wire
from firmware.match.options import MatchOptions

PLAYED = (LEFT, RIGHT, HARD_DROP, ROTATE_CW, HOLD, LEFT, RIGHT, ROTATE_CW)

class Line:
    def __init__(self):
        self.bytes = bytearray(1 << 12)
        self.first = self.end = 0

class Pipe:
    def __init__(self, before, after, counted):
        self.before = before
        self.after = after
        self.counted = counted
        self.calls = self.sent = 0

    def read_into(self, buffer):
        if self.counted:
            self.calls += 1
            mark()
        line = self.before
        count = 0
        while count < len(buffer) and line.first != line.end:
            buffer[count] = line.bytes[line.first & 4095]
            line.first += 1
            count += 1
        if self.counted:
            mark()
        return count

    def write(self, data):
        if self.counted:
            self.calls += 1
            mark()
        line = self.after
        for byte in data:
            line.bytes[line.end & 4095] = byte
            line.end += 1
        self.sent += len(data)
        if self.counted:
            mark()
        return len(data)

players = {players}
lines = [Line() for _ in range(players)]
options = MatchOptions()
options.players = players
pipes = [Pipe(lines[i - 1], lines[i], not i) for i in range(players)]
matches = [LinkedMatch(7, options, [Options() for _ in range(players)], i) for i in range(players)]
chances = [Random(i) for i in range(players)]

class Lobby:
    def __init__(self, me):
        self.members = [Member(1 + i, 0) for i in range(players)]
        self.me = self.members[me]

def open_session(i):
    if players == 2:
        return LinkSession(Wire(pipes[i]), 9, matches[i], 0)
    from firmware.link.seals import Seals
    from firmware.link.sealed import Session as SealedSession
    lobby = Lobby(i)
    seals = Seals(lambda: 5)
    for member in lobby.members:
        member.share = seals.share_with(lobby.me)
    return SealedSession(Wire(pipes[i]), 9, matches[i], 0, seals.begin(lobby))

sessions = [open_session(i) for i in range(players)]
calls = []

def play(i, now_ms):
    session = sessions[i]
    match = matches[i]
    time_ms = session.read_time_ms(now_ms)
    if time_ms > match.time_ms:
        match.advance(time_ms)
    if session.is_running() and not chances[i].below(5):
        button = PLAYED[chances[i].below(8)]
        match.input(i, button, 1, match.time_ms)
        match.input(i, button, 0, match.time_ms)

def step(session, now_ms):
    micropython.heap_lock()
    mark()
    session.step(now_ms)
    mark()
    micropython.heap_unlock()

now_ms = 0
mark()
mark()
for frame in range({frames} + {warm_up}):
    now_ms += 17
    pipes[0].calls = 0
    if frame == {warm_up}:
        begun_ms = now_ms
        sent = pipes[0].sent
    step(sessions[0], now_ms)
    calls.append(pipes[0].calls)
    play(0, now_ms)
    for i in range(1, players):
        sessions[i].step(now_ms)
        play(i, now_ms)
    if matches[0].over:
        break
for frame in range(0, len(calls), 64):
    print("calls", " ".join([str(count) for count in calls[frame : frame + 64]]))
print("bytes", (pipes[0].sent - sent) * 1000 // (now_ms - begun_ms))
"""


@dataclass(frozen=True)
class LinkFrames:
    """Board time of one device's link in each frame of a match, in us; and bytes a second for each player."""

    link_us: list[float]
    bytes_a_second: float


def measure_frames(players: int, frames: int = FRAMES) -> LinkFrames:
    """Play a match of `players` devices with random presses; a link that allocates raises ScriptFailed."""
    script = _SCRIPT.format(players=players, frames=frames, warm_up=WARM_UP_FRAMES)
    result = scripts.run(script, 4 * interpreters.FUEL_LIMIT)
    found = scripts.read_reports(result)
    spans = iter(interpreters.spans_of(result))
    times_us = [board.to_us(sum(itertools.islice(spans, 1 + count))) for count in found["calls"]]
    return LinkFrames(times_us[WARM_UP_FRAMES:], found["bytes"][0] / players)


def rows() -> list[tuple[str, str]]:
    """Return the rows of the table of figures: matches of two and of four devices."""
    found = []
    for players in (2, 4):
        played = measure_frames(players)
        name = f"link of {players}"
        found.append((f"{name}: more a frame, mean, worst", board.mean_and_worst(played.link_us)))
        found.append((f"{name}: bytes a second and player on the wire", f"{played.bytes_a_second:,.0f}"))
    return found
