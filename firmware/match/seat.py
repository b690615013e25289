"""Take part in a match: one player's side, and the mode of the game that is played there (Guideline B1.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.controls import PAUSE
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.match.attack import count_lines
from firmware.match.flight import Flight
from firmware.match.options import DOUBLED, HALVED, PERSON

if TYPE_CHECKING:
    from typing import Any

# More event bits of a game.
SENT = const(1 << 23)
COUNTERED = const(1 << 24)

IN = const(-1)  # stands for the moment when somebody went out who did not

_WIDTH = const(10)
_SOLID = const(10)  # the gap of a line that has none
_GAP_LINES = const(8)
_LAST_LEVEL = const(15)


def read_moment(game) -> int:
    """Return the moment of a match, in whole ms, at which something in `game` counts that happens now."""
    return game.time_ms + 1 if game.time_us else game.time_ms


class Seat(Mode):
    """What a match knows of one player.

    shared: the match.  number, team: of the player.  game: what is played for the match; once its player is out,
        `practice` is what a person plays until the others are done.
    coming: attacks on their way.  queued: lines in the Receiving Queue, of which the last Lock Down let `rising`
    loose: they rise in its Completion Phase.
    out_ms: the moment its player went out, or IN.  mark: the number that the Target Mark is on (B1.1.2).
    sent, countered, received: lines of this round that went to others, came off the queue, and rose.
    happened: event bits of all games played here, for whoever takes them.
    """

    def __init__(self, match, number: int) -> None:
        self.shared = match
        self.number = number
        self.team = match.options.team(number)
        self.coming = Flight()
        self.queued = self.rising = 0
        self.out_ms = IN
        self.mark = number
        self.sent = self.countered = self.received = 0
        self.half = 0
        self.gap = 0
        self.gap_left = 0
        self.happened = 0
        self.practice: "Any" = None
        self.practice_ms = 0
        self.practised = 0
        self.game = Game(match.seed, match.choices[number], self)
        self.game.start(0)

    # -- what the match asks for ---------------------------------------------------------------

    def practises(self) -> bool:
        """Return whether its player, who is out and must wait, plays on for oneself (Guideline B1.2.3)."""
        if not self.practice and self.shared.options.level_of(self.number) == PERSON:
            if self.shared.goes_on(self.out_ms):
                self.begin_practice(self.out_ms)
        return self.practice is not None

    def input(self, button: int, pressed: int, t_ms: int) -> None:
        """Take an edge of a control now, at `t_ms`, or where a game of one has PAUSE, of what moves the Target Mark."""
        if button == PAUSE:
            if pressed:
                self.shared.move_mark(self, t_ms)
        else:
            self.happened |= (self.practice or self.game).input(button, pressed, t_ms)

    def begin_practice(self, t_ms: int) -> None:
        """Begin a game that nothing depends on, at the moment `t_ms`."""
        self.practised += 1
        self.practice_ms = t_ms
        self.practice = Game(self.shared.seed + self.practised, self.shared.choices[self.number])
        self.practice.level = self.game.level
        self.practice.start(t_ms)

    def arrive(self, now_ms: int) -> None:
        """Let what arrives until `now_ms` into the Receiving Queue (Guideline B1.3.3)."""
        self.queued += self.coming.land(now_ms)

    # -- the mode of the game --------------------------------------------------------------------

    def begin(self, game) -> None:
        """Put the Starting Lines into the Matrix (Guideline B1.1.2); Broken ones have their gaps anywhere."""
        options = self.shared.options
        for _ in range(options.starting):
            game.matrix.raise_row(_SOLID if options.starting_solid else game.garbage.below(_WIDTH))

    def iterate(self, game) -> None:
        """Attack: first what waits in the own queue, then the others (Guideline B1.3.4).

        What is left in the queue rises when this turn is complete; what arrives until then waits for the next.
        """
        self.arrive(game.time_ms)
        lines = 0
        if game.hit_count and not self.shared.options.aim:
            lines = count_lines(game.spun, game.hit_count, game.action & events.BACK_TO_BACK)
        countered = min(lines, self.queued)
        if countered:
            self.queued -= countered
            self.countered += countered
            game.action |= COUNTERED
        self.rising = self.queued
        lines = self.weigh(lines - countered)
        if lines:
            self.sent += lines
            game.action |= SENT
            self.shared.attack(self, read_moment(game), lines)

    def weigh(self, lines: int) -> int:
        """Return what a handicap makes of `lines`; a half line waits for another half."""
        handicap = self.shared.options.handicap(self.number)
        if handicap == DOUBLED:
            return 2 * lines
        if handicap == HALVED:
            lines += self.half
            self.half = lines & 1
            return lines >> 1
        return lines

    def complete(self, game) -> None:
        """Let lines rise, one after the other until one tops out, and let time make the game quicker (B1.2.1, 10)."""
        options = self.shared.options
        if options.aim and game.cleared:
            self.shared.clear(self, read_moment(game), game.cleared)
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

    def next_gap(self, game) -> int:
        """Return the column of the next line's gap: the same for eight lines that rise here, then another (B1.3.2).

        Every Matrix of a match has the same row of gaps, so all get identical lines (B1.3.1).
        """
        if self.shared.options.solid:
            return _SOLID
        if not self.gap_left:
            self.gap_left = _GAP_LINES
            if self.received > 1:
                self.gap = (self.gap + 1 + game.garbage.below(_WIDTH - 1)) % _WIDTH
            else:
                self.gap = game.garbage.below(_WIDTH)
        self.gap_left -= 1
        return self.gap

    def end(self, game) -> None:
        """Be out."""
        self.out_ms = read_moment(game)
        self.shared.shaken = True
