"""Play a game at one of five levels."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import HOLD
from firmware.engine.randomizer import Random
from firmware.players.beam import Beam
from firmware.players.features import ANY_HOLES
from firmware.players.opening import HELD
from firmware.players.planner import PressPlanner

if TYPE_CHECKING:
    from firmware.contracts import Game

IDLE = const(-1)  # instead of an edge's time if no edge is planned

# From a decision to its first press: frames up to this length change nothing.
NERVE_MS = const(50)
# Thought of a moment, a sixtieth of a second: at most 4 ms on a board, see test_players_thought.py.
UNITS = const(40)
_NONE = const(-1)
_PLENTY = const(1 << 20)
_ACT_COST = const(40)  # to notice, decide or commit
_MOST_LATE = const(4)  # moments
_MOMENT_COST = const(3)  # taken from the pool even if there is nothing to do

_WATCH = const(0)
_DECIDE = const(1)
_COMMIT = const(2)
_THINK = const(3)
_HOLD = const(4)


class Player:
    """Watch a Game and plan its edges.

    After each `advance` of the game call `look`; before the next `advance` give the game every edge that is due, as
    alone.pass_time does.

    due_ms: the game time of the next edge, or IDLE. button, pressed: that edge. units, most_width: limits for several
    players on a board: thought of a sixtieth of a second, and number of places kept.
    """

    def __init__(self, level: int, seed: int = 1, units: int = UNITS, most_width: int = 255) -> None:
        # Imported here: play itself needs no names.
        from firmware.players import levels

        row = levels.TABLE[level - 1]
        self.level = level
        self.reaction_ms = row[levels.REACTION_MS]
        self.sight = row[levels.SIGHT]
        self.slips = row[levels.SLIPS]
        self.beam = beam = Beam(min(most_width, row[levels.WIDTH]))
        beam.uses_hold = row[levels.HOLDS] > 0
        beam.slides = row[levels.SLIDES] > 0
        beam.spins = row[levels.SPINS] > 0
        self.holds_first = beam.uses_hold
        self.hands = PressPlanner(row[levels.PACE_MS])
        self.random = Random(seed)
        self.units = units

    def watch(self, game: "Game") -> None:
        """Begin to play a game in any state."""
        self.game = game
        self.number = self.place = _NONE
        self.stage = _WATCH
        self.piece = self.hold = 0
        self.left = 0  # units still to spend; below 0 if a thought took too many
        self.moment = game.time_ms * 3 // 50
        self.begun_ms = 0
        self.hands.count = 0
        self.given = 0
        self.button = self.pressed = 0
        self.due_ms = IDLE

    def look(self, pool: int = _PLENTY) -> int:
        """Think once for each sixtieth of a second since the last call; return the rest of `pool`.

        pool: the available units. Thought beyond them waits, but at most _MOST_LATE moments.
        """
        game = self.game
        if game.over:
            self.due_ms = IDLE
            return pool
        beam = self.beam
        latest = game.time_ms * 3 // 50
        if self.moment < latest - _MOST_LATE:
            self.moment = latest - _MOST_LATE
        while pool > 0 and (self.moment + 1) * 50 // 3 <= game.time_ms:
            cost = self.live((self.moment + 1) * 50 // 3, pool)
            if cost < 0:
                break
            self.moment += 1
            pool -= cost + _MOMENT_COST
            if self.left > 0:
                units = min(self.left, pool)
                left = beam.think(units)
                pool += left - units
                # A thought that took too long shortens the next one.
                self.left = 0 if beam.idle else min(self.left + left - units, _MOST_LATE * self.units)
        return pool

    def live(self, t_ms: int, pool: int) -> int:
        """Take one step: notice a Tetrimino, choose a place, commit to it, or add units for thought.

        Return the cost, or -1 if `pool` does not suffice.
        """
        game = self.game
        entered = game.lock_downs != self.number and game.piece and game.entered_ms <= t_ms
        if self.stage == _HOLD and t_ms < self.begun_ms + self.hands.time_ms:
            return 0
        if not entered and self.stage != _COMMIT and not self.is_due(game, t_ms):
            self.left += self.units
            return 0
        if pool < _ACT_COST:
            return _NONE
        if entered:
            if self.holds_first and not (game.hold or game.held) and game.options.hold_on:
                self.hold_first(game, t_ms)
            else:
                self.notice(game)
        elif self.stage == _DECIDE:
            self.decide(game, t_ms)
        else:
            self.stage = _THINK
            self.beam.commit(self.number, self.place)
        return _ACT_COST

    def hold_first(self, game: "Game", t_ms: int) -> None:
        """Hold the first Tetrimino, so that from then on each one can be played now or later."""
        hands = self.hands
        hands.begin()
        hands.press(HOLD)
        self.stage = _HOLD
        self.begun_ms = max(t_ms + NERVE_MS, game.entered_ms + self.reaction_ms)
        self.given = 0
        self.prepare()

    def is_due(self, game: "Game", t_ms: int) -> bool:
        """Return whether it is time to decide, no plan is running, and enough is known."""
        return (
            self.stage == _DECIDE
            and t_ms >= game.entered_ms + self.reaction_ms
            and self.due_ms == IDLE
            and self.beam.is_ready(self.number)
        )

    def notice(self, game: "Game") -> None:
        """Read the Tetrimino that has just come into play, and the changed Matrix."""
        beam = self.beam
        number = game.lock_downs
        if self.due_ms != IDLE:
            # The Tetrimino before has locked down without our Hard Drop.
            self.given -= 1
            self.hands.give_up(self.given)
            self.prepare()
        fresh = self.place < 0 or number != self.number + 1 or game.hold != self.hold
        self.number = number
        beam.queue[number & 7] = game.piece
        sight = min(self.sight, game.options.next_count)
        for i in range(sight):
            if not game.next[i]:
                sight = i
                break
            beam.queue[number + 1 + i & 7] = game.next[i]
        beam.known = number + 1 + sight
        beam.barred = number if game.held or not game.options.hold_on else _NONE
        if fresh or not beam.follow(game.matrix, self.place) or not beam.has_any():
            self.begin(game)
        beam.limit_holes()
        self.place = _NONE
        self.piece = game.piece
        self.hold = game.hold
        self.stage = _DECIDE

    def decide(self, game: "Game", t_ms: int) -> None:
        """Choose a place and plan its presses; if that is impossible, choose again later."""
        beam = self.beam
        hands = self.hands
        place = beam.choose(self.number)
        if place < 0:
            if self.try_anything(game):
                return
            hands.drop()
            self.stage = _THINK
        else:
            if self.slips and self.random.below(256) < self.slips:
                place = self.slip(place)
            if not hands.plan(game, place):
                beam.sift(self.number, place, False)
                return
            self.expect(place)
        self.place = place
        self.begun_ms = t_ms + NERVE_MS
        self.given = 0
        self.prepare()

    def try_anything(self, game: "Game") -> bool:
        """Restart with any number of holes allowed; return False if that was done before."""
        if self.beam.most_holes == ANY_HOLES:
            return False
        self.beam.most_holes = ANY_HOLES
        self.begin(game)
        return True

    def expect(self, place: int) -> None:
        """Expect that a place will be played: commit to it next."""
        self.place = place
        if place & HELD:
            self.hold = self.piece
        self.stage = _COMMIT

    def begin(self, game: "Game") -> None:
        beam = self.beam
        beam.root.see(game.matrix)
        combo = game.statistics.combo + 1 if beam.modern else 0
        beam.begin(self.number, game.hold, (game.chain > 0) | combo << 1)

    def slip(self, place: int) -> int:
        """Return a place one column to the side, by mistake."""
        x = (place >> 5 & 15) + (1 if self.random.below(2) else -1)
        if place >> 14 & 7 or not 0 <= x <= 6:
            return place
        return place & ~(15 << 5) | x << 5

    def prepare(self) -> None:
        """Set the next edge of the plan."""
        hands = self.hands
        i = self.given
        if i == hands.count:
            self.due_ms = IDLE
            return
        self.given = i + 1
        self.due_ms = self.begun_ms + hands.moments_ms[i]
        self.button = hands.edges[i] >> 1
        self.pressed = hands.edges[i] & 1
