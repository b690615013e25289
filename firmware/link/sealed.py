"""Play with three or four devices, of which one may lie: no two others show different results."""

from firmware.compat import const, ticks_diff
from firmware.link.events import GONE, SUM
from firmware.link.linked import LinkedMatch
from firmware.link.members import LIED, LOST, NO_SUM, OVER
from firmware.link.ring import HEAD
from firmware.link.seals import Seals
from firmware.link.session import LinkSession
from firmware.link.wire import LONGEST, Wire
from firmware.match.match import NOBODY

_PATIENCE_MS = const(60_000)
_SILENCE_MS = const(5000)  # of a player whose frames come, but with wrong seals: somebody changes them


class Session(LinkSession):
    """Run a match with Seals: nobody forges another's frame, but a player can tell each of the others something else.

    Only an event that contradicts earlier ones of its own player proves who lied. Whatever else is wrong ends the match
    without a result on all devices: state LIED.
    """

    def __init__(self, wire: Wire, key: int, match: LinkedMatch, now_ms: int, seals: Seals) -> None:
        LinkSession.__init__(self, wire, key, match, now_ms)
        self.ring.seals = self.seals = seals
        self.ring.room = LONGEST - 2 - HEAD - seals.bytes

    def set_state(self, state: int, now_ms: int) -> None:
        """Change the state, and report it at once; a device that gives up ends the match on all."""
        if state == LOST and not self.members.lost:
            state = LIED
        LinkSession.set_state(self, state, now_ms)

    def accuse(self, player: int, idle: int = 0) -> None:
        """Accuse a player; but not of keeping back lines, which others may only have pretended to send."""
        if self.match.seats[player].owed < 0:
            self.end()
        else:
            LinkSession.accuse(self, player, idle)

    def blame(self, player: int, idle: int = 0) -> None:
        """End the match: any player can have caused this."""
        self.end()

    def end(self) -> None:
        """End the match on every device."""
        if self.state < LOST:
            self.set_state(LIED, self.ring.sent_ms)  # about now

    def is_settled(self) -> bool:
        """Return whether the round is over, and all present players have reported this device's result."""
        mine = self.sums[self.me]
        for i in range(len(self.sums)):
            if self.ring.present >> i & 1 and self.sums[i] != mine:
                return False
        return self.match.over and mine != NO_SUM

    def apply_event(self, player: int, event: bytearray, at: int) -> None:
        """Apply an event of another player; end the match if it reports the local player gone."""
        if event[at] >> 4 == SUM and self.sums[player] != NO_SUM:
            return  # the first one counts
        LinkSession.apply_event(self, player, event, at)
        if event[at] == GONE << 4 | self.me:
            self.end()

    def look_at_peers(self, now_ms: int) -> bool:
        """End the match if another device did, if results differ or one is missing, or if frames are changed."""
        if self.ring.find(self.ring.present & ~(1 << self.me), LIED) != NOBODY:
            self.end()
        mine = self.sums[self.me]
        for other in self.sums:
            if mine != NO_SUM and other != NO_SUM and other != mine:
                self.end()
        if self.state == OVER and not self.is_settled() and ticks_diff(now_ms, self.since_ms) >= _PATIENCE_MS:
            self.end()
        for i in range(len(self.sums)):
            silent_ms = ticks_diff(now_ms, self.ring.peers[i].heard_ms)
            if (self.ring.present & self.seals.broken) >> i & 1 and silent_ms >= _SILENCE_MS:
                self.end()
        return self.state < LOST and LinkSession.look_at_peers(self, now_ms)
