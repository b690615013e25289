"""Send events round the ring until all have them, accept those of the others, and pass them on.

Every frame of a match begins with HEAD bytes (README.md). A numbered frame is resent until it returns with everybody's
bit. Repeated and early frames are not accepted.
"""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.link.events import SIZES, EventQueue, read_moment_of
from firmware.link.wire import Wire

if TYPE_CHECKING:
    from typing import Any

GREETING = const(1)  # kinds of frames
PLAY = const(2)
BEAT = const(3)
HEAD = const(11)
MOST_HOPS = const(8)
STATES = const(32)  # a state is sent with its run's number, modulo this

_HEAD = const(11)
_SLOTS = const(16)
_PAYLOAD = const(50)
_FEW = const(3)
_LARGE = const(40)
_FRAME = const(64)
_BEAT_MS = const(125)
_LEAST_RTO_MS = const(80)
_MOST_RTO_MS = const(4000)
_LONE_MS = const(1000)  # the ring counts as open when nothing returned for that long
_WINDOW_MS = const(5000)
_FAR_MS = const(0x7FFF)
_HALF = const(128)


def pass_on(wire: Wire, length: int) -> None:
    """Pass the received frame on, unless it has gone far enough."""
    if wire.frame[0] & 15 < MOST_HOPS:
        wire.frame[0] += 1
        wire.send(wire.frame, length)


class Least:
    """Track the least 16-bit difference of the last five to ten seconds, modulo 2**16."""

    def __init__(self) -> None:
        self.seen = False
        self.value = self.fresh = 0
        self.since_ms = 0

    def see(self, value: int, now_ms: int) -> None:
        """Take another one."""
        if not self.seen:
            self.seen = True
            self.value = self.fresh = value
            self.since_ms = now_ms
        elif ticks_diff(now_ms, self.since_ms) > _WINDOW_MS:
            self.value = self.fresh if (value - self.fresh) & 0xFFFF <= _FAR_MS else value
            self.fresh = value
            self.since_ms = now_ms
        if (value - self.value) & 0xFFFF > _FAR_MS:
            self.value = value
        if (value - self.fresh) & 0xFFFF > _FAR_MS:
            self.fresh = value


class Ring:
    """Take part in a ring; `me` is the local player's number, all numbers are below `count`.

    events: events to send. told_ms: everything until then was sent. needed: a bit for each player who must receive
    frames. heard_ms: when each was last heard. reference: the player whose clock all starts use. states, runs: as
    reported by each. whole: whether no frame of anybody is missing.

    A subclass has hear(source, event, at) for an event. know(source, time_ms) records that everything up to a moment
    was reported. accuse(source, idle) names a liar.
    """

    hear: "Any"
    know: "Any"
    accuse: "Any"

    def __init__(self, wire: Wire, key: int, me: int, count: int, events: EventQueue, now_ms: int) -> None:
        self.wire = wire
        self.key = key
        self.me = me
        self.count = count
        self.events = events
        self.told_ms = 0
        self.needed = (1 << count) - 1
        self.expected = bytearray(count)
        self.heard_ms = [now_ms] * count
        self.states = bytearray(count)
        self.runs = bytearray(count)
        self.whole = bytearray(count)
        self.state = 0
        self.run = 0
        self.reference = 0
        self.slots = [bytearray(_FRAME) for _ in range(_SLOTS)]
        self.lengths = bytearray(_SLOTS)
        self.beat = bytearray(_FRAME)
        self.first = 0  # the oldest number that some device lacks
        self.waiting = 0  # so many of them
        self.sent_ms = now_ms
        self.filled_ms = now_ms
        self.again_ms = now_ms
        self.back_ms = now_ms
        self.trip_ms = 100
        self.trips = Least()
        self.clocks = [Least() for _ in range(count)]
        self.hops = bytearray(count)
        self.length = count

    # -- what comes ------------------------------------------------------------------------------

    def receive(self, now_ms: int) -> bool:
        """Handle incoming frames; return whether there were any."""
        wire = self.wire
        wire.poll()
        any_came = False
        while True:
            length = wire.receive()
            if not length:
                return any_came
            any_came = True
            frame = wire.frame
            kind = frame[0] >> 4
            if kind == GREETING:
                pass_on(wire, length)
            elif length >= _HEAD and (kind == PLAY or kind == BEAT):
                if frame[1] | frame[2] << 8 != self.key:
                    pass_on(wire, length)  # of another match on the same wire
                elif frame[3] >> 4 == self.me:
                    self.take_back(frame, now_ms)
                elif frame[3] >> 4 < self.count:
                    self.take(frame, length, now_ms)

    def take_back(self, frame: bytearray, now_ms: int) -> None:
        """Remove an own frame from the ring, and note who has it."""
        self.back_ms = now_ms
        trip_ms = now_ms - (frame[9] | frame[10] << 8) & 0xFFFF
        self.trip_ms += trip_ms - self.trip_ms >> (2 if self.trips.seen else 0)
        self.trips.see(trip_ms, now_ms)
        self.length = (frame[0] & 15) + 1
        if self.needed & ~(frame[3] | 1 << self.me):
            return
        done = frame[4] - self.first + (1 if frame[0] >> 4 == PLAY else 0) & 255
        if done <= self.waiting:
            self.first = self.first + done & 255
            self.waiting -= done
            if done:
                self.again_ms = now_ms

    def take(self, frame: bytearray, length: int, now_ms: int) -> None:
        """Accept another player's frame once, and in order; pass it on."""
        source = frame[3] >> 4
        if not self.needed >> source & 1:
            frame[3] |= 1 << self.me  # a player who left must learn that all have heard
            pass_on(self.wire, length)
            return
        self.heard_ms[source] = now_ms
        self.runs[source] = frame[5] & STATES - 1
        self.states[source] = frame[5] >> 5
        self.hops[source] = (frame[0] & 15) + 1
        self.clocks[source].see(now_ms - (frame[9] | frame[10] << 8) & 0xFFFF, now_ms)
        ahead = frame[4] - self.expected[source] & 255
        self.whole[source] = not ahead or ahead >= _HALF
        if frame[0] >> 4 == PLAY:
            if ahead and ahead < _HALF:
                return
            if not ahead:
                self.expected[source] = frame[4] + 1 & 255
                at = _HEAD
                while at < length:
                    size = SIZES[frame[at] >> 4]
                    if not size or at + size > length:
                        self.accuse(source, 0)
                        at = length
                    else:
                        self.hear(source, frame, at)
                        at += size
                    if not self.needed >> source & 1:
                        ahead = _HALF  # later events of that player do not count
                        break
        if not ahead:
            self.know(source, frame[6] | frame[7] << 8 | frame[8] << 16)
        if not ahead or ahead >= _HALF:
            frame[3] |= 1 << self.me
        pass_on(self.wire, length)

    # -- what goes -------------------------------------------------------------------------------

    def send(self, time_ms: int, now_ms: int) -> None:
        """Send what is new up to `time_ms` of the match, resend what others lack, or send a beat."""
        events = self.events
        if events.used:
            # If much is on its way already, few large frames are better than many small ones.
            held_ms = ticks_diff(now_ms, self.filled_ms)
            if self.waiting < _FEW or self.waiting < _SLOTS and (events.used > _LARGE or held_ms > self.trip_ms >> 3):
                self.filled_ms = now_ms
                self.fill(time_ms, now_ms)
        else:
            self.told_ms = time_ms
        if self.waiting:
            wait_ms = 2 * self.trip_ms + _LEAST_RTO_MS
            wait_ms = min(_MOST_RTO_MS, wait_ms)
            if ticks_diff(now_ms, self.again_ms) >= wait_ms:
                self.again_ms = now_ms
                if self.needed == 1 << self.me:
                    self.first = self.first + self.waiting & 255  # nobody has to have it
                    self.waiting = 0
                for i in range(self.waiting):
                    self.transmit(self.slots[self.first + i & _SLOTS - 1], 0, now_ms)
        if ticks_diff(now_ms, self.sent_ms) >= _BEAT_MS:
            self.tell_state(now_ms)
        self.wire.push()

    def tell_state(self, now_ms: int) -> None:
        """Send a beat at once."""
        beat = self.beat
        self.head(beat, BEAT, self.first + self.waiting & 255, self.told_ms)
        self.transmit(beat, _HEAD, now_ms)

    def fill(self, time_ms: int, now_ms: int) -> None:
        """Make a frame of the oldest events, and send it."""
        events = self.events
        number = self.first + self.waiting & 255
        slot = self.slots[number & _SLOTS - 1]
        used = 0
        last = 0
        while used < events.used:
            size = SIZES[events.bytes[used] >> 4]
            if used + size > _PAYLOAD:
                break
            for i in range(used, used + size):
                slot[_HEAD + i] = events.bytes[i]
            last = used
            used += size
        if used == events.used:
            self.told_ms = time_ms
        else:
            self.told_ms = max(self.told_ms, min(time_ms, read_moment_of(events.bytes, last) - 1))
        events.drop(used)
        self.head(slot, PLAY, number, self.told_ms)
        self.lengths[number & _SLOTS - 1] = _HEAD + used
        if not self.waiting:
            self.again_ms = now_ms
        self.waiting += 1
        self.transmit(slot, _HEAD + used, now_ms)

    def head(self, frame: bytearray, kind: int, number: int, time_ms: int) -> None:
        """Write the part of the head that resending keeps."""
        frame[0] = kind << 4
        frame[1] = self.key & 255
        frame[2] = self.key >> 8
        frame[4] = number
        frame[6] = time_ms & 255
        frame[7] = time_ms >> 8 & 255
        frame[8] = time_ms >> 16 & 255

    def transmit(self, frame: bytearray, length: int, now_ms: int) -> None:
        """Send a frame with the current state and clock; a length of 0 is that of its slot."""
        frame[3] = self.me << 4
        frame[5] = self.state << 5 | self.run & STATES - 1
        frame[9] = now_ms & 255
        frame[10] = now_ms >> 8 & 255
        self.wire.send(frame, length or self.lengths[frame[4] & _SLOTS - 1])
        self.sent_ms = now_ms

    # -- who is there ----------------------------------------------------------------------------

    def is_closed(self, now_ms: int) -> bool:
        """Return whether frames return."""
        return ticks_diff(now_ms, self.back_ms) < _LONE_MS

    def read_offset_ms(self) -> int:
        """Return how far the local clock is ahead of the reference's, modulo 2**16; all hops count alike."""
        reference = self.reference
        if reference == self.me:
            return 0
        return self.clocks[reference].value - self.trips.value * self.hops[reference] // self.length & 0xFFFF
