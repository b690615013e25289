"""Run one device of a linked match in its own process, on CPython or native MicroPython.

    python tests/processes/linked_side.py ROOT SEED MODE FILE pipe              bytes over stdin and stdout
    python tests/processes/linked_side.py ROOT SEED MODE FILE host PORT | join PORT

SEED determines the presses. MODE `clock` uses real time. MODE `step` advances time when both sides have exchanged their
bytes, so the match is the same on any machine. FILE receives the recording. The last line on stderr is the outcome of
the match and its hash.
"""

import sys

if __name__ == "__main__":
    sys.path.append(sys.argv[1])

import select
import time

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CW
from firmware.engine.options import Options
from firmware.engine.randomizer import Random
from firmware.link.linked import LinkedMatch
from firmware.link.lobby import Lobby
from firmware.link.members import LOST, OVER
from firmware.link.session import LinkSession
from firmware.link.wire import Wire
from firmware.match.options import MatchOptions
from firmware.save.recorder import Recorder
from firmware.save.recordings.link_recorder import LinkRecorder

PLAYED = (LEFT, RIGHT, HARD_DROP, HARD_DROP, ROTATE_CW, HOLD)
PERIOD = 1 << 29
PATIENCE_MS = 60000
STEP_MS = 16
PRESS_STEPS = 4  # steps between two presses, on average
DONE = b"\xff\xff"  # a side that has ended sends this instead of a length
GAP_S = 0.0001
FRAME_S = 0.01


class StdioPipe:
    """A pipe over stdin and stdout; without its other end it acts like an unplugged cable."""

    def __init__(self):
        self.input = open(0, "rb", buffering=0)  # noqa: SIM115
        self.output = open(1, "wb", buffering=0)  # noqa: SIM115
        self.poll = select.poll()
        self.poll.register(self.input, select.POLLIN)
        self.gone = False

    def read_into(self, buffer):
        count = 0
        while count < len(buffer) and not self.gone and self.poll.poll(0):
            try:
                byte = self.input.read(1)
            except OSError:  # the other end of a terminal was closed
                byte = b""
            self.gone = not byte
            buffer[count : count + len(byte)] = byte
            count += len(byte)
        return count

    def write(self, data):
        if not self.gone:
            try:
                self.output.write(bytes(data))
            except OSError:
                self.gone = True
        return len(data)

    def close(self):
        self.output.close()


class Clock:
    def read_ms(self):
        now_ms = time.ticks_ms() if hasattr(time, "ticks_ms") else time.monotonic_ns() // 1000000
        return now_ms & PERIOD - 1

    def rest(self):
        time.sleep(FRAME_S)

    def end(self):
        """Do nothing: the other side ends by itself."""


class Steps:
    """A pipe, and a clock that advances each time both sides have exchanged their bytes.

    first: whether this side sends first.
    """

    def __init__(self, pipe, first, begin_ms):
        self.pipe = pipe
        self.first = first
        self.now_ms = begin_ms
        self.sent = bytearray()
        self.received = b""
        self.alone = False

    def read_into(self, buffer):
        count = min(len(buffer), len(self.received))
        buffer[:count] = self.received[:count]
        self.received = self.received[count:]
        return count

    def write(self, data):
        self.sent.extend(bytes(data))
        return len(data)

    def read_ms(self):
        return self.now_ms

    def rest(self):
        self.exchange(bytes([len(self.sent) & 255, len(self.sent) >> 8]) + bytes(self.sent))
        self.sent = bytearray()
        self.now_ms = self.now_ms + STEP_MS & PERIOD - 1

    def end(self):
        self.exchange(DONE)

    def exchange(self, data):
        """Send `data` and receive the other side's data; the sides take turns, so no byte is left at the end."""
        if self.first:
            self.send_all(data)
        if not self.alone:
            head = self.receive(2)
            if head == DONE:
                self.alone = True
            else:
                self.received += self.receive(head[0] | head[1] << 8)
        if not self.first:
            self.send_all(data)

    def send_all(self, data):
        while data and not self.alone:
            data = data[self.pipe.write(data) :]

    def is_gone(self):
        """Return True once the other end is closed; reading would make a joined link connect again."""
        return self.pipe.gone if hasattr(self.pipe, "gone") else getattr(self.pipe, "_connection", self) is None

    def receive(self, count):
        """Wait for `count` bytes and return them; return DONE if the other end is closed."""
        data = b""
        buffer = bytearray(1)
        while len(data) < count:
            if self.pipe.read_into(buffer):
                data += bytes(buffer)
            elif self.is_gone():
                return DONE
            else:
                time.sleep(GAP_S)
        return data


def play(pipe, clock, seed):
    """Meet the other side and play; return the LinkSession."""
    chance = Random(seed)
    wire = Wire(pipe)
    lobby = Lobby(wire, seed * 7919 + 1, b"P" + bytes([65 + seed % 26]) + b"A", 0, 1, clock.read_ms())
    begun_ms = clock.read_ms()
    while not lobby.agreed:
        if (clock.read_ms() - begun_ms) % PERIOD > PATIENCE_MS:
            raise RuntimeError("nobody is there")
        lobby.step(clock.read_ms())
        lobby.me.ready = lobby.is_whole()
        clock.rest()
    options = MatchOptions()
    options.players = len(lobby.members)
    choices = [Options() for _ in range(options.players)]
    match = LinkedMatch(lobby.seed, options, choices, lobby.place)
    session = LinkSession(wire, lobby.key, match, clock.read_ms())
    match.recorder = LinkRecorder(Recorder(1 << 16), match, [bytes(member.name) for member in lobby.members])
    while True:
        now_ms = clock.read_ms()
        session.step(now_ms)
        time_ms = session.read_time_ms(now_ms)
        if time_ms > match.time_ms:
            match.advance(time_ms)
        if session.state == LOST:
            return session
        if match.over:
            # Leave once the other side has the result, too.
            if session.state == OVER and session.ring.peers[1 - match.me].state == OVER:
                return session
        elif session.is_running() and not chance.below(PRESS_STEPS):
            button = PLAYED[chance.below(len(PLAYED))]
            for pressed in (1, 0):
                match.input(match.me, button, pressed, match.time_ms)
                match.recorder.note_edge(match.me, button, pressed, match.time_ms)
        clock.rest()


def open_pipe(role):
    if role == "pipe":
        return StdioPipe()
    import socket

    from sim import hub, link

    address = "127.0.0.1:" + sys.argv[6]
    if role == "host" and sys.argv[3] == "step":  # the lengths between the steps are no frames, which a hub drops
        return link.SocketPipe(socket.create_server(("127.0.0.1", int(sys.argv[6]))).accept()[0])
    while True:
        try:
            return hub.Hub(address) if role == "host" else link.join(address)
        except link.LinkError:
            time.sleep(0.2)  # the host is not there yet


def pace(wire, role, seed):
    """Return the pipe and the clock of the match."""
    if sys.argv[3] != "step":
        return wire, Clock()
    # A host must not send first: nobody may have joined yet.
    steps = Steps(wire, role == "join" or role == "pipe" and seed & 1, seed * 1000003)
    return steps, steps


def main():
    seed = int(sys.argv[2])
    role = sys.argv[5]
    wire = open_pipe(role)
    pipe, clock = pace(wire, role, seed)
    session = play(pipe, clock, seed)
    clock.end()
    wire.close()
    match = session.match
    match.recorder.stop(match.time_ms)
    with open(sys.argv[4], "wb") as file:
        file.write(match.recorder.replay())
    # The test compares the hashes of both sides.
    return "%d %d %08x %d" % (match.ends_ms, match.winner, match.hash(), match.over)  # noqa: UP031


if __name__ == "__main__":
    try:
        sys.stderr.write(main() + "\n")
    except Exception as wrong:  # MicroPython would write it to stdout, which is the wire
        if hasattr(sys, "print_exception"):
            sys.print_exception(wrong, sys.stderr)
            sys.exit(1)
        raise
