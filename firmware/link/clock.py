"""Count the time of a match from an agreed start to the next stop."""

from firmware.compat import const, ticks_add, ticks_diff
from firmware.link.linked import LinkedMatch
from firmware.link.ring import STATES, Ring
from firmware.match.match import NOBODY

_LATE_MS = const(100)
_MOST_LEAD_MS = const(30_000)  # half the range of a 16-bit clock
_LEAD_MS = const(3000)
_LEAD_WITHIN_MS = const(1500)  # within a round
_NEW = const(16)  # a run number is newer if it is less than this ahead, because run numbers wrap


class MatchClock:
    """Translate the local clock into match time.

    run: the number of starts, modulo STATES. counting: whether the countdown to a start runs. reference: the player who
    calls the starts; their times are on that player's clock. uncertain: whether the last start may have reached only
    some players, because its caller is gone.
    """

    def __init__(self, ring: Ring, match: LinkedMatch, now_ms: int) -> None:
        self.ring = ring
        self.match = match
        self.run = self.reference = 0
        self.counting = self.uncertain = False
        self.start_ms = now_ms  # the local clock at the match time `base_ms`
        self.base_ms = 0
        self.moment = 0  # the reference's clock at `base_ms`

    def accept_start(self, player: int, run: int) -> bool:
        """Accept the run number of a start that `player` calls; return whether it is new."""
        if not 0 < run - self.run & STATES - 1 < _NEW:
            return False
        self.run = run & STATES - 1
        self.reference = player  # the lowest player present calls starts: reports that lower ones are gone follow
        return True

    def plan_start(self, now_ms: int) -> None:
        """Choose the next start: at the match time of the player who is furthest ahead, or at 0 after a round."""
        match = self.match
        time_ms = least_ms = 0
        if not match.over:
            time_ms = least_ms = match.time_ms
            for seat in match.seats:
                if seat.number != match.me and not seat.gone:
                    time_ms = max(time_ms, seat.known_ms)
                    least_ms = min(least_ms, seat.known_ms)
        # A device that is behind begins earlier.
        lead_ms = (_LEAD_WITHIN_MS if time_ms else _LEAD_MS) + time_ms - least_ms
        ahead = 1
        for i in range(len(self.ring.peers)):
            further = self.ring.peers[i].run - self.run & STATES - 1
            if self.ring.present >> i & 1 and i != match.me and further < _NEW:
                ahead = max(ahead, further + 1)
        self.run = self.run + ahead & STATES - 1
        self.uncertain = False
        self.set_start(time_ms, now_ms + min(_MOST_LEAD_MS, lead_ms + 2 * self.ring.trip_ms) & 0xFFFF)

    def set_start(self, base_ms: int, moment: int) -> None:
        """Set the start: match time `base_ms` at `moment` of the reference's clock."""
        self.base_ms = base_ms
        self.moment = moment

    def count_down(self) -> None:
        self.counting = True

    def stop(self) -> None:
        self.counting = False

    def read_ms(self, now_ms: int) -> int:
        """Return the match time at `now_ms`, while the clock runs or counts down."""
        if self.counting:
            wait_ms = self.moment - now_ms + self.ring.read_offset_ms(self.reference)
            self.start_ms = ticks_add(now_ms, (wait_ms + 0x8000 & 0xFFFF) - 0x8000)
        time_ms = self.base_ms + ticks_diff(now_ms, self.start_ms)
        if self.counting:
            match_ms = self.match.time_ms
            if time_ms <= match_ms:
                return match_ms
            self.counting = False
            self.ring.stopper = NOBODY
            if time_ms > match_ms + _LATE_MS:
                # The start came too late. Continue from here, because no game may skip time.
                self.start_ms = now_ms
                self.base_ms = time_ms = match_ms
        return time_ms

    def read_countdown_ms(self, now_ms: int) -> int:
        """Return how long the countdown still lasts, or 0."""
        return max(0, self.match.time_ms - self.base_ms - ticks_diff(now_ms, self.start_ms)) if self.counting else 0

    def follow_lowest(self) -> None:
        """Let the lowest player present call the starts, because a player is gone."""
        self.uncertain = True
        self.reference = 0
        while self.ring.present and not self.ring.present >> self.reference & 1:
            self.reference += 1
