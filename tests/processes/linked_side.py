"""Be one device of a linked match in a process of its own, on CPython or native MicroPython.

    python tests/processes/linked_side.py ROOT SEED pipe              bytes over stdin and stdout
    python tests/processes/linked_side.py ROOT SEED host PORT | join PORT

Whatever its player presses comes from SEED. The last line on stderr says how the match ended, and its hash.
"""

import sys

if __name__ == "__main__":
    sys.path.append(sys.argv[1])

import select
import time

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CW
from firmware.engine.options import Options
from firmware.engine.randomizer import Random
from firmware.link.keeper import Keeper
from firmware.link.linked import LinkedMatch
from firmware.link.lobby import Lobby
from firmware.link.roster import LOST, OVER, RUNNING
from firmware.link.wire import Wire
from firmware.match.options import MatchOptions

PLAYED = (LEFT, RIGHT, HARD_DROP, HARD_DROP, ROTATE_CW, HOLD)
PERIOD = 1 << 29
GOODBYE_MS = 10000
HEARD_MS = 500
PATIENCE_MS = 60000


class Standard:
    """Be a pipe over stdin and stdout."""

    def __init__(self):
        self.input = open(0, "rb", buffering=0)  # noqa: SIM115
        self.output = open(1, "wb", buffering=0)  # noqa: SIM115
        self.poll = select.poll()
        self.poll.register(self.input, select.POLLIN)

    def read_into(self, buffer):
        count = 0
        while count < len(buffer) and self.poll.poll(0):
            byte = self.input.read(1)
            if not byte:
                break
            buffer[count] = byte[0]
            count += 1
        return count

    def write(self, data):
        self.output.write(bytes(data))
        return len(data)


def read_ms():
    if hasattr(time, "ticks_ms"):
        return time.ticks_ms() & PERIOD - 1
    return time.monotonic_ns() // 1000000 & PERIOD - 1


def play(pipe, seed):
    """Meet the other one and play; return the Keeper."""
    chance = Random(seed)
    wire = Wire(pipe)
    lobby = Lobby(wire, seed * 7919 + 1, b"P" + bytes([65 + seed % 26]) + b"A", 0, 1, read_ms())
    begun_ms = read_ms()
    while not lobby.agreed:
        if (read_ms() - begun_ms) % PERIOD > PATIENCE_MS:
            raise SystemExit("nobody is there")
        lobby.step(read_ms())
        lobby.me.ready = lobby.is_whole()
        time.sleep(0.005)
    options = MatchOptions()
    options.players = len(lobby.members)
    choices = [Options() for _ in range(options.players)]
    match = LinkedMatch(lobby.seed, options, choices, lobby.place)
    keeper = Keeper(wire, lobby.key, match, read_ms())
    left = 0
    while True:
        now_ms = read_ms()
        keeper.step(now_ms)
        time_ms = keeper.read_time_ms(now_ms)
        if time_ms > match.time_ms:
            match.advance(time_ms)
        if keeper.state == LOST:
            return keeper
        if match.over:
            left += 1  # the other one may not know it yet
            if left * 10 > (HEARD_MS if keeper.states[1 - match.me] == OVER else GOODBYE_MS):
                return keeper
        elif keeper.state == RUNNING and not keeper.counting and not chance.below(12):
            button = PLAYED[chance.below(len(PLAYED))]
            match.input(match.me, button, 1, match.time_ms)
            match.input(match.me, button, 0, match.time_ms)
        time.sleep(0.01)


def main():
    seed = int(sys.argv[2])
    way = sys.argv[3]
    pipe: object = None
    if way == "pipe":
        pipe = Standard()
    else:
        from sim import link

        address = "127.0.0.1:" + sys.argv[4]
        while pipe is None:
            try:
                pipe = link.Hub(address) if way == "host" else link.join(address)
            except link.LinkError:
                time.sleep(0.2)  # the host is not there yet
    keeper = play(pipe, seed)
    match = keeper.match
    # The hash of both: it is compared.
    sys.stderr.write("%d %d %08x %d\n" % (match.ends_ms, match.winner, match.hash(), match.over))  # noqa: UP031


if __name__ == "__main__":
    main()
