"""Take part in a linked match: play and report, or follow the reports of another player."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import LOCK_OUT, SPAWN_X, SPAWN_Y
from firmware.engine.matrix import HEIGHT, SKYLINE
from firmware.engine.phases import GAME_OVER
from firmware.link.events import CLEAR, HOLD, LATE, LOCK, OUT, RISE, EventHash, Hand, read_event_ms
from firmware.link.far_flight import FarFlight
from firmware.link.reachability import is_reachable
from firmware.match.attack import count_lines
from firmware.match.flight import FLIGHT_MS
from firmware.match.seat import NOT_YET, Seat, read_moment

if TYPE_CHECKING:
    from firmware.contracts import Blob, Game
    from firmware.link.linked import LinkedMatch

_LAST_COLUMN = const(9)
_I = const(1)
_T = const(6)
_TETRIS = const(4)
_MOST_EVENTS = const(0x7FFF)  # of a round: GONE has 15 bits for their count
_UNCHAINED = const(1)  # a bit of a remote player's `chain`: possibly outside a Back-to-Back sequence
_TOPPED_OUT = const(-1)
_ONE = b"\0\0\1\0\2\0\0\0\3"  # the number of the only set bit
_PATIENCE_MS = const(1 << 15)  # sent lines must enter the queue within one to two times this


class OwnSeat(Seat):
    """Play the local player's game and report it. hashed: hash of the reports. gone: whether the player left."""

    contest: "LinkedMatch"

    def __init__(self, match: "LinkedMatch", number: int) -> None:
        self.hashed = EventHash()
        self.gone = False
        self.hand = Hand(match.seed)
        self.risen = 0
        Seat.__init__(self, match, number)

    def report_hold(self) -> None:
        """Report a Hold if there was one; the engine has no hook for it."""
        if self.game.hold != self.hand.hold and self.out_ms == NOT_YET:
            self.hand.exchange()
            self.contest.events.add(HOLD << 4, self.contest.time_ms)

    def iterate(self, game: "Game") -> None:
        """Report a Lock Down and its attack."""
        match = self.contest
        self.report_hold()
        sent_before = self.sent
        countered_before = self.countered
        match.reached = 0
        Seat.iterate(self, game)
        now_ms = read_moment(game)
        hand = self.hand
        events = match.events
        packed = hand.piece << 5 | game.facing << 3 | hand.hold
        sent = self.sent - sent_before
        countered = self.countered - countered_before
        at = events.add_lock(
            match.reached, now_ms, packed, game.x + 3, game.y + 3, sent, countered, min(255, self.queued)
        )
        hand.draw()
        self.hashed.add_lock(events.buffer, at, game.matrix, now_ms)

    def complete(self, game: "Game") -> None:
        """Report rising lines and lines cleared for the team."""
        match = self.contest
        if match.options.aim and game.cleared:
            now_ms = read_moment(game)
            match.events.add(CLEAR << 4 | game.cleared, now_ms)
            self.hashed.add(game.cleared, now_ms)
        Seat.complete(self, game)
        self.report_rise(game)

    def report_rise(self, game: "Game") -> None:
        """Report how many lines rose since the last call."""
        rows = self.received - self.risen
        if rows:
            self.risen = self.received
            now_ms = read_moment(game)
            self.contest.events.add(RISE << 4, now_ms, rows)
            self.hashed.add(rows, now_ms)

    def end(self, game: "Game") -> None:
        """Mark the local player as out and report it."""
        self.report_rise(game)
        Seat.end(self, game)
        self.contest.events.add(OUT << 4 | game.over, self.out_ms)
        self.hashed.add(game.over, self.out_ms)

    def accept_lines(self, sender: int, due_ms: int, lines: int) -> None:
        """Let another player's lines arrive at `due_ms`; if that has passed, let them arrive now and report it."""
        match = self.contest
        if due_ms <= match.time_ms:
            due_ms = match.time_ms
            if self.out_ms != NOT_YET:
                return
            match.events.add(LATE << 4 | sender, due_ms, lines)
            self.hashed.add(sender << 8 | lines, due_ms)
        self.coming.send(due_ms, lines)


class FarSeat(Seat):
    """Follow a remote player: build that player's Matrix from reports, and check each.

    known_ms: the match time up to which the player has reported everything. gone: whether the player is out of the
    match. counted: how many events of a gone player count. foes: a bit for each player of another team. late: lines
    that arrived after their flight. due_ms: the time of the CLEAR, RISE or OUT that must come next, or 0. owed: lines
    that must be queued, countered or risen at the first Lock Down after _PATIENCE_MS; -1 once they were not.

    The game's clock does not run here. Its `entered_ms` is when the next Tetrimino enters, its `cleared` the number of
    lines that CLEAR must report. Its `chain` has a bit for each length that the Back-to-Back sequence may have: a T may
    have been turned last or not.
    """

    contest: "LinkedMatch"
    coming: FarFlight

    def __init__(self, match: "LinkedMatch", number: int) -> None:
        self.hashed = EventHash()
        self.hand = Hand(match.seed)
        self.gone = False
        self.known_ms = self.due_ms = self.late = self.owed = self.owed_ms = 0
        Seat.__init__(self, match, number)
        self.game.next = self.hand.next
        self.game.phase = GAME_OVER  # no time passes in it
        self.game.chain = _UNCHAINED
        self.coming = FarFlight(match, number)
        self.foes = 0
        for i in range(match.options.players):
            self.foes |= (match.options.team(i) != self.team) << i

    def apply_event(self, event: "Blob", at: int) -> bool:
        """Apply an event; return False if it is impossible."""
        kind = event[at] >> 4
        low = event[at] & 15
        now_ms = read_event_ms(event, at)
        game = self.game
        if self.out_ms != NOT_YET or now_ms < max(game.time_ms, self.known_ms) or self.hashed.count == _MOST_EVENTS:
            return False
        if kind <= HOLD and (self.rising or game.cleared):
            return False  # the last Lock Down's effects must be reported first
        if kind == HOLD:
            if game.held:
                return False
            game.held = True
            self.hand.exchange()
            game.hold = self.hand.hold
            self.expect_piece()
            return True
        game.time_ms = now_ms
        if kind == LOCK:
            return self.apply_lock(event, at, now_ms)
        if kind == RISE:
            return self.rise(event[at + 4], now_ms)
        if kind == OUT:
            self.out_ms = now_ms
            self.due_ms = 0
            self.contest.must_decide = True
            if low == LOCK_OUT:
                game.statistics.pieces += 1  # a Lock Out sends no LOCK
        elif kind == CLEAR:
            if not low or low != game.cleared or now_ms != self.due_ms:
                return False
            game.cleared = 0
            self.expect_piece()
            self.contest.clear(self, now_ms, low)
        else:
            lines = event[at + 4]
            if not lines or not self.foes >> low & 1:
                return False
            self.late += lines
            low = low << 8 | lines
        self.hashed.add(low, now_ms)
        return True

    def rise(self, rows: int, now_ms: int) -> bool:
        """Let queued lines rise; return False if they are not due, or not all that fit."""
        if not 0 < rows <= self.rising or now_ms != self.due_ms:
            return False
        inside = True
        for _ in range(rows):
            if not inside:
                return False
            self.received += 1
            inside = self.game.matrix.raise_row(self.next_gap(self.game))
        if inside and rows != self.rising:
            return False
        self.queued -= rows
        self.rising = 0 if inside else _TOPPED_OUT
        if inside:
            self.expect_piece()
        self.hashed.add(rows, now_ms)
        return True

    def apply_lock(self, event: "Blob", at: int, now_ms: int) -> bool:
        """Lock a Tetrimino down and send its attack; return False for an impossible place, time or attack."""
        if not self.put_in_place(event, at, now_ms):
            return False
        lines = event[at + 7]
        game = self.game
        matrix = game.matrix
        game.turned_last = True
        spun = game.spin()
        matrix.lock(game.piece, game.x, game.y, game.piece * 16 - 16 + game.facing * 4)
        count = matrix.mark_full(game.y, game.hits)
        chains = self.find_chains(spun, count, event, at)
        if not chains:
            return False
        game.chain = chains
        game.statistics.combo = game.statistics.combo + 1 if count else -1
        self.hand.draw()
        self.hashed.add_lock(event, at, matrix, now_ms)
        if count:
            matrix.collapse(game.hits, count)
            now_ms += game.options.animate_ms
        game.held = False
        game.cleared = count if self.contest.options.aim else 0
        game.lines += count
        game.lock_downs += 1
        game.statistics.pieces += 1
        self.sent += lines
        self.countered += event[at + 8]
        self.coming.land(game.time_ms)
        self.queued = event[at + 9]
        self.rising = self.queued
        if self.contest.modern:
            self.contest.modern.receive(self, count)
        game.entered_ms = now_ms + game.options.generation_ms
        self.expect_piece()
        if game.cleared or self.rising:
            self.due_ms = now_ms
        if lines:
            if self.contest.options.target:  # without an opponent the mark is on the sender (Match.attack)
                self.mark = _ONE[event[at] & 15] if event[at] & 15 else self.number
            self.contest.carry_lines(self.number, event[at] & 15, game.time_ms + FLIGHT_MS, lines)
        return self.settle_owed(now_ms)

    def put_in_place(self, event: "Blob", at: int, now_ms: int) -> bool:
        """Put the Tetrimino of a Lock Down in its place; return False for another one, a wrong place or time."""
        packed = event[at + 4]
        piece = packed >> 5
        x = event[at + 5] - 3
        y = event[at + 6] - 3
        game = self.game
        if piece != self.hand.piece or packed & 7 != self.hand.hold or self.due_ms or now_ms < game.entered_ms:
            return False
        if x > _LAST_COLUMN or y >= HEIGHT or not game.place(piece, x, y, packed >> 3 & 3):
            return False
        return game.ghost_y == y and y + game.base < SKYLINE and is_reachable(game, self.contest.paths)

    def find_chains(self, spun: int, count: int, event: "Blob", at: int) -> int:
        """Return what `chain` becomes after a Lock Down, spun or not; 0 if its attack is impossible (B1.3.4-6)."""
        match = self.contest
        options = match.options
        countered = event[at + 8]
        targets = event[at] & 15
        if targets & ~self.foes or options.target and targets & targets - 1:
            return 0
        if not count:
            return 0 if event[at + 7] or countered else self.game.chain
        modern = match.modern
        most = modern.longest if modern else 1
        chains = 0
        for turned in range(3 if event[at + 4] >> 5 == _T else 2):  # others are Minis at most
            for length in range(most + 1):
                if not self.game.chain & 1 << length or turned and not 0 < spun <= turned:
                    continue
                if not turned and count < _TETRIS:
                    length = -1
                lines = 0
                if modern and not options.aim:
                    lines = modern.count(self.game, turned, count, max(length, 0))
                elif not options.aim:
                    lines = count_lines(match.attacks, turned, count, length > 0)
                left = lines - countered
                if (left == event[at + 7] or options.handicaps) and not (left and event[at + 9]):
                    chains |= 1 << min(length + 1, most)
        return chains

    def settle_owed(self, now_ms: int) -> bool:
        """Note which lines are `owed` after the next wait; return False if those of the last one have not entered."""
        if now_ms - self.owed_ms < _PATIENCE_MS:
            return True
        self.owed_ms = now_ms
        entered = self.contest.player_left or self.countered + self.received + self.queued >= self.owed
        self.owed = self.coming.sent if entered else -1
        return entered

    def expect_piece(self) -> None:
        """Check whether the next Tetrimino has room; if not, OUT is due when it enters."""
        game = self.game
        piece = self.hand.piece
        self.due_ms = 0
        if game.matrix.top > SKYLINE and not game.place(piece, SPAWN_X, SPAWN_Y - (piece == _I), 0):
            self.due_ms = game.entered_ms
        game.piece = 0
