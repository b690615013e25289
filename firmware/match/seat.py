"""Apply the rules of a match to one player, as the mode of that player's game (Guideline B1.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.controls import PAUSE
from firmware.engine.matrix import WIDTH
from firmware.engine.mode import Mode
from firmware.match.attack import count_lines
from firmware.match.flight import Flight
from firmware.match.options import DOUBLED, HALVED, PERSON

if TYPE_CHECKING:
    from firmware.contracts import Any, Game, Match

NOT_YET = const(-1)  # the time of an event that has not happened

_SOLID = const(10)  # as the gap of a line: the line has no gap
_LAST_LEVEL = const(15)


def read_moment(game: "Game") -> int:
    """Return the match time of an event that happens in `game` now, rounded up to whole ms."""
    return game.time_ms + 1 if game.time_us else game.time_ms


class Seat(Mode):
    """Hold a match's data of one player.

    contest: the match. number, team: of the player. game: the player's game in this round. practice: a game to practise
    with after the player is out, or None. coming: attacks on their way. queued: lines in the Receiving Queue. rising:
    how many of them rise in the Completion Phase of the last Lock Down. out_ms: when the player went out, or NOT_YET.
    mark: the number of the player with the Target Mark (B1.1.2). sent, countered, received: lines of this round that
    were sent, were cancelled, and rose. happened: event bits of both games, until a reader clears them. half: 1 if half
    a line waits for another. gap, gap_left: where the next lines have their gap, and how many of them. practice_ms:
    when the last practice began. practised: how many have begun in this round.
    """

    def __init__(self, match: "Match", number: int) -> None:
        self.contest = match
        self.number = number
        self.team = match.options.team(number)
        self.coming = Flight()
        self.queued = self.rising = self.sent = self.countered = self.received = 0
        self.half = self.gap = self.gap_left = self.happened = self.practice_ms = self.practised = 0
        self.out_ms = NOT_YET
        self.mark = number
        self.practice: "Any" = None
        if match.games:  # `clear_seats` says why an object is used again
            self.game = match.games.pop(0)
            match.rules.__init__(self.game, match.seed, match.choices[number], self)
        else:
            self.game = match.rules(match.seed, match.choices[number], self)

    # -- called by the match -------------------------------------------------------------------

    def ensure_practice(self) -> bool:
        """Begin the practice of a knocked-out person if it is due; return whether there is one (Guideline B1.2.3)."""
        if not self.practice and self.contest.options.level_of(self.number) == PERSON:
            if self.contest.goes_on(self.out_ms):
                self.begin_practice(self.out_ms)
        return self.practice is not None

    def input(self, button: int, pressed: int, t_ms: int) -> None:
        """Take an edge of a control at `t_ms`; PAUSE moves the Target Mark."""
        if button == PAUSE:
            if pressed:
                self.contest.move_mark(self, t_ms)
        else:
            self.happened |= (self.practice or self.game).input(button, pressed, t_ms)

    def begin_practice(self, t_ms: int) -> None:
        """Begin a practice game at `t_ms`; it does not affect the match."""
        self.practised += 1
        self.practice_ms = t_ms
        seed = self.contest.seed + self.practised
        options = self.contest.choices[self.number]
        if not self.practice and self.contest.games:
            self.practice = self.contest.games.pop()
        rules = self.contest.rules
        if self.practice:
            rules.__init__(self.practice, seed, options)
        else:
            self.practice = rules(seed, options)
        self.practice.level = self.game.level
        self.practice.start(t_ms)

    def arrive(self, now_ms: int) -> None:
        """Move lines that arrive until `now_ms` into the Receiving Queue (Guideline B1.3.3)."""
        self.queued += self.coming.land(now_ms)

    # -- the mode of the game --------------------------------------------------------------------

    def begin(self, game: "Game") -> None:
        """Put the Starting Lines into the Matrix (Guideline B1.1.2); Broken Lines have random gaps."""
        options = self.contest.options
        for _ in range(options.starting):
            game.matrix.raise_row(_SOLID if options.starting_solid else game.garbage.below(WIDTH))

    def iterate(self, game: "Game") -> None:
        """Attack: first cancel the own queue, then send to others (Guideline B1.3.4).

        The rest of the queue rises when this turn is complete; later arrivals wait for the next.
        """
        self.arrive(game.time_ms)
        modern = self.contest.modern
        lines = 0
        if game.hit_count and not self.contest.options.aim:
            chained = game.action & events.BACK_TO_BACK and game.chain
            if modern:
                lines = modern.count(game, game.spun, game.hit_count, chained)
            else:
                lines = count_lines(self.contest.attacks, game.spun, game.hit_count, chained)
        countered = min(lines, self.queued)
        if countered:
            self.queued -= countered
            self.countered += countered
            game.action |= events.COUNTERED
        self.rising = self.queued
        if modern:
            modern.receive(self, game.hit_count)
        lines = self.weigh(lines - countered)
        if lines:
            self.sent += lines
            game.action |= events.SENT
            self.contest.attack(self, read_moment(game), lines)

    def weigh(self, lines: int) -> int:
        """Return `lines` after the handicap; a half line waits for another half."""
        handicap = self.contest.options.handicap(self.number)
        if handicap == DOUBLED:
            return 2 * lines
        if handicap == HALVED:
            lines += self.half
            self.half = lines & 1
            return lines >> 1
        return lines

    def complete(self, game: "Game") -> None:
        """Raise lines one by one until a Top Out; raise the level when its time has come (B1.2.1, 10)."""
        options = self.contest.options
        if options.aim and game.cleared:
            self.contest.clear(self, read_moment(game), game.cleared)
        while self.rising:
            self.rising -= 1
            self.queued -= 1
            self.received += 1
            if not game.receive(1, self.next_gap(game)):
                return
        if options.quicken_s:
            level = min(_LAST_LEVEL, game.options.level + game.time_ms // (1000 * options.quicken_s))
            if level > game.level:
                game.level = level
                game.events |= events.LEVEL_UP

    def next_gap(self, game: "Game") -> int:
        """Return the next line's gap, 0..9: the same for eight lines, then another; or 10 for Solid Lines (B1.3.2).

        Every Matrix of a match gets the same sequence of gaps (B1.3.1).
        """
        if self.contest.options.solid:
            return _SOLID
        if not self.gap_left:
            self.gap_left = self.contest.gap_lines
            if self.received > 1:  # another gap than that of the line before
                self.gap = (self.gap + 1 + game.garbage.below(WIDTH - 1)) % WIDTH
            else:
                self.gap = game.garbage.below(WIDTH)
        self.gap_left -= 1
        return self.gap

    def end(self, game: "Game") -> None:
        """Mark this player as out."""
        self.out_ms = read_moment(game)
        self.contest.must_decide = True
