"""Put players out of a linked match who left, fell silent or lied."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.link.clock import MatchClock
from firmware.link.events import GONE, GUILTY, KEPT
from firmware.link.linked import LinkedMatch
from firmware.link.ring import Ring

if TYPE_CHECKING:
    from firmware.contracts import Blob

RUNNING = const(0)  # states, sent with every frame
WAITING = const(1)  # for a silent device, or for the start
PAUSED = const(2)  # by the person here
OVER = const(3)  # the round is over
READY = const(4)  # for the next round
LOST = const(5)  # the link is lost
LEFT = const(6)  # this player has left
LIED = const(7)  # somebody lied: no result

NO_SUM = const(-1)  # in place of the hash of a finished round

_REST_MS = const(30_000)  # how far to advance the match at once when only one player is left


class Membership:
    """Collect the reports that players are gone; put a player out when everybody present has reported it.

    lost: whether too few players are left, or they cannot agree. accused: a bit for each accused player. idle: a bit
    for each player accused of holding up the match instead of lying.
    """

    def __init__(self, ring: Ring, match: LinkedMatch, clock: MatchClock) -> None:
        self.ring = ring
        self.match = match
        self.clock = clock
        self.me = match.me
        self.count = count = match.options.players
        self.lost = False
        self.accused = self.idle = 0
        self.reported_out = 0  # a bit for each player put out by reports in this round
        # For each player, a mask of the players who reported that player gone.
        self.reporters = bytearray(count)
        # A's report about B is at B * count + A: the number of known events, and its time.
        self.known = [0] * (count * count)
        self.moments_ms = [0] * (count * count)

    def accuse(self, player: int, idle: int) -> None:
        """Accuse a player of lying or, with `idle` 1, of holding up the match.

        The player is out as soon as all others report it gone, too. If only two players are left, the link is lost:
        nobody wins by an accusation.
        """
        self.accused |= 1 << player
        self.idle |= idle << player
        left = self.ring.present & ~(1 << player)
        if left & left - 1:
            self.report_gone(player)
        else:
            self.lost = True
            self.send_report(player)

    def report_gone(self, player: int) -> None:
        """Report once that a player is gone, and how many of that player's events are known."""
        if self.reporters[player] >> self.me & 1:
            return
        known = self.send_report(player)
        self.ring.drop_player(player)
        self.match.mark_unknown(player)
        self.add_report(self.me, player, known, self.match.time_ms)

    def send_report(self, player: int) -> int:
        """Send a report; return the count of events in it."""
        known = self.match.count_known(player)
        if self.accused >> player & 1:
            known += GUILTY
        self.match.events.add(GONE << 4 | player, self.match.time_ms, known)
        return known

    def apply_report(self, source: int, event: "Blob", at: int, time_ms: int) -> bool:
        """Let `source` leave, or accept its report about another player; return False if the report is a lie.

        A report has no effect until this device reports the player too, or the player is already gone. A repeated
        report, or a report that lacks more than KEPT events, is a lie, because devices could not agree on it.
        """
        player = event[at] & 15
        known = event[at + 4] | event[at + 5] << 8
        if player == source:
            self.let_leave(player, time_ms)
            return True
        if player >= self.count or self.reporters[player] >> source & 1:
            return False
        if player == self.me:
            if not self.ring.present & ~(self.reporters[player] | 1 << source | 1 << player):
                self.lost = True  # all others report this player gone
        elif self.match.count_known(player) - known % GUILTY > KEPT:
            return False
        elif not self.ring.present >> player & 1:
            self.report_gone(player)
        self.add_report(source, player, known, time_ms)
        return True

    def add_report(self, source: int, player: int, known: int, time_ms: int) -> None:
        """Record that `source` knows `known` events of a gone player."""
        self.reporters[player] |= 1 << source
        self.known[player * self.count + source] = known
        self.moments_ms[player * self.count + source] = time_ms
        self.put_out_reported()

    def put_out_reported(self) -> None:
        """Put out the players whom everybody still present reports gone."""
        for player in range(self.count):
            reporters = self.reporters[player]
            if reporters and not self.ring.present & ~reporters and self.match.seats[player].known_ms < 0:
                self.clock.follow_lowest()
                if self.is_ahead(player):
                    self.lost = True
                    return
                # Put out earlier players again, without the reports of this player: other devices may lack them.
                self.reported_out |= 1 << player
                for i in range(self.count):
                    if self.reported_out >> i & 1 and not self.lost:
                        self.put_out(i)

    def is_ahead(self, player: int) -> bool:
        """Return whether a device ended the round with events of a gone player that this device cannot get."""
        first = player * self.count
        for i in range(self.count):
            state = self.ring.peers[i].state
            if not self.match.over and self.ring.present >> i & 1 and (state == OVER or state == READY):
                if (self.known[first + i] - self.known[first + self.me]) % GUILTY:
                    return True
        return False

    def put_out(self, player: int) -> None:
        """Put out a player by the reports of the players present; every device has the same reports."""
        first = player * self.count
        known = self.known[first + self.me] % GUILTY
        guilt = 0
        out_ms = 0
        for i in range(self.count):
            if self.ring.present >> i & 1:
                known = min(known, self.known[first + i] % GUILTY)
                guilt |= self.known[first + i] & GUILTY
                out_ms = max(out_ms, self.moments_ms[first + i] + 1)
        if not self.match.remove_player(player, known + guilt, out_ms):
            self.lost = True

    def let_leave(self, player: int, out_ms: int) -> None:
        self.ring.drop_player(player)
        self.clock.follow_lowest()
        self.match.remove_player(player, self.match.count_known(player), out_ms)
        self.put_out_reported()
        if self.ring.is_alone():  # no events of others are missing
            self.match.advance(min(self.match.ends_ms, self.match.time_ms + _REST_MS))

    def begin_round(self) -> None:
        """Put the gone players out of the new round, too."""
        self.reported_out = 0
        for i in range(self.count):
            if not self.ring.present >> i & 1:
                self.match.remove_player(i, 0, 0)

    def check_absent(self, away: int, patience_ms: int, now_ms: int) -> None:
        """Report the players of `away` silent for `patience_ms`; give up if the ring is open or one player is left."""
        ring = self.ring
        if not ring.is_closed(now_ms) and ticks_diff(now_ms, ring.back_ms) >= patience_ms:
            self.lost = True
            return
        left = ring.present & ~away
        for i in range(self.count):
            peer = ring.peers[i]
            if away >> i & 1 and (peer.state == LOST or ticks_diff(now_ms, peer.heard_ms) >= patience_ms):
                if not left & left - 1:
                    self.lost = True
                    return
                if ring.is_closed(now_ms):
                    self.report_gone(i)

    def find_doubted(self) -> int:
        """Return a bit for each player who has reported gone a player that this device sees present."""
        doubted = 0
        for i in range(self.count):
            if self.ring.present >> i & 1:
                doubted |= self.reporters[i] & self.ring.present & ~(1 << self.me)
        return doubted
