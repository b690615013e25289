"""Send own frames round the ring until all players have them; accept and pass on the frames of others.

Every frame of a match begins with HEAD bytes (README.md). A play is a frame with events. It is resent until it returns
with everybody's bit. Repeated and early plays are not accepted.
"""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.link.events import EventQueue
from firmware.link.wire import Wire
from firmware.match.match import NOBODY

if TYPE_CHECKING:
    from firmware.contracts import Seals

GREETING = const(1)  # kinds of frames
PLAY = const(2)
BEAT = const(3)
SHARE = const(4)  # before a match (seals.py)
HEAD = const(11)
MOST_HOPS = const(8)
STATES = const(32)  # a status is state * STATES + run % STATES

_SLOTS = const(16)
_PAYLOAD = const(50)
_FEW = const(3)
_LARGE = const(40)
_FRAME = const(64)
_PASSED = const(512)  # bytes of the output buffer that others' frames may fill; the rest is for own frames
_BEAT_MS = const(125)
_LEAST_RTO_MS = const(80)
_MOST_RTO_MS = const(4000)
_MOST_TRIP_MS = const(10_000)  # measured trips are cut to this: a false one must not make others wait longer
_LONE_MS = const(1000)  # the ring counts as open if no own frame returns for this long
_WINDOW_MS = const(5000)
_FAR_MS = const(0x7FFF)
_HALF = const(128)


def pass_on(wire: Wire, length: int) -> None:
    """Pass the received frame on, unless it has gone far enough or too many are waiting."""
    if wire.frame[0] & 15 < MOST_HOPS and wire.used < _PASSED:
        wire.frame[0] += 1
        wire.send(wire.frame, length)


class Least:
    """Track the least 16-bit difference of the last five to ten seconds, modulo 2**16."""

    def __init__(self) -> None:
        self.seen = False
        self.value = self.fresh = 0
        self.since_ms = 0

    def add(self, value: int, now_ms: int) -> None:
        """Add a difference that was measured at `now_ms`."""
        if not self.seen:
            self.seen = True
            self.value = self.fresh = value
            self.since_ms = now_ms
        elif ticks_diff(now_ms, self.since_ms) > _WINDOW_MS:
            self.value = self.fresh
            self.fresh = value
            self.since_ms = now_ms
        if (value - self.value) & 0xFFFF > _FAR_MS:
            self.value = value
        if (value - self.fresh) & 0xFFFF > _FAR_MS:
            self.fresh = value


class Peer:
    """Hold the data from the frames of one player.

    heard_ms: when the last frame came. state, run: from its status. whole: whether no play is missing. expected: the
    number of the next play. hops: the devices that passed the last frame on, plus 1. clock: how far the local clock is
    ahead of the player's.
    """

    def __init__(self, now_ms: int) -> None:
        self.heard_ms = now_ms
        self.state = self.run = self.expected = self.hops = 0
        self.whole = False
        self.clock = Least()


class Ring:
    """Exchange frames with the other players of a match. `me` is the local player's number, below `count`.

    present: a bit for each player whose frames count and who must get ours. peers: one for each player. events: the
    events for the next plays. told_ms: the match time up to which everything was sent. back_ms: when an own frame last
    returned. trip_ms: the average round trip. status: the last one sent. stopper: the player who first stopped the
    running clock, or NOBODY. length: the number of devices in the ring. room: of a play, in bytes. seals: see seals.py.
    """

    def __init__(self, wire: Wire, key: int, me: int, count: int, events: EventQueue, now_ms: int) -> None:
        self.wire = wire
        self.seals: "Seals | None" = None
        self.room = _PAYLOAD
        self.key = key
        self.me = me
        self.events = events
        self.told_ms = 0
        self.present = (1 << count) - 1
        self.peers = [Peer(now_ms) for _ in range(count)]
        self.status = 0
        self.stopper = NOBODY
        self.slots = [bytearray(_FRAME) for _ in range(_SLOTS)]
        self.lengths = bytearray(_SLOTS)
        self.beat = bytearray(_FRAME)
        self.first = 0  # the number of the oldest play that some player lacks
        self.waiting = 0  # how many plays some player lacks
        self.sent_ms = self.filled_ms = self.again_ms = self.back_ms = now_ms
        self.trip_ms = 100
        self.trips = Least()
        self.length = count
        self.came = False  # whether a frame came since the session cleared this

    def receive(self, now_ms: int) -> int:
        """Handle frames up to one with news; return the length of its head and events, or 0 if no frame is left."""
        wire = self.wire
        frame = wire.frame
        while True:
            length = wire.receive()
            if not length:
                return 0
            self.came = True
            kind = frame[0] >> 4
            if kind == GREETING:
                pass_on(wire, length)
            elif length >= HEAD and (kind == PLAY or kind == BEAT):
                if frame[1] | frame[2] << 8 != self.key:
                    pass_on(wire, length)  # another match shares this ring
                elif frame[3] >> 4 == self.me:
                    self.accept_return(frame, now_ms)
                elif frame[3] >> 4 < len(self.peers):
                    length = self.accept_frame(frame, length, now_ms)
                    if length:
                        return length

    def accept_return(self, frame: bytearray, now_ms: int) -> None:
        """Take an own frame out of the ring; drop the plays that everybody has now."""
        self.back_ms = now_ms
        trip_ms = min(_MOST_TRIP_MS, now_ms - (frame[9] | frame[10] << 8) & 0xFFFF)
        self.trip_ms += trip_ms - self.trip_ms >> (2 if self.trips.seen else 0)
        self.trips.add(trip_ms, now_ms)
        self.length = (frame[0] & 15) + 1
        if self.present & ~(frame[3] | 1 << self.me):
            return
        done = frame[4] - self.first + (frame[0] >> 4 == PLAY) & 255
        if done <= self.waiting:
            self.first = self.first + done & 255
            self.waiting -= done
            if done:
                self.again_ms = now_ms

    def accept_frame(self, frame: bytearray, length: int, now_ms: int) -> int:
        """Accept another player's frame once and in order, and pass it on; return the length of its news, or 0."""
        player = frame[3] >> 4
        told = self.seals.check(frame, length) if self.seals else length  # without its seal
        if not told or not self.present >> player & 1:
            if told:  # tell a player who left that this device has the frame
                frame[3] |= 1 << self.me
                pass_on(self.wire, length)
            return 0
        peer = self.peers[player]
        status = frame[5]
        peer.heard_ms = now_ms
        peer.run = status & STATES - 1
        peer.state = status >> 5
        peer.hops = (frame[0] & 15) + 1
        peer.clock.add(now_ms - (frame[9] | frame[10] << 8) & 0xFFFF, now_ms)
        if status != self.status:
            self.note_stop(player, status)
        ahead = frame[4] - peer.expected & 255
        peer.whole = not ahead or ahead >= _HALF
        news = HEAD  # a beat has no events
        if frame[0] >> 4 == PLAY:
            if not peer.whole:
                return 0
            if not ahead:
                peer.expected = frame[4] + 1 & 255
                news = told
        if peer.whole:
            frame[3] |= 1 << self.me
        pass_on(self.wire, length)
        return 0 if ahead else news

    def find(self, players: int, state: int) -> int:
        """Return a player of the mask `players` whose last frame came in `state`, or NOBODY."""
        for i in range(len(self.peers)):
            if players >> i & 1 and self.peers[i].state == state:
                return i
        return NOBODY

    def note_stop(self, player: int, status: int) -> None:
        """Record that `player` stops the running clock by waiting or pausing; only the first player counts."""
        begun = status - self.status
        if self.stopper == NOBODY and self.status < STATES and (begun == STATES or begun == 2 * STATES):
            self.stopper = player

    def drop_player(self, player: int) -> None:
        """Ignore a player: accept no more frames, and do not wait until that player has ours."""
        self.present &= ~(1 << player)

    def begin_round(self) -> None:
        """Count the match time from 0 again."""
        self.told_ms = 0

    def send(self, time_ms: int, now_ms: int, status: int) -> None:
        """Send new events up to match time `time_ms`, resend plays that others lack, or send a beat."""
        self.status = status
        events = self.events
        if events.used:
            # While many plays are on their way, send few large ones instead of many small ones.
            held_ms = ticks_diff(now_ms, self.filled_ms)
            if self.waiting < _FEW or self.waiting < _SLOTS and (events.used > _LARGE or held_ms > self.trip_ms >> 3):
                self.filled_ms = now_ms
                self.send_play(time_ms, now_ms)
        else:
            self.told_ms = time_ms
        if self.waiting:
            if ticks_diff(now_ms, self.again_ms) >= min(_MOST_RTO_MS, 2 * self.trip_ms + _LEAST_RTO_MS):
                self.again_ms = now_ms
                if self.present == 1 << self.me:
                    self.first = self.first + self.waiting & 255  # no other player is present: drop all plays
                    self.waiting = 0
                for i in range(self.waiting):
                    self.transmit(self.slots[self.first + i & _SLOTS - 1], 0, now_ms)
        if ticks_diff(now_ms, self.sent_ms) >= _BEAT_MS:
            self.send_beat(now_ms, status)
        if self.wire.used:
            self.wire.push()

    def send_beat(self, now_ms: int, status: int) -> None:
        self.status = status
        self.write_head(self.beat, BEAT, self.first + self.waiting & 255, self.told_ms)
        self.transmit(self.beat, HEAD, now_ms)

    def send_play(self, time_ms: int, now_ms: int) -> None:
        """Make a play of the oldest events and send it."""
        events = self.events
        number = self.first + self.waiting & 255
        slot = self.slots[number & _SLOTS - 1]
        length = HEAD + events.move(slot, HEAD, self.room)
        if not events.used:
            self.told_ms = time_ms
        else:
            self.told_ms = max(self.told_ms, min(time_ms, events.moved_ms - 1))
        self.write_head(slot, PLAY, number, self.told_ms)
        self.lengths[number & _SLOTS - 1] = length
        if not self.waiting:
            self.again_ms = now_ms
        self.waiting += 1
        self.transmit(slot, length, now_ms)

    def write_head(self, frame: bytearray, kind: int, number: int, time_ms: int) -> None:
        """Write the part of the head that stays the same when the frame is resent."""
        frame[0] = kind << 4
        frame[1] = self.key & 255
        frame[2] = self.key >> 8
        frame[4] = number
        frame[6] = time_ms & 255
        frame[7] = time_ms >> 8 & 255
        frame[8] = time_ms >> 16 & 255

    def transmit(self, frame: bytearray, length: int, now_ms: int) -> None:
        """Send a frame with the current status and clock; for a length of 0, take the length of its slot."""
        frame[3] = self.me << 4
        frame[5] = self.status
        frame[9] = now_ms & 255
        frame[10] = now_ms >> 8 & 255
        length = length or self.lengths[frame[4] & _SLOTS - 1]
        self.wire.send(frame, self.seals.sign(frame, length) if self.seals else length)
        self.sent_ms = now_ms

    def is_flushed(self) -> bool:
        """Return whether everybody has every event."""
        return not self.events.used and not self.waiting

    def is_alone(self) -> bool:
        """Return whether all but one player are gone."""
        return not self.present & self.present - 1

    def is_closed(self, now_ms: int) -> bool:
        """Return whether own frames return."""
        return ticks_diff(now_ms, self.back_ms) < _LONE_MS

    def read_offset_ms(self, player: int) -> int:
        """Return how far the local clock is ahead of a player's, modulo 2**16; assume that all hops take equal time."""
        if player == self.me:
            return 0
        peer = self.peers[player]
        return peer.clock.value - self.trips.value * peer.hops // self.length & 0xFFFF
