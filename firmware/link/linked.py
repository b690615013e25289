"""Play a match of which only one game is computed here; replay the reported events of the others."""

from firmware.compat import TYPE_CHECKING, const
from firmware.link.events import GUILTY, EventQueue, mix
from firmware.link.players import FarSeat, OwnSeat
from firmware.match.flight import FLIGHT_MS
from firmware.match.match import NOBODY, Match
from firmware.match.seat import IN, read_moment

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Blob, MatchOptions
    from firmware.engine.options import Options

_ALL_MS = const(1 << 28)  # everything is known of a gone player


class LinkedMatch(Match):
    """Play the game of player `me` here, and follow the others.

    events: own events to report. reached: a bit for each player whom lines were sent last. guilty: a bit for each
    player who is out for lying, and so wins nothing. parted: whether a player left since the round began, so that the
    targets of that player's last lines are unknown. taken: whether lines were countered or rose elsewhere since the
    senders were last checked.
    """

    seats: "list[Any]"  # own and far ones: each asks for what only one kind has

    def __init__(self, seed: int, options: "MatchOptions", choices: "list[Options]", me: int) -> None:
        self.me = me
        self.events = EventQueue()
        self.reached = 0
        Match.__init__(self, seed, options, choices)

    def set_up(self, number: int) -> None:
        """Seat everybody for round `number`."""
        Match.set_up(self, number)
        self.events.used = 0
        self.guilty = 0
        self.parted = self.taken = False
        for seat in self.seats:
            mark = seat.mark
            i = seat.number
            self.seats[i] = OwnSeat(self, i) if i == self.me else FarSeat(self, i)
            self.seats[i].mark = mark

    def advance(self, t_ms: int) -> None:
        """Advance the own game; at the end of the round wait until all is known."""
        mine = self.seats[self.me]
        while self.time_ms < t_ms and not self.over:
            step_ms = min(t_ms, self.time_ms + FLIGHT_MS)
            if self.ends_ms != IN:
                if self.time_ms >= self.ends_ms:
                    break
                step_ms = min(step_ms, self.ends_ms)
            if mine.out_ms == IN:
                mine.happened |= mine.game.advance(step_ms)
            if mine.out_ms != IN and mine.practises():
                while True:
                    mine.happened |= mine.practice.advance(step_ms)
                    if not mine.practice.over:
                        break
                    mine.begin_practice(mine.practice_ms + read_moment(mine.practice))
            self.time_ms = step_ms
            mine.look()
            self.judge()

    def input(self, number: int, button: int, pressed: int, t_ms: int) -> None:
        """Take one edge of the local player at `t_ms`; ignore it after the end of the round."""
        self.advance(t_ms)
        if self.ends_ms == IN or self.time_ms < self.ends_ms:
            self.seats[number].input(button, pressed, self.time_ms)
            self.judge()

    def read_known_ms(self) -> int:
        """Return the moment until which the own game is final: an edge of now may still come."""
        return self.time_ms if self.ends_ms != IN and self.time_ms >= self.ends_ms else self.time_ms - 1

    def take(self, number: int, event: "Blob", at: int) -> bool:
        """Apply an event of another player; return False if it is impossible."""
        sound = self.seats[number].take(event, at)
        self.judge()
        return sound

    def find_greedy(self) -> int:
        """Return the number of a player who countered or raised more lines than were ever sent there, or -1."""
        settled_ms = self.find_settled()
        self.taken = False
        for seat in self.seats:
            if seat.number != self.me and not self.parted and seat.countered + seat.received > seat.coming.sent:
                if seat.game.time_ms <= settled_ms:
                    return seat.number
                self.taken = True  # news of the senders may be on their way
        return NOBODY

    def carry(self, sender: int, mask: int, due_ms: int, lines: int) -> None:
        """Send lines of another player to the players of a mask."""
        for seat in self.seats:
            if mask >> seat.number & 1 and seat.number != sender:
                if seat.number == self.me:
                    self.seats[self.me].enter(sender, due_ms, lines)
                else:
                    seat.coming.send(due_ms, lines)

    def find_settled(self) -> int:
        """Return the moment until which everything is known of everybody."""
        settled_ms = self.read_known_ms()
        for seat in self.seats:
            if seat.number != self.me and seat.known_ms < settled_ms:
                settled_ms = seat.known_ms
        return settled_ms

    def judge(self) -> None:
        """Decide the round, and end it when nothing can change the result."""
        if self.over:
            return
        if self.shaken:
            self.shaken = False
            if not (self.options.aim and self.judge_lines()):
                self.judge_players()
        if self.ends_ms == IN and not self.options.aim:
            return
        settled_ms = self.find_settled()
        if self.options.aim:
            for team in range(self.options.count_teams()):
                self.gathered[team] += self.gathering[team].land(settled_ms)
        if self.ends_ms != IN and settled_ms >= self.ends_ms:
            self.over = True
            honest = not self.guilty
            for seat in self.seats:
                seat.chronicle.cut_after(self.ends_ms)
                honest = honest or seat.team == self.winner and not self.guilty >> seat.number & 1
            if not honest:
                self.winner = NOBODY
            if self.winner != NOBODY:
                self.wins[self.winner] += 1

    def lose(self, number: int, count: int, out_ms: int) -> bool:
        """Put out at `out_ms` a player who is away or has left. The first `count` events count; GUILTY is added for a
        liar.

        Call it again when another count holds. Return False if events unknown to others cannot be undone.
        """
        seat: "Any" = self.seats[number]
        was_gone = seat.gone
        seat.gone = True
        seat.known_ms = _ALL_MS
        if self.over:
            return True
        self.guilty |= count // GUILTY << number
        count %= GUILTY
        chronicle = seat.chronicle
        known = chronicle.count
        self.parted = self.parted or known > 0
        was_out = seat.out_ms != IN
        if was_gone:
            was_out = known == seat.counted  # by itself: being gone is no event
            known = seat.counted
        if count > known:
            return False
        chronicle.cut(count)
        if not was_out or count < known:
            seat.out_ms = out_ms
            chronicle.close(out_ms)
        seat.counted = count
        if number == self.me:
            self.time_ms = max(self.time_ms, out_ms + FLIGHT_MS)  # nobody plays here any more
        self.shaken = True
        self.judge()
        return count == known or not self.options.aim

    def hash(self) -> int:
        """Return 30 bits that are the same wherever this round is."""
        value = mix(mix(self.round, self.winner + 1), max(0, self.ends_ms))
        for seat in self.seats:
            value = mix(mix(value, seat.chronicle.value), self.wins[seat.number])
        return value
