"""Start and stop all clocks of a linked match together, and agree on who is away."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.link.events import GONE, ROUND, START, SUM, read_moment_of, read_number, write_number
from firmware.link.linked import LinkedMatch
from firmware.link.members import LEFT, LOST, OVER, PAUSED, READY, RUNNING, WAITING, Membership
from firmware.link.ring import STATES
from firmware.link.wire import Wire

if TYPE_CHECKING:
    from firmware.contracts import Blob

_SILENCE_MS = const(400)
_MOST_LEAD_MS = const(30_000)  # half the range of a 16-bit clock
_LOOK_MS = const(1000)  # to read the others' clocks, before the first start
_FIRST_LEAD_MS = const(3000)
_LEAD_MS = const(1000)
_LATE_MS = const(100)
_MUCH = const(300)  # bytes of waiting events: more than such a slow wire carries
_FAREWELL_MS = const(2000)
_IDLE_MS = const(50)  # without frames there is little to see
_LOOKS = const(15)  # if all but one of that many are silent, nobody is asked
_NO_SUM = const(-1)
_AHEAD_MS = const(60_000)  # no player is further in a match
_NEW = const(16)  # a run that far ahead is an old one


class LinkSession(Membership):
    """Play a LinkedMatch in step with the others.

    state: of this device. away: a bit for each player who is silent. counting: whether an agreed start is still to
    come.
    """

    def __init__(self, wire: Wire, key: int, match: LinkedMatch, now_ms: int) -> None:
        Membership.__init__(self, wire, key, match, now_ms)
        self.start_ms = now_ms
        self.looked_ms = now_ms
        self.looks = 0
        self.moment = 0  # of the reference's clock
        self.base_ms = 0
        self.counting = False
        self.away = 0
        self.rounds = bytearray(self.count)
        self.sums = [_NO_SUM] * self.count  # of the finished round, as reported by the others

    def step(self, now_ms: int) -> None:
        """Handle incoming frames and send new events; then advance the match to `read_time_ms`."""
        if self.receive(now_ms) or self.match.over or ticks_diff(now_ms, self.looked_ms) >= _IDLE_MS:
            self.looked_ms = now_ms
            self.look(now_ms)
        self.send(max(0, self.match.read_known_ms()), now_ms)

    def read_time_ms(self, now_ms: int) -> int:
        """Return the match time at `now_ms` of the clock; it stands still unless the state is RUNNING."""
        match = self.match
        if self.state != RUNNING:
            return match.time_ms
        if self.counting:
            # Translated into the local clock here.
            wait_ms = (self.moment - now_ms + self.read_offset_ms() + 0x8000 & 0xFFFF) - 0x8000
            self.start_ms = ticks_add(now_ms, wait_ms)
        time_ms = self.base_ms + ticks_diff(now_ms, self.start_ms)
        if self.counting:
            if time_ms <= match.time_ms:
                return match.time_ms
            self.counting = False
            if time_ms > match.time_ms + _LATE_MS:
                # The start was heard too late: no game may leap.
                self.start_ms = now_ms
                self.base_ms = time_ms = match.time_ms
        return time_ms

    def pause(self, now_ms: int) -> None:
        """Stop everybody until `resume`."""
        if self.state == RUNNING or self.state == WAITING:
            self.change(PAUSED, now_ms)

    def resume(self, now_ms: int) -> None:
        """Agree to resume; the match runs once every player agrees."""
        if self.state == PAUSED:
            self.change(WAITING, now_ms)

    def make_ready(self, now_ms: int) -> None:
        """Agree to the next round."""
        if self.state == OVER:
            self.change(READY, now_ms)

    def leave(self, now_ms: int) -> None:
        """Leave for good, and report it."""
        if self.state != LOST and not self.is_alone():
            at = self.events.add(GONE << 4 | self.me, self.match.read_known_ms() + 1)
            self.hear(self.me, self.events.bytes, at - 4)
            self.change(LEFT, now_ms)

    def is_through(self, now_ms: int) -> bool:
        """Return True once every player knows that we left or cannot, and a last player has reported everything."""
        if self.state != LEFT or ticks_diff(now_ms, self.since_ms) >= _FAREWELL_MS + 8 * self.trip_ms:
            return True
        return not self.events.used and not self.waiting and (self.match.over or not self.is_alone())

    # -- what comes ------------------------------------------------------------------------------

    def know(self, source: int, time_ms: int) -> None:
        """Record that `player` has reported everything up to a moment."""
        match = self.match
        seat = match.seats[source]
        if self.rounds[source] == match.round & 255 and time_ms > seat.known_ms:
            if not match.over and (time_ms > match.time_ms + _AHEAD_MS or 0 < seat.due_ms < time_ms):
                self.accuse(source, 0)
                return
            seat.known_ms = time_ms
            match.judge()
            if match.taken and not match.over:
                greedy = match.find_greedy()
                if greedy >= 0:
                    self.accuse(greedy, 0)

    def hear(self, source: int, event: "Blob", at: int) -> None:
        """Take an event."""
        match = self.match
        kind = event[at] >> 4
        time_ms = match.time_ms
        current = self.rounds[source] == match.round & 255 and not match.over
        if current and read_moment_of(event, at) > time_ms + _AHEAD_MS:
            self.accuse(source, 0)
        elif kind == START:
            if 0 < event[at + 4] - self.run & STATES - 1 < _NEW:
                self.run = event[at + 4] & STATES - 1
                self.reference = source  # if that is news, more events of the gone player follow
                if not self.start(read_moment_of(event, at), event[at + 5], event[at + 6] | event[at + 7] << 8):
                    self.accuse(source, 0)
        elif kind == GONE:
            number = event[at] & 15
            if number == source:
                out_ms = read_moment_of(event, at) if self.rounds[number] == match.round & 255 else 0
                self.needed &= ~(1 << number)
                self.follow()
                self.lose(number, match.seats[number].chronicle.count, out_ms)
                self.settle_agreed()
                if self.is_alone():
                    match.advance(min(match.ends_ms, match.time_ms + _MOST_LEAD_MS))  # nobody is left to wait for
            elif number >= self.count:
                self.accuse(source, 0)
            else:
                if number == self.me:
                    if not self.needed & ~(self.said[number] | 1 << source | 1 << number) and self.state < LOST:
                        self.state = LOST  # all others say so
                elif not self.needed >> number & 1:
                    self.say_gone(number)
                elif self.is_idle(number):
                    self.accuse(number, 1)  # else it is only a report until this device says so itself
                self.note_gone(source, number, event[at + 4] | event[at + 5] << 8, read_moment_of(event, at))
        elif kind == SUM:
            self.sums[source] = read_number(event, at + 4)
        elif kind == ROUND:
            self.rounds[source] = event[at + 4]
            self.sums[source] = _NO_SUM
            if not self.begin(event[at + 4]):
                self.accuse(source, 0)
        elif current:
            if not match.take(source, event, at):
                self.accuse(source, 0)
            elif self.noted:
                self.noted.note_event(source, event, at, time_ms)

    def begin(self, number: int) -> bool:
        """Begin round `number`, unless it runs; return False if it cannot begin."""
        match = self.match
        if number == match.round & 255 or self.state >= LOST:
            return True
        if not match.over or number != match.round + 1 & 255:
            return False
        if self.noted:
            self.noted.note_next(match.time_ms)
        match.begin(match.round + 1)
        match.events.add_number(ROUND << 4, 0, number)
        self.settled = 0
        self.told_ms = 0
        for i in range(self.count):
            if self.rounds[i] != number:
                self.sums[i] = _NO_SUM
            if not self.needed >> i & 1:
                self.lose(i, 0, 0)
        self.rounds[self.me] = number
        return True

    def start(self, base_ms: int, number: int, moment: int) -> bool:
        """Run the clock from `base_ms` of round `number`, at a time of the reference's clock; return False if that
        round cannot begin.
        """
        if not self.begin(number):
            return False
        if self.state >= LOST:
            return True
        self.base_ms = base_ms
        self.moment = moment
        if self.state != PAUSED:
            self.state = RUNNING
            self.counting = True
        return True

    # -- who is there, and what all do -----------------------------------------------------------

    def look(self, now_ms: int) -> None:
        """Check who is there and what they do; stop, start or give up."""
        if self.state >= LOST:
            return
        match = self.match
        away = 0
        alike = not self.events.used and not self.waiting
        everybody = READY if match.over else WAITING
        for i in range(self.count):
            if i == self.me:
                continue
            if not self.needed >> i & 1:
                alike = alike and match.seats[i].known_ms >= 0  # else the others have not yet reported it gone
                continue
            if ticks_diff(now_ms, self.heard_ms[i]) >= _SILENCE_MS or self.states[i] == LOST:
                away |= 1 << i
            same = self.runs[i] == self.run & STATES - 1
            if self.state == RUNNING and (WAITING <= self.states[i] <= PAUSED if same else not self.counting):
                self.change(WAITING, now_ms)
            if not (same or self.mixed) or self.states[i] != everybody or not self.whole[i]:
                alike = False
            if match.over and self.sums[i] != _NO_SUM and self.sums[i] != self.sums[self.me] != _NO_SUM:
                self.accuse(i, 0)  # impossible: the other device has another match
                return
        self.away = away
        if match.over and self.state < OVER:
            self.conclude(now_ms)
        elif self.state == RUNNING:
            if away and not self.counting or self.events.used > _MUCH:
                self.change(WAITING, now_ms)
        elif self.state == everybody and not away and alike and self.me == self.reference:
            if (self.trips.seen or self.is_alone()) and (self.run or ticks_diff(now_ms, self.since_ms) >= _LOOK_MS):
                self.call_start(now_ms)
        if self.state != RUNNING and not self.is_alone():
            self.look_for_absent(away, now_ms)
        if away:
            self.stood_ms = 0
        self.looks = self.looks + 1 & _LOOKS
        if not self.looks and not match.over and not self.is_alone() and self.state < LOST:
            self.look_for_idle(now_ms)
        if self.events.lost:
            self.state = LOST

    def conclude(self, now_ms: int) -> None:
        """Report the hash of the round for all to compare."""
        value = self.sums[self.me] = self.match.hash()
        at = self.events.add(SUM << 4, self.match.ends_ms)
        write_number(self.events.bytes, at, value)
        self.change(OVER, now_ms)

    def call_start(self, now_ms: int) -> None:
        """Announce when all clocks start, from the furthest player's match time."""
        match = self.match
        number = match.round
        lead_ms = _LEAD_MS
        time_ms = match.time_ms
        if match.over:
            number += 1
            time_ms = 0
            lead_ms = _FIRST_LEAD_MS
        else:
            least_ms = time_ms
            for seat in match.seats:
                if seat.number != self.me and not seat.gone:
                    time_ms = max(time_ms, seat.known_ms)
                    least_ms = min(least_ms, seat.known_ms)
            lead_ms += time_ms - least_ms  # a device that is behind begins earlier
            if not self.run:
                lead_ms += _FIRST_LEAD_MS - _LEAD_MS
        moment = now_ms + min(_MOST_LEAD_MS, lead_ms + 2 * self.trip_ms) & 0xFFFF
        ahead = 1
        for i in range(self.count):
            if self.needed >> i & 1 and i != self.me and self.runs[i] - self.run & STATES - 1 < _NEW:
                ahead = max(ahead, (self.runs[i] - self.run & STATES - 1) + 1)
        self.run = self.run + ahead & STATES - 1
        self.mixed = False
        self.start(time_ms, number & 255, moment)
        at = self.events.add(START << 4, time_ms)
        event = self.events.bytes
        event[at] = self.run
        event[at + 1] = number & 255
        event[at + 2] = moment & 255
        event[at + 3] = moment >> 8
