"""Find players who hold up a match without being silent, and players who report present players gone."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.link.linked import LinkedMatch
from firmware.link.members import Membership
from firmware.link.ring import Ring
from firmware.match.match import NOBODY

if TYPE_CHECKING:
    from firmware.contracts import LinkSession

_ACCUSED_MS = const(40_000)
_LONG_MS = const(30_000)  # enough if another player accuses that player, too
_DOUBTED_MS = const(60_000)
_FAIR_MS = const(4000)  # longest fair countdown, without its round trips
_MOST_TRIP_MS = const(1000)  # a slower ring makes stops long without anybody's fault


class StallWatch:
    """Measure how long each player holds up the match, while no player is silent and none has paused.

    Silence does not count: a bad line or an open ring causes it without anybody's fault.
    """

    def __init__(self, ring: Ring, members: Membership, match: LinkedMatch, now_ms: int) -> None:
        self.ring = ring
        self.members = members
        self.match = match
        self.checked_ms = self.doubted_ms = now_ms
        self.settled_ms = 0
        self.stood_ms = 0  # how long the clock ran while some player sent no events
        self.held_ms = [0] * match.options.players  # how long each player held up the clock, less the time it ran

    def forgive(self) -> None:
        """Restart the count of the time without events, because a player was silent."""
        self.stood_ms = 0

    def look(self, session: "LinkSession", now_ms: int) -> int:
        """Return a bit for each player who holds up the match of a session for too long."""
        clock = session.clock
        counting = clock.counting
        running = session.is_running()
        stands = not running and not session.away and session.find_pauser(self.ring.present) == NOBODY
        overdue_ms = clock.read_countdown_ms(now_ms) if counting else ticks_diff(now_ms, session.since_ms)
        return self.watch(now_ms, running, stands, overdue_ms, NOBODY if counting else session.unready)

    def watch(self, now_ms: int, running: bool, stands: bool, overdue_ms: int, unready: int) -> int:
        """Count the time since the last call; return a bit for each player to be accused.

        running: whether the clock runs. stands: whether it stands without a pause or a silent player. overdue_ms: the
        rest of the countdown, or the wait for its start. unready: a player who is not ready for a start, or NOBODY.
        """
        passed_ms = ticks_diff(now_ms, self.checked_ms)
        self.checked_ms = now_ms
        closed = self.ring.is_closed(now_ms)
        settled_ms = self.match.find_settled()
        if settled_ms != self.settled_ms:
            self.settled_ms = settled_ms
            self.stood_ms = 0
        elif running and closed:
            self.stood_ms += passed_ms
        holder = NOBODY
        if stands and closed and self.ring.trip_ms < _MOST_TRIP_MS:
            holder = self.find_holder(overdue_ms, unready)
        accused = 0
        for i in range(len(self.held_ms)):
            if i == holder:
                self.held_ms[i] += passed_ms
            elif running:
                self.held_ms[i] = max(0, self.held_ms[i] - passed_ms)
            if i != self.match.me and (
                self.held_ms[i] >= _ACCUSED_MS or self.stood_ms >= _ACCUSED_MS and self.is_slow(i)
            ):
                accused |= 1 << i
        return accused & self.ring.present

    def is_stuck(self) -> bool:
        """Return whether some player has sent no events for too long."""
        return self.stood_ms >= _ACCUSED_MS

    def find_holder(self, overdue_ms: int, unready: int) -> int:
        """Return the player who holds up the clock, or NOBODY.

        At first this is the player who stopped it; after a fair time, a player who is not ready or does not call the
        start.
        """
        if overdue_ms <= _FAIR_MS + 4 * self.ring.trip_ms:
            return self.ring.stopper
        return unready if unready != NOBODY else self.members.clock.reference

    def is_slow(self, player: int) -> bool:
        """Return whether all players have waited long for this player."""
        if self.held_ms[player] >= _LONG_MS:
            return True
        return self.stood_ms >= _LONG_MS and self.match.seats[player].known_ms == self.settled_ms

    def find_liars(self, now_ms: int) -> int:
        """Return a bit for each player of `Membership.find_doubted`, once such reports have lasted a minute."""
        doubted = self.members.find_doubted()
        if not doubted:
            self.doubted_ms = now_ms
        return doubted if ticks_diff(now_ms, self.doubted_ms) >= _DOUBTED_MS else 0
