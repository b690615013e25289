"""Start and stop the clocks of all devices in a linked match together, round after round."""

from firmware.compat import const, ticks_diff
from firmware.link.clock import MatchClock
from firmware.link.events import GONE, LATE, ROUND, SIZES, SUM, read_event_ms, read_number
from firmware.link.linked import LinkedMatch
from firmware.link.members import LEFT, LOST, NO_SUM, OVER, PAUSED, READY, RUNNING, WAITING, Membership
from firmware.link.ring import HEAD, STATES, Ring
from firmware.link.stalls import StallWatch
from firmware.link.wire import Wire
from firmware.match.match import NOBODY

_SILENCE_MS = const(400)
_AWAY_MS = const(30_000)
_ABSENT_MS = const(10_000)  # before the first start
_STUCK_MS = const(60_000)
_LOOK_MS = const(1000)  # before the first start, to measure the others' clocks
_MUCH = const(300)  # bytes of waiting events that show that the wire is too slow
_FAREWELL_MS = const(2000)
_IDLE_MS = const(50)  # without new frames, `look` runs this often
_LOOKS = const(15)  # mask of `looks`: one look of 16 also looks for stalls
_AHEAD_MS = const(3000)  # an honest player is at most this and two round trips ahead


class LinkSession:
    """Play a LinkedMatch in step with the other devices.

    state: of this device. away: a bit for each silent player. rounds: the round, modulo 256, that each has begun.
    """

    def __init__(self, wire: Wire, key: int, match: LinkedMatch, now_ms: int) -> None:
        count = match.options.players
        self.match = match
        self.me = match.me
        self.ring = Ring(wire, key, match.me, count, match.events, now_ms)
        self.clock = MatchClock(self.ring, match, now_ms)
        self.members = Membership(self.ring, match, self.clock)
        self.stalls = StallWatch(self.ring, self.members, match, now_ms)
        self.state = WAITING
        self.since_ms = self.looked_ms = now_ms  # when the state began; when `look` ran
        self.looks = self.away = 0
        self.unready = NOBODY  # or a player who is not ready for a start
        self.rounds = bytearray(count)
        self.sums = [NO_SUM] * count  # hashes of the finished round

    def step(self, now_ms: int) -> None:
        """Handle incoming frames and send new events; then advance the match to `read_time_ms`."""
        ring = self.ring
        ring.wire.poll()
        ring.came = False
        length = ring.receive(now_ms)
        while length:
            self.apply_frame(ring.wire.frame, length)
            length = ring.receive(now_ms)
        if ring.came or self.match.over or ticks_diff(now_ms, self.looked_ms) >= _IDLE_MS:
            self.looked_ms = now_ms
            self.look(now_ms)
        ring.send(max(0, self.match.read_known_ms()), now_ms, self.state * STATES + self.clock.run)

    def is_running(self) -> bool:
        """Return whether match time passes."""
        return self.state == RUNNING and not self.clock.counting

    def read_time_ms(self, now_ms: int) -> int:
        """Return the match time at `now_ms` of the clock; it stands still unless the state is RUNNING."""
        return self.clock.read_ms(now_ms) if self.state == RUNNING else self.match.time_ms

    def pause(self, now_ms: int) -> None:
        """Stop everybody until `resume`."""
        if self.state == RUNNING or self.state == WAITING:
            self.set_state(PAUSED, now_ms)

    def resume(self, now_ms: int) -> None:
        """Agree to resume; the match runs once every player agrees."""
        if self.state == PAUSED:
            self.set_state(WAITING, now_ms)

    def make_ready(self, now_ms: int) -> None:
        """Agree to begin the next round."""
        if self.state == OVER:
            self.set_state(READY, now_ms)

    def leave(self, now_ms: int) -> None:
        if self.state < LOST and not self.ring.is_alone():
            out_ms = self.match.read_known_ms() + 1
            self.match.events.add(GONE << 4 | self.me, out_ms)
            self.members.let_leave(self.me, out_ms)
            self.set_state(LEFT, now_ms)

    def may_disconnect(self, now_ms: int) -> bool:
        """Return True once every player knows that we left or cannot, and a last player has reported everything."""
        if self.state != LEFT or ticks_diff(now_ms, self.since_ms) >= _FAREWELL_MS + 8 * self.ring.trip_ms:
            return True
        return self.ring.is_flushed() and (self.match.over or not self.ring.is_alone())

    def set_state(self, state: int, now_ms: int) -> None:
        """Change the state, and report it at once."""
        status = state * STATES + self.clock.run
        self.ring.note_stop(self.me, status)
        self.state = state
        self.since_ms = now_ms
        self.clock.stop()
        self.ring.send_beat(now_ms, status)

    def accuse(self, player: int, idle: int = 0) -> None:
        """Accuse a player of lying or, with `idle` 1, of holding up the match; stop the clock."""
        if self.state < LOST and self.ring.present >> player & 1:
            self.members.accuse(player, idle)
            if self.members.lost:
                self.state = LOST
            elif self.state == RUNNING:
                self.state = WAITING
                self.clock.stop()
                self.since_ms = self.ring.sent_ms  # about now

    blame = accuse  # without a proof by the player's own events

    def is_settled(self) -> bool:
        """Return whether the result of the round may be shown."""
        return self.match.over

    def apply_frame(self, frame: bytearray, length: int) -> None:
        """Apply the events of another player's frame, then its known time; stop once that player does not count."""
        player = frame[3] >> 4
        at = HEAD
        while at < length and self.ring.present >> player & 1:
            size = SIZES[frame[at] >> 4]
            if not size or at + size > length:
                self.accuse(player)
                break
            self.apply_event(player, frame, at)
            at += size
        if self.ring.present >> player & 1:
            self.mark_known(player, frame[6] | frame[7] << 8 | frame[8] << 16)

    def mark_known(self, player: int, time_ms: int) -> None:
        """Record that `player` has reported everything up to `time_ms`."""
        match = self.match
        if self.rounds[player] == match.round & 255 and time_ms > match.seats[player].known_ms:
            liar = match.mark_known(player, time_ms, match.time_ms + _AHEAD_MS + 2 * self.ring.trip_ms)
            if liar != NOBODY:
                self.blame(liar)

    def apply_event(self, player: int, event: bytearray, at: int) -> None:
        """Apply an event of another player; accuse that player if it is impossible."""
        match = self.match
        kind = event[at] >> 4
        time_ms = read_event_ms(event, at)
        in_round = self.rounds[player] == match.round & 255
        current = in_round and not match.over
        sound = True
        if current and time_ms > match.time_ms + _AHEAD_MS + 2 * self.ring.trip_ms:
            sound = False
        elif kind <= LATE:
            if current and not match.apply_event(player, event, at):
                self.accuse(player)
        elif kind == GONE:
            number = event[at] & 15
            sound = self.members.apply_report(player, event, at, time_ms if in_round else 0)
            if sound and number != self.me and self.stalls.is_slow(number):
                self.blame(number, 1)  # this device has waited long for that player, too
            if self.members.lost and self.state < LOST:
                self.state = LOST
        elif kind == SUM:
            self.sums[player] = read_number(event, at + 4)
        elif kind == ROUND:
            self.rounds[player] = event[at + 4]
            self.sums[player] = NO_SUM
            sound = self.begin_round(event[at + 4])
        else:  # START: an honest player calls none while the clock runs
            self.ring.note_stop(player, WAITING * STATES + self.clock.run)
            if 0 < event[at + 4] - self.ring.peers[player].run & STATES - 1 < STATES >> 1:
                sound = False  # the caller's own frame must already have this run number
            elif self.clock.accept_start(player, event[at + 4]):
                sound = self.start(time_ms, event[at + 5], event[at + 6] | event[at + 7] << 8)
        if not sound:
            self.blame(player)

    def begin_round(self, number: int) -> bool:
        """Begin round `number` unless it has begun; return False if it is not next or the local player is not ready."""
        match = self.match
        if number == match.round & 255 or self.state >= LOST:
            return True
        if self.state != READY or number != match.round + 1 & 255:
            return False
        if match.recorder:
            match.recorder.note_next(match.time_ms)
        match.begin_round(match.round + 1)
        match.events.add(ROUND << 4, 0, number)
        self.ring.begin_round()
        for i in range(len(self.rounds)):
            if self.rounds[i] != number:
                self.sums[i] = NO_SUM
        self.members.begin_round()
        self.rounds[self.me] = number
        return True

    def start(self, base_ms: int, number: int, moment: int) -> bool:
        """Start at `base_ms` of round `number`, at the reference's `moment`; return False if it cannot begin."""
        if not self.begin_round(number):
            return False
        if self.state < LOST:
            self.clock.set_start(base_ms, moment)
            if self.state != PAUSED:
                self.state = RUNNING
                self.clock.count_down()
        return True

    def look(self, now_ms: int) -> None:
        """Check the presence and state of all players; stop or start the clock, or give up."""
        if self.state >= LOST or not self.look_at_peers(now_ms):
            return
        match = self.match
        if match.over and self.state < OVER:
            self.sums[self.me] = match.hash()
            match.events.add(SUM << 4, match.ends_ms, self.sums[self.me])
            self.set_state(OVER, now_ms)
        elif self.state == RUNNING:
            if self.away and not self.clock.counting or match.events.used > _MUCH:
                self.set_state(WAITING, now_ms)
        elif self.me == self.clock.reference and self.is_ready():
            looked = self.clock.run or ticks_diff(now_ms, self.since_ms) >= _LOOK_MS
            if looked and (self.ring.trips.seen or self.ring.is_alone()):
                self.call_start(now_ms)
        if self.state != RUNNING and not self.ring.is_alone():
            self.wait(now_ms)
        self.looks = self.looks + 1 & _LOOKS
        if not self.looks:
            self.look_for_stalls(now_ms)
        if match.events.overflowed:
            self.state = LOST

    def look_at_peers(self, now_ms: int) -> bool:
        """Find who is away or not ready, and stop with those who stopped; return False if a result differs."""
        ring = self.ring
        away = 0
        self.unready = NOBODY
        everybody = READY if self.match.over else WAITING
        for i in range(len(self.rounds)):
            if i == self.me or not ring.present >> i & 1:
                continue
            peer = ring.peers[i]
            state = peer.state
            if ticks_diff(now_ms, peer.heard_ms) >= _SILENCE_MS or state == LOST:
                away |= 1 << i
            same = peer.run == self.clock.run
            if self.state == RUNNING and (WAITING <= state <= PAUSED if same else not self.clock.counting):
                self.set_state(WAITING, now_ms)
            if state != everybody or not peer.whole or not (same or self.clock.uncertain):
                self.unready = i
            if everybody == READY and self.sums[i] != NO_SUM and self.sums[i] != self.sums[self.me] != NO_SUM:
                self.blame(i)  # that device has another result
                return False
        self.away = away
        if away:
            self.stalls.forgive()
        return True

    def is_ready(self) -> bool:
        """Return whether all are ready for a start, have all events, and know who has gone (`known_ms` is set)."""
        if self.away or self.unready != NOBODY or self.state != (READY if self.match.over else WAITING):
            return False
        for seat in self.match.seats:
            if not self.ring.present >> seat.number & 1 and seat.known_ms < 0:
                return False
        return self.ring.is_flushed()

    def wait(self, now_ms: int) -> None:
        """Report players who are away for long; give up if the wait takes too long."""
        if self.find_pauser(self.ring.present) != NOBODY:
            self.since_ms = now_ms
        self.members.check_absent(self.away, _AWAY_MS if self.clock.run else _ABSENT_MS, now_ms)
        if self.members.lost or self.state == WAITING and ticks_diff(now_ms, self.since_ms) >= _STUCK_MS:
            self.set_state(LOST, now_ms)

    def look_for_stalls(self, now_ms: int) -> None:
        """Accuse players who hold up the match, and players who report present players gone."""
        if self.match.over or self.ring.is_alone() or self.state >= LOST:
            return
        idle = self.stalls.look(self, now_ms)
        liars = self.stalls.find_liars(now_ms)
        for i in range(len(self.rounds)):
            if (idle | liars) >> i & 1:
                self.blame(i, idle >> i & 1)
        if self.stalls.is_stuck() and not idle:
            self.set_state(LOST, now_ms)

    def find_pauser(self, players: int) -> int:
        """Return a player who has paused the match, the local one or one of the mask `players`; NOBODY if none has."""
        return self.me if self.state == PAUSED else self.ring.find(players, PAUSED)

    def call_start(self, now_ms: int) -> None:
        """Plan the next start and announce it."""
        number = self.match.round + (1 if self.match.over else 0) & 255
        self.clock.plan_start(now_ms)
        self.start(self.clock.base_ms, number, self.clock.moment)
        self.match.events.add_start(self.clock.base_ms, self.clock.run, number, self.clock.moment)
