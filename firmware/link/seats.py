"""Take part in a match with other devices: play here and tell of it, or be built from what is told."""

from firmware.compat import const
from firmware.engine.phases import GAME_OVER
from firmware.engine.randomizer import Bag, Random
from firmware.engine.tables import SHAPES
from firmware.link.news import CLEAR, HOLD, LATE, LOCK, OUT, RISE, Chronicle, read_moment_of
from firmware.match.flight import FLIGHT_MS, Flight
from firmware.match.seat import IN, Seat, read_moment

_WIDTH = const(10)
_HEIGHT = const(40)


class Hand:
    """Know which Tetriminos a player gets: all get the same, in the same order.

    piece: the one in play.  next: the six after it.  hold.
    """

    def __init__(self, seed: int) -> None:
        self.bag = Bag(Random(seed))
        self.next = bytearray(6)
        for i in range(6):
            self.next[i] = self.bag.deal()
        self.hold = self.piece = 0
        self.draw()

    def draw(self) -> None:
        """Bring the next one into play."""
        queue = self.next
        self.piece = queue[0]
        for i in range(5):
            queue[i] = queue[i + 1]
        queue[5] = self.bag.deal()

    def exchange(self) -> None:
        """Hold the one in play."""
        held = self.hold
        self.hold = self.piece
        if held:
            self.piece = held
        else:
            self.draw()


class OwnSeat(Seat):
    """Play here, and tell of it.  chronicle: what was told.  gone: whether the player left."""

    def __init__(self, match, number: int) -> None:
        self.chronicle = Chronicle()
        self.gone = False
        self.hand = Hand(match.seed)
        self.risen = 0
        Seat.__init__(self, match, number)

    def look(self) -> None:
        """Tell that the Tetrimino in play was held, which no mode is asked about."""
        if self.game.hold != self.hand.hold and self.out_ms == IN:
            self.hand.exchange()
            self.shared.news.add(HOLD << 4, self.shared.time_ms)

    def iterate(self, game) -> None:
        """Tell of a Lock Down and its attack."""
        match = self.shared
        self.look()
        sent = self.sent
        countered = self.countered
        match.reached = 0
        Seat.iterate(self, game)
        now_ms = read_moment(game)
        hand = self.hand
        news = match.news
        at = news.add(LOCK << 4 | match.reached, now_ms)
        event = news.bytes
        event[at] = hand.piece << 5 | game.facing << 3 | hand.hold
        event[at + 1] = game.x + 3
        event[at + 2] = game.y + 3
        event[at + 3] = self.sent - sent
        event[at + 4] = self.countered - countered
        event[at + 5] = min(255, self.queued)
        hand.draw()
        note_lock(self.chronicle, event, at - 4, game.matrix, now_ms)

    def complete(self, game) -> None:
        """Tell of lines that rise, and of lines for the team."""
        match = self.shared
        if match.options.aim and game.cleared:
            now_ms = read_moment(game)
            match.news.add(CLEAR << 4 | game.cleared, now_ms)
            self.chronicle.fold(game.cleared)
            self.chronicle.close(now_ms)
        Seat.complete(self, game)
        self.tell_rise(game)

    def tell_rise(self, game) -> None:
        """Tell how many lines rose since last asked."""
        rows = self.received - self.risen
        if rows:
            self.risen = self.received
            now_ms = read_moment(game)
            self.shared.news.add_number(RISE << 4, now_ms, rows)
            self.chronicle.fold(rows)
            self.chronicle.close(now_ms)

    def end(self, game) -> None:
        """Be out, and tell."""
        self.tell_rise(game)
        Seat.end(self, game)
        self.shared.news.add(OUT << 4 | game.over, self.out_ms)
        self.chronicle.fold(game.over)
        self.chronicle.close(self.out_ms)

    def enter(self, sender: int, due_ms: int, lines: int) -> None:
        """Let lines of another player come at their moment; where that is over, now, and tell."""
        match = self.shared
        if due_ms <= match.time_ms:
            due_ms = match.time_ms
            if self.out_ms != IN:
                return
            match.news.add_number(LATE << 4 | sender, due_ms, lines)
            self.chronicle.fold(sender << 8 | lines)
            self.chronicle.close(due_ms)
        self.coming.send(due_ms, lines)


class Toward(Flight):
    """Carry lines to a player elsewhere, and note that this player was attacked."""

    def __init__(self, match, number: int) -> None:
        Flight.__init__(self)
        self.match = match
        self.bit = 1 << number

    def send(self, due_ms: int, lines: int) -> None:
        """Add lines that arrive at `due_ms`."""
        self.match.reached |= self.bit
        Flight.send(self, due_ms, lines)


class FarSeat(Seat):
    """Show what is told of a player elsewhere; the game here is never computed, only built from that.

    known_ms: everything until then was told.  gone: whether the player stays away.  counted: of one who is gone, how
    many events count.
    """

    def __init__(self, match, number: int) -> None:
        self.chronicle = Chronicle()
        self.hand = Hand(match.seed)
        self.known_ms = 0
        self.gone = False
        Seat.__init__(self, match, number)
        self.game.next = self.hand.next
        self.game.phase = GAME_OVER  # no time passes in it
        self.coming = Toward(match, number)

    def take(self, event, at: int) -> bool:
        """Play an event after them; return False where it cannot have happened."""
        kind = event[at] >> 4
        low = event[at] & 15
        now_ms = read_moment_of(event, at)
        game = self.game
        if self.out_ms != IN or now_ms < game.time_ms:
            return False
        if kind == HOLD:
            self.hand.exchange()
            game.hold = self.hand.hold
            return True
        game.time_ms = now_ms
        chronicle = self.chronicle
        if kind == LOCK:
            return self.lock(event, at, now_ms)
        if kind == RISE:
            rows = event[at + 4]
            if not 0 < rows <= _HEIGHT:
                return False
            for _ in range(rows):
                self.received += 1
                game.matrix.raise_row(self.next_gap(game))
            self.queued = max(0, self.queued - rows)
            chronicle.fold(rows)
        elif kind == OUT:
            self.out_ms = now_ms
            self.shared.shaken = True
            chronicle.fold(low)
        elif kind == CLEAR:
            if not 0 < low < 5:
                return False
            self.shared.clear(self, now_ms, low)
            chronicle.fold(low)
        else:
            chronicle.fold(low << 8 | event[at + 4])
        chronicle.close(now_ms)
        return True

    def lock(self, event, at: int, now_ms: int) -> bool:
        """Turn a Tetrimino into Blocks and let its attack fly; return False where it does not fit."""
        packed = event[at + 4]
        piece = packed >> 5
        facing = packed >> 3 & 3
        x = event[at + 5] - 3
        y = event[at + 6] - 3
        lines = event[at + 7]
        game = self.game
        matrix = game.matrix
        hand = self.hand
        if piece != hand.piece or packed & 7 != hand.hold or not self.fits(piece, facing, x, y):
            return False
        matrix.lock(piece, x, y, piece * 16 - 16 + facing * 4)
        hand.draw()
        note_lock(self.chronicle, event, at, matrix, now_ms)
        count = matrix.mark_full(y, game.hits)
        if count:
            matrix.collapse(game.hits, count)
        game.lines += count
        game.lock_downs += 1
        game.statistics.pieces += 1
        self.sent += lines
        self.countered += event[at + 8]
        self.coming.land(now_ms)
        self.queued = event[at + 9]
        if lines:
            self.shared.carry(self.number, event[at] & 15, now_ms + FLIGHT_MS, lines)
        return True

    def fits(self, piece: int, facing: int, x: int, y: int) -> bool:
        """Return whether all Minos lie on empty cells."""
        if not piece or x > _WIDTH or y > _HEIGHT:
            return False
        first = piece * 16 - 16 + facing * 4
        masks = self.game.matrix.masks
        for row in range(4):
            minos = SHAPES[first + row] << x + 3
            if minos and (not 0 <= y + row < _HEIGHT or minos & masks[y + row] or minos > 0xFFFF):
                return False
        return True


def note_lock(chronicle: Chronicle, event, at: int, matrix, now_ms: int) -> None:
    """Take a Lock Down into the hash, with the Matrix before its rows go."""
    for i in range(at, at + 10):
        if i == at or i > at + 3:
            chronicle.fold(event[i])
    masks = matrix.masks
    for y in range(matrix.top):
        chronicle.fold(masks[y])
    chronicle.close(now_ms)
