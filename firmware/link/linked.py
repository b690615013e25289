"""Play a match: compute only the local player's game, and rebuild the others from reported events."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import HEIGHT
from firmware.link.events import GUILTY, KEPT, LATE, LOCK, RISE, EventQueue, mix
from firmware.link.players import FarSeat, OwnSeat
from firmware.match.flight import FLIGHT_MS
from firmware.match.match import NOBODY, Match
from firmware.match.seat import NOT_YET, read_moment

if TYPE_CHECKING:
    from firmware.contracts import Any, Blob, MatchOptions
    from firmware.engine.options import Options

_ALL_MS = const(1 << 28)  # known time of a gone player: no more events come
_NOTHING_MS = const(-1)  # known time of a gone player until all agree how many events count


class LinkedMatch(Match):
    """Play the game of the local player `me`, and follow the others.

    events: own events to report. recorder: None, or a recorder of the others' events. collect: None, or a function that
    collects a board's garbage. reached: a bit for each player whom the last attack reached. paths: a list for
    `is_reachable`. guilty: a bit for each player who is out for lying and cannot win. player_left: whether a player
    left in this round; nobody knows whom that player's last lines reached. unchecked: whether remote players have
    countered or received lines since `find_overdrawn` checked them.
    """

    seats: "list[Any]"  # OwnSeat and FarSeat, which differ in their attributes

    def __init__(self, seed: int, options: "MatchOptions", choices: "list[Options]", me: int) -> None:
        self.me = me
        self.events = EventQueue()
        self.recorder: "Any" = None
        self.collect: "Any" = None
        self.reached = 0
        self.paths = [0] * (HEIGHT + 2)
        Match.__init__(self, seed, options, choices)

    def set_up(self, number: int) -> None:
        """Seat everybody for round `number`."""
        Match.set_up(self, number)
        self.events.clear()
        self.guilty = 0
        self.player_left = self.unchecked = False

    def clear_seats(self) -> None:
        """Free the last round, at once: the next one would lie between garbage, and split the largest block."""
        Match.clear_seats(self)
        if self.collect:
            self.collect()

    def find_kind(self, number: int) -> "type[Any]":
        """Return the class of a player's seat: OwnSeat for the local player, FarSeat for others."""
        return OwnSeat if number == self.me else FarSeat

    def advance(self, t_ms: int) -> None:
        """Advance the own game; at the end of the round wait until all events are known."""
        mine = self.seats[self.me]
        while self.time_ms < t_ms and not self.over:
            step_ms = min(t_ms, self.time_ms + FLIGHT_MS)
            if self.ends_ms != NOT_YET:
                if self.time_ms >= self.ends_ms:
                    break
                step_ms = min(step_ms, self.ends_ms)
            if mine.out_ms == NOT_YET:
                mine.happened |= mine.game.advance(step_ms)
            if mine.out_ms != NOT_YET and mine.ensure_practice():
                while True:
                    mine.happened |= mine.practice.advance(step_ms)
                    if not mine.practice.over:
                        break
                    mine.begin_practice(mine.practice_ms + read_moment(mine.practice))
            self.time_ms = step_ms
            mine.report_hold()
            self.decide_round()

    def input(self, number: int, button: int, pressed: int, t_ms: int) -> None:
        """Take one edge of the local player at `t_ms`; ignore it after the end of the round."""
        self.advance(t_ms)
        if self.ends_ms == NOT_YET or self.time_ms < self.ends_ms:
            self.seats[number].input(button, pressed, self.time_ms)
            self.decide_round()

    def read_known_ms(self) -> int:
        """Return the time up to which the own game is final; it excludes now, because more edges may come."""
        return self.time_ms if self.ends_ms != NOT_YET and self.time_ms >= self.ends_ms else self.time_ms - 1

    def apply_event(self, number: int, event: "Blob", at: int) -> bool:
        """Apply an event of another player; return False if it is impossible."""
        if not self.seats[number].apply_event(event, at):
            return False
        kind = event[at] >> 4
        if kind == RISE or kind == LATE or kind == LOCK and event[at + 8]:
            self.unchecked = True
        if self.recorder:
            self.recorder.note_event(number, event, at, self.time_ms)
        self.decide_round()
        return True

    def mark_known(self, number: int, time_ms: int, limit_ms: int) -> int:
        """Record that player `number` has reported everything up to `time_ms`; return a player who lied, or NOBODY.

        Player `number` lied if the time is after `limit_ms` or after an event that is due.
        """
        seat = self.seats[number]
        if not self.over and (time_ms > limit_ms or 0 < seat.due_ms < time_ms):
            return number
        seat.known_ms = time_ms
        self.decide_round()
        return self.find_overdrawn() if self.unchecked and not self.over else NOBODY

    def mark_unknown(self, number: int) -> None:
        """Decide nothing until all agree how many events of this gone player count."""
        self.seats[number].known_ms = _NOTHING_MS

    def find_overdrawn(self) -> int:
        """Return a player who countered, received or reported late more lines than others sent, or NOBODY."""
        settled_ms = self.find_settled()
        self.unchecked = False
        for seat in self.seats:
            if seat.number != self.me and not self.player_left:
                if max(seat.countered + seat.received, seat.late) > seat.coming.sent:
                    if seat.game.time_ms <= settled_ms:
                        return seat.number
                    self.unchecked = True  # the senders' reports may still arrive
        return NOBODY

    def carry_lines(self, sender: int, mask: int, due_ms: int, lines: int) -> None:
        """Send lines of `sender` to each player whose bit is in `mask`."""
        for seat in self.seats:
            if mask >> seat.number & 1 and seat.number != sender:
                if seat.number == self.me:
                    self.seats[self.me].accept_lines(sender, due_ms, lines)
                else:
                    seat.coming.send(due_ms, lines)

    def find_settled(self) -> int:
        """Return the match time up to which the events of all players are known."""
        settled_ms = self.read_known_ms()
        for seat in self.seats:
            if seat.number != self.me and seat.known_ms < settled_ms:
                settled_ms = seat.known_ms
        return settled_ms

    def decide_round(self) -> None:
        """Decide the round, and end it when nothing can change the result."""
        if self.over:
            return
        if self.must_decide:
            self.must_decide = False
            if not (self.options.aim and self.decide_race()):
                self.decide_survivors()
        if self.ends_ms == NOT_YET and not self.options.aim:
            return
        settled_ms = self.find_settled()
        if self.options.aim:
            for team in range(self.options.count_teams()):
                self.gathered[team] += self.gathering[team].land(settled_ms)
        if self.ends_ms != NOT_YET and settled_ms >= self.ends_ms:
            self.over = True
            honest = not self.guilty
            for seat in self.seats:
                seat.hashed.drop_after(self.ends_ms)
                honest = honest or seat.team == self.winner and not self.guilty >> seat.number & 1
            if not honest:
                self.winner = NOBODY
            if self.winner != NOBODY:
                self.wins[self.winner] += 1

    def remove_player(self, number: int, count: int, out_ms: int) -> bool:
        """Put out a gone player at `out_ms`; only the first `count` events count. A liar's `count` has GUILTY added.

        Call this again if `count` changes. Return False if the events that other devices lack cannot be undone.
        """
        if self.recorder and not self.over:
            self.recorder.note_gone(number, count, out_ms, self.time_ms)
        seat: "Any" = self.seats[number]
        was_gone = seat.gone
        seat.gone = True
        seat.known_ms = _ALL_MS
        if self.over:
            return True
        self.guilty |= count // GUILTY << number
        count %= GUILTY
        hashed = seat.hashed
        known = hashed.count
        self.player_left = self.player_left or known > 0
        was_out = seat.out_ms != NOT_YET
        if was_gone:
            was_out = known == seat.counted  # whether OUT came before the player was gone
            known = seat.counted
        if not 0 <= known - count <= KEPT:
            return False
        hashed.keep_first(count)
        if not was_out or count < known:
            seat.out_ms = out_ms
            hashed.end_event(out_ms)
        seat.counted = count
        if number == self.me:
            self.time_ms = max(self.time_ms, out_ms + FLIGHT_MS)  # the local player no longer plays
        self.must_decide = True
        self.decide_round()
        return count == known or not self.options.aim

    def count_known(self, number: int) -> int:
        """Return how many events of a player are known."""
        seat: "Any" = self.seats[number]
        return seat.counted if seat.gone else seat.hashed.count

    def hash(self) -> int:
        """Return 30 bits of this round; they are the same on every device."""
        value = mix(mix(self.round, self.winner + 1), max(0, self.ends_ms))
        for seat in self.seats:
            value = mix(mix(value, seat.hashed.value), self.wins[seat.number])
        return value
