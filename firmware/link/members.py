"""Agree on who is away: out of the match while the rest plays on, or the link is lost."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.link.events import GONE, GUILTY
from firmware.link.linked import LinkedMatch
from firmware.link.ring import Ring
from firmware.link.wire import Wire

if TYPE_CHECKING:
    from typing import Any

RUNNING = const(0)  # states, sent with every frame
WAITING = const(1)  # for a silent device, or for the start
PAUSED = const(2)  # by the person here
OVER = const(3)  # the round is
READY = const(4)  # for the next one
LOST = const(5)  # the link is
LEFT = const(6)  # this player

_AWAY_MS = const(30_000)
_ABSENT_MS = const(10_000)  # before the first start
_IDLE_MS = const(40_000)
_LONG_MS = const(30_000)  # if another one says so too
_STUCK_MS = const(60_000)


class Membership(Ring):
    """Track who is in a match.

    state: of this device. since_ms: when it last changed. counting: whether a start is still to come. noted: None, or a
    recorder of other players' events. mixed: whether a start may have reached only some, because its caller is gone.
    settled: a bit for each player who was out for being away in this round. wrong, idle: a bit for each liar, and of
    these for silent ones. said: for everybody who may be gone, who said so. known, moments_ms: how much each of these
    knew, and when. A's report about player B is at B * count + A.
    """

    def __init__(self, wire: Wire, key: int, match: LinkedMatch, now_ms: int) -> None:
        Ring.__init__(self, wire, key, match.me, match.options.players, match.events, now_ms)
        self.match = match
        self.state = WAITING
        self.since_ms = now_ms
        self.counting = False
        self.noted: "Any" = None
        self.mixed = False
        self.settled = self.wrong = self.idle = 0
        self.settled_ms = 0
        self.stood_ms = 0  # how long the match ran without any event of a player
        self.asked_ms = self.doubted_ms = now_ms
        self.said = bytearray(self.count)
        self.known = [0] * (self.count * self.count)
        self.moments_ms = [0] * (self.count * self.count)

    def change(self, state: int, now_ms: int) -> None:
        """Change the state, and report it at once."""
        self.state = state
        self.since_ms = now_ms
        self.counting = False
        self.tell_state(now_ms)

    def accuse(self, number: int, idle: int) -> None:
        """Accuse a player of lying or, with `idle` 1, of sending nothing. The player is out as soon as all others
        agree. Of two nobody wins by an accusation.
        """
        if self.state >= LOST or not self.needed >> number & 1:
            return
        self.wrong |= 1 << number
        self.idle |= idle << number
        left = self.needed & ~(1 << number)
        if not left & left - 1:
            self.state = LOST
            self.tell_gone(number)
            return
        if self.state == RUNNING:
            self.state = WAITING  # so that all see who it is
            self.counting = False
            self.since_ms = self.sent_ms  # not long ago
        self.say_gone(number)

    def is_alone(self) -> bool:
        """Return whether all but one are gone."""
        return not self.needed & self.needed - 1

    def look_for_absent(self, away: int, now_ms: int) -> None:
        """Check for players who are away too long: put them out, or lose the link if too few are left."""
        patience_ms = _AWAY_MS if self.run else _ABSENT_MS
        if not self.is_closed(now_ms) and ticks_diff(now_ms, self.back_ms) >= patience_ms:
            self.change(LOST, now_ms)
            return
        if self.is_paused():
            self.since_ms = now_ms
        elif self.state == WAITING and ticks_diff(now_ms, self.since_ms) >= _STUCK_MS:
            self.change(LOST, now_ms)
            return
        left = self.needed & ~away
        for i in range(self.count):
            if not away >> i & 1:
                continue
            if self.states[i] != LOST and ticks_diff(now_ms, self.heard_ms[i]) < patience_ms:
                continue
            if not left & left - 1:
                self.change(LOST, now_ms)
                return
            if self.is_closed(now_ms):
                self.say_gone(i)

    def look_for_idle(self, now_ms: int) -> None:
        """Check for a player who reports nothing while all are heard, or for a false report that one is gone.

        A bad line is silent now and then, an open ring always: neither is anybody's fault.
        """
        settled_ms = self.match.find_settled()
        if settled_ms != self.settled_ms:
            self.settled_ms = settled_ms
            self.stood_ms = 0
        elif self.state == RUNNING and not self.counting and self.is_closed(now_ms):
            self.stood_ms += ticks_diff(now_ms, self.asked_ms)
        self.asked_ms = now_ms
        if self.stood_ms >= _IDLE_MS:
            idle = False
            for i in range(self.count):
                if i != self.me and self.needed >> i & 1 and self.is_idle(i):
                    idle = True
                    self.accuse(i, 1)
            if not idle:
                self.change(LOST, now_ms)
        doubted = 0
        for i in range(self.count):
            if self.needed >> i & 1:
                doubted |= self.said[i] & self.needed & ~(1 << self.me)
        if not doubted:
            self.doubted_ms = now_ms
        elif ticks_diff(now_ms, self.doubted_ms) >= _STUCK_MS:
            for i in range(self.count):
                if doubted >> i & 1:
                    self.accuse(i, 0)

    def is_idle(self, number: int) -> bool:
        """Return whether all have waited long for a player's events."""
        return self.stood_ms >= _LONG_MS and self.match.seats[number].known_ms == self.settled_ms

    def is_paused(self) -> bool:
        """Return whether a person has paused the match."""
        if self.state == PAUSED:
            return True
        for i in range(self.count):
            if self.needed >> i & 1 and self.states[i] == PAUSED:
                return True
        return False

    def say_gone(self, number: int) -> None:
        """Report once that a player is gone, and how much of that player is known."""
        if self.said[number] >> self.me & 1:
            return
        known = self.tell_gone(number)
        self.needed &= ~(1 << number)
        self.match.seats[number].known_ms = -1  # nothing is decided until all agree
        self.note_gone(self.me, number, known, self.match.time_ms)

    def tell_gone(self, number: int) -> int:
        """Report that a player is gone; return how much is known."""
        seat = self.match.seats[number]
        known = seat.counted if seat.gone else seat.chronicle.count
        if self.wrong >> number & 1:
            known += GUILTY
        at = self.events.add(GONE << 4 | number, self.match.time_ms)
        self.events.bytes[at] = known & 255
        self.events.bytes[at + 1] = known >> 8 & 255
        return known

    def note_gone(self, source: int, number: int, known: int, time_ms: int) -> None:
        """Record that `source` knows that much of a gone player; when all have said so, put the player out."""
        self.said[number] |= 1 << source
        self.known[number * self.count + source] = known
        self.moments_ms[number * self.count + source] = time_ms
        self.settle_agreed()

    def settle_agreed(self) -> None:
        """Eliminate players that all survivors report gone; do not wait for players who leave meanwhile."""
        for i in range(self.count):
            if self.said[i] and not self.needed & ~self.said[i] and self.match.seats[i].known_ms < 0:
                self.settle(i)

    def settle(self, number: int) -> None:
        """Eliminate a player whom all report gone."""
        match = self.match
        self.follow()
        first = number * self.count
        for i in range(self.count):
            if not match.over and self.needed >> i & 1 and (self.states[i] == OVER or self.states[i] == READY):
                if (self.known[first + i] - self.known[first + self.me]) % GUILTY:
                    self.state = LOST  # that one knew more, and it is lost
                    return
        self.settled |= 1 << number
        # A player settled by this one's report is settled again without it: others may never have had it.
        for i in range(self.count):
            if self.settled >> i & 1 and self.state != LOST:
                self.put_out(i)

    def put_out(self, number: int) -> None:
        """Eliminate a player by the survivors' reports, which all of them have alike."""
        known = self.known[number * self.count + self.me] % GUILTY
        guilt = 0
        out_ms = 0
        for i in range(self.count):
            if self.needed >> i & 1:
                known = min(known, self.known[number * self.count + i] % GUILTY)
                guilt |= self.known[number * self.count + i] & GUILTY
                out_ms = max(out_ms, self.moments_ms[number * self.count + i] + 1)
        self.lose(number, known + guilt, out_ms)

    def follow(self) -> None:
        """Follow the clock of the lowest player still there, if a player is gone."""
        self.mixed = True
        self.reference = 0
        while self.needed and not self.needed >> self.reference & 1:
            self.reference += 1

    def lose(self, number: int, known: int, out_ms: int) -> None:
        """Eliminate a player with that many valid events."""
        if self.noted and not self.match.over:
            self.noted.note_gone(number, known, out_ms, self.match.time_ms)
        if not self.match.lose(number, known, out_ms):
            self.state = LOST
