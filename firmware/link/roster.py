"""Agree on who stays away: out of the match, while the rest plays on; or the link is lost."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.link.linked import LinkedMatch
from firmware.link.news import GONE
from firmware.link.ring import Ring
from firmware.link.wire import Wire

if TYPE_CHECKING:
    from typing import Any

RUNNING = const(0)  # states, which go round with every frame
WAITING = const(1)  # for somebody, or for the start
PAUSED = const(2)  # by the person here
OVER = const(3)  # the round is
READY = const(4)  # for the next one
LOST = const(5)  # the link is
LEFT = const(6)  # this player

_AWAY_MS = const(30_000)
_ABSENT_MS = const(10_000)  # before the first start
_STUCK_MS = const(60_000)


class Roster(Ring):
    """Know who is in a match.

    state: what is done here.  since_ms: when it last changed.  counting: whether a start is still to come.
    noted: None, or what notes what is told of others.
    mixed: whether a start may have reached only some, for who called it is gone.
    settled: a bit for each player who was out for being away in this round.
    said: of everybody who may be gone, who said so.  known, moments_ms: how much each of these knew, and when; of
        player A who said it of player B at B * count + A.
    """

    def __init__(self, wire: Wire, key: int, match: LinkedMatch, now_ms: int) -> None:
        Ring.__init__(self, wire, key, match.me, match.options.players, match.news, now_ms)
        self.match = match
        self.state = WAITING
        self.since_ms = now_ms
        self.counting = False
        self.noted: "Any" = None
        self.mixed = False
        self.settled = 0
        self.said = bytearray(self.count)
        self.known = [0] * (self.count * self.count)
        self.moments_ms = [0] * (self.count * self.count)

    def change(self, state: int, now_ms: int) -> None:
        """Be in another state, and tell at once."""
        self.state = state
        self.since_ms = now_ms
        self.counting = False
        self.tell_state(now_ms)

    def fail(self) -> None:
        """Give up: somebody tells what cannot be."""
        self.state = LOST

    def is_alone(self) -> bool:
        """Return whether all but one are gone."""
        return not self.needed & self.needed - 1

    def look_for_absent(self, away: int, now_ms: int) -> None:
        """See whether somebody has been away for too long: out, or where too few are left, the link is lost."""
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

    def is_paused(self) -> bool:
        """Return whether a person has paused the match."""
        if self.state == PAUSED:
            return True
        for i in range(self.count):
            if self.needed >> i & 1 and self.states[i] == PAUSED:
                return True
        return False

    def say_gone(self, number: int) -> None:
        """Tell once that a player is gone, and what is known of that one."""
        if self.said[number] >> self.me & 1:
            return
        match = self.match
        seat = match.seats[number]
        known = seat.counted if seat.gone else seat.chronicle.count
        at = self.news.add(GONE << 4 | number, match.time_ms)
        self.news.bytes[at] = known & 255
        self.news.bytes[at + 1] = known >> 8 & 255
        self.needed &= ~(1 << number)
        seat.known_ms = -1  # nothing is decided until all agree
        self.note_gone(self.me, number, known, match.time_ms)

    def note_gone(self, source: int, number: int, known: int, time_ms: int) -> None:
        """Note that `source` knows so much of a player who is gone; when all have said so, that one is out."""
        self.said[number] |= 1 << source
        self.known[number * self.count + source] = known
        self.moments_ms[number * self.count + source] = time_ms
        self.settle_agreed()

    def settle_agreed(self) -> None:
        """Let everybody be out of whom all who are left have said so: who goes meanwhile need not be waited for."""
        for i in range(self.count):
            if self.said[i] and not self.needed & ~self.said[i] and self.match.seats[i].known_ms < 0:
                self.settle(i)

    def settle(self, number: int) -> None:
        """Let a player be out of whom all have said that it is gone."""
        match = self.match
        self.follow()
        for i in range(self.count):
            if not match.over and self.needed >> i & 1 and (self.states[i] == OVER or self.states[i] == READY):
                self.fail()  # that one knew more, and it cannot be had any more
                return
        self.settled |= 1 << number
        # Who was settled with a word of this one is settled again without: others may never have had it.
        for i in range(self.count):
            if self.settled >> i & 1 and self.state != LOST:
                self.put_out(i)

    def put_out(self, number: int) -> None:
        """Let a player be out by what those who are left have said: all of them have that alike."""
        known = self.known[number * self.count + self.me]
        out_ms = 0
        for i in range(self.count):
            if self.needed >> i & 1:
                known = min(known, self.known[number * self.count + i])
                out_ms = max(out_ms, self.moments_ms[number * self.count + i] + 1)
        self.lose(number, known, out_ms)

    def follow(self) -> None:
        """Go by the clock of the lowest player still there, where somebody is gone."""
        self.mixed = True
        self.reference = 0
        while self.needed and not self.needed >> self.reference & 1:
            self.reference += 1

    def lose(self, number: int, known: int, out_ms: int) -> None:
        """Let a player be out, of whom so many events count."""
        if self.noted and not self.match.over:
            self.noted.note_gone(number, known, out_ms, self.match.time_ms)
        if not self.match.lose(number, known, out_ms):
            self.fail()
