"""Let two to four players play against each other or in co-op, round after round (Guideline B1.2)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import Game
from firmware.engine.randomizer import SEEDS, Random
from firmware.match.flight import FLIGHT_MS, Flight
from firmware.match.options import AT_RANDOM, EVERYBODY
from firmware.match.seat import NOT_YET, Seat, read_moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import Any, MatchOptions
    from firmware.engine.options import Options

NOBODY = const(-1)

_STRIDE = const(0x2545F49)  # added to the seed for each round
_TARGET_SEED = const(0x1D872B4)  # a separate sequence: targets must not change the order of the Tetriminos


class Match:
    """Run all players' games under one clock; the same seed, options and edges give the same match anywhere.

    choices: the Options of each player's games; their `level` is the starting level. seats: one for each player.
    time_ms: the clock of this round, from 0. round: counts from 0. ends_ms: when this round ends, or NOT_YET while
    undecided. over: whether it has ended. winner: the team that won the round, or NOBODY. wins: rounds won by each
    team. gathered: lines cleared by each team that all players know of (B1.2.2). games: Game objects of the last round
    and of Practice, to use again. attacks: the table that counts lines sent (attack.py). modern: None, or by
    MODERN or CUSTOM rules an object of combos.py. rules: the class of the games.
    """

    attacks: "Sequence[int]"
    modern: "Any" = None
    gap_lines = 8  # that have one gap, before it moves (B1.3.2)
    rules: "Any" = Game

    def __init__(self, seed: int, options: "MatchOptions", choices: "list[Options]") -> None:
        """Begin the first round; raise ValueError with one line if an option is out of range."""
        # Imported late: in play all options are in range, and the table of attacks is read.
        from firmware.match import fields, tables

        fields.check(options)
        for choice in choices:
            choice.check()
        self.first_seed = seed
        self.options = options
        self.choices = choices
        tables.set_up(self)
        self.wins = bytearray(options.players)
        self.seats: list[Seat] = []
        self.games: list[Game] = []
        self.set_up(0)
        for seat in self.seats:
            seat.happened = seat.game.advance(0)
        if options.players > 2 or options.aim:  # a player who is out may practise
            spare: "Any" = self.rules(seed, choices[0])
            spare.matrix = None  # saves 2 KB until Practice makes a new one
            self.games.append(spare)

    def begin_round(self, number: int) -> None:
        self.set_up(number)
        for seat in self.seats:  # not done in set_up: a board's stack has no room for deeper calls
            seat.happened = seat.game.advance(0)

    def set_up(self, number: int) -> None:
        """Seat everybody for round `number`."""
        self.round = number
        self.seed = self.first_seed + number * _STRIDE & SEEDS - 1
        self.time_ms = 0
        self.ends_ms = NOT_YET
        self.over = self.must_decide = False
        self.winner = NOBODY
        players = self.options.players
        self.randoms = [Random(self.seed ^ _TARGET_SEED + i) for i in range(players)]
        self.gathered = [0] * players
        # Without an aim nothing is gathered, so all share one Flight.
        nothing = Flight()
        self.gathering = [Flight() if self.options.aim else nothing for _ in range(players)]
        self.clear_seats()
        for i in range(players):
            self.seats.append(self.find_kind(i)(self, i))
        for seat in self.seats:
            seat.mark = self.follow(seat, seat.number, 0)

    def clear_seats(self) -> None:
        """Free the last round: 4 KB for each game on a board.

        Keep its Game objects: the heap may have no free blocks large enough for new ones.
        """
        self.games[:0] = [seat.game for seat in self.seats]
        self.games += [seat.practice for seat in self.seats if seat.practice]
        for game in self.games:
            game.matrix = game.mode = None  # type: ignore[assignment]  # until the next round
        self.seats = []

    def find_kind(self, number: int) -> "type[Seat]":
        """Return the class of a player's seat."""
        return Seat

    # -- time ------------------------------------------------------------------------------------

    def advance(self, t_ms: int) -> None:
        """Advance all games until the clock shows `t_ms` or the round has ended."""
        while self.time_ms < t_ms and not self.over:
            # Nothing reaches another player sooner than FLIGHT_MS, so advance each game by at most that.
            step_ms = min(t_ms, self.time_ms + FLIGHT_MS)
            if self.ends_ms != NOT_YET:
                step_ms = min(step_ms, self.ends_ms)
            for seat in self.seats:
                # Not through a method of the seat: a board's stack has no room for deeper calls.
                if seat.out_ms == NOT_YET:
                    seat.happened |= seat.game.advance(step_ms)
            for seat in self.seats:  # only now every player's end is known
                if seat.out_ms != NOT_YET and seat.ensure_practice():
                    while True:
                        seat.happened |= seat.practice.advance(step_ms)
                        if not seat.practice.over:
                            break
                        seat.begin_practice(seat.practice_ms + read_moment(seat.practice))
            self.time_ms = step_ms
            self.decide_round()

    def input(self, number: int, button: int, pressed: int, t_ms: int) -> None:
        """Take one edge of player `number` at `t_ms`; PAUSE is the Target Mark's control."""
        self.advance(t_ms)
        if not self.over:
            self.seats[number].input(button, pressed, self.time_ms)
            self.decide_round()

    # -- attacks and lines -----------------------------------------------------------------------

    def opposes(self, seat: "Seat", other: "Seat", now_ms: int) -> bool:
        """Return whether `seat` may attack `other`, an opponent in play or out for less than FLIGHT_MS."""
        return seat.team != other.team and (other.out_ms == NOT_YET or other.out_ms + FLIGHT_MS > now_ms)

    def attack(self, seat: "Seat", now_ms: int, lines: int) -> None:
        """Send lines to the targets of the options: everybody, one at random, or the marked one (B1.1.2)."""
        due_ms = now_ms + FLIGHT_MS
        target = self.options.target
        if target == EVERYBODY:
            for other in self.seats:
                if self.opposes(seat, other, now_ms):
                    other.coming.send(due_ms, lines)
            return
        if not self.opposes(seat, self.seats[seat.mark], now_ms):
            seat.mark = self.follow(seat, seat.mark, now_ms)
            if seat.mark == seat.number:
                return  # no opponent is left
        if target == AT_RANDOM:
            opponents = 0
            for other in self.seats:
                opponents += self.opposes(seat, other, now_ms)
            for _ in range(self.randoms[seat.number].below(opponents)):
                seat.mark = self.follow(seat, seat.mark, now_ms)
        self.seats[seat.mark].coming.send(due_ms, lines)

    def move_mark(self, seat: "Seat", now_ms: int) -> None:
        """Move the Target Mark of a player to the next opponent."""
        seat.mark = self.follow(seat, seat.mark, now_ms)

    def follow(self, seat: "Seat", number: int, now_ms: int) -> int:
        """Return the number of the next opponent after player `number`, or that of `seat` if there is none."""
        for _ in self.seats:
            number = (number + 1) % len(self.seats)
            if self.opposes(seat, self.seats[number], now_ms):
                return number
        return seat.number

    def clear(self, seat: "Seat", now_ms: int, lines: int) -> None:
        """Add lines cleared for a team; all players know of them after FLIGHT_MS (Guideline B1.2.2)."""
        self.gathering[seat.team].send(now_ms + FLIGHT_MS, lines)
        self.must_decide = True

    # -- results ---------------------------------------------------------------------------------

    def decide_round(self) -> None:
        """Decide the round if something changed; it ends FLIGHT_MS after the decision.

        More events of the same moment may change the decision.
        """
        if self.must_decide:
            self.must_decide = False
            if not (self.options.aim and self.decide_race()):
                self.decide_survivors()
        if self.options.aim:
            for team in range(self.options.count_teams()):
                self.gathered[team] += self.gathering[team].land(self.time_ms)
        if self.time_ms == self.ends_ms:
            self.over = True
            if self.winner != NOBODY:
                self.wins[self.winner] += 1

    def decide_race(self) -> bool:
        """Return whether a team has cleared the co-op goal; the first one wins (Guideline B1.2.2)."""
        found = False
        for team in range(self.options.count_teams()):
            due_ms = self.gathering[team].find_due(self.options.aim - self.gathered[team])
            if due_ms != NOT_YET:
                self.winner = NOBODY if found and due_ms == self.ends_ms else self.winner
                if not found or due_ms < self.ends_ms:
                    self.ends_ms = due_ms
                    self.winner = team
                found = True
        return found

    def decide_survivors(self) -> None:
        """Check whether only one team is left, or in co-op none (Guideline B1.2.1)."""
        standing = 0
        winner = latest = NOBODY
        last_ms = before_ms = NOT_YET
        for team in range(self.options.count_teams()):
            fall_ms = self.find_fall(team)
            if fall_ms == NOT_YET:
                standing += 1
                winner = team
            elif fall_ms > last_ms:
                before_ms = last_ms
                last_ms = fall_ms
                latest = team
            elif fall_ms > before_ms:
                before_ms = fall_ms
        if self.options.aim:
            if not standing:
                self.ends_ms = last_ms + FLIGHT_MS
        elif standing < 2:
            if not standing:
                winner = latest if last_ms > before_ms else NOBODY
                last_ms = before_ms
            self.ends_ms = last_ms + FLIGHT_MS
            self.winner = winner

    def find_fall(self, team: int) -> int:
        """Return when the last player of a team went out, or NOT_YET if one still plays."""
        fall_ms = NOT_YET
        for seat in self.seats:
            if seat.team == team:
                if seat.out_ms == NOT_YET:
                    return NOT_YET
                fall_ms = max(fall_ms, seat.out_ms)
        return fall_ms

    def goes_on(self, now_ms: int) -> bool:
        """Return whether the round continues after a player went out at `now_ms`."""
        standing = 0
        for team in range(self.options.count_teams()):
            fall_ms = self.find_fall(team)
            standing += fall_ms == NOT_YET or fall_ms > now_ms
        return standing > 1 or standing > 0 and self.options.aim > 0

    def is_decided(self) -> bool:
        """Return whether the match is over: a team has enough wins, or the only round is over."""
        options = self.options
        return self.over if options.aim else max(self.wins) >= options.wins
