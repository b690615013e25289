"""Play a game as one of five levels."""

from firmware.compat import const, ticks_add
from firmware.engine.randomizer import Random
from firmware.players import levels
from firmware.players.beam import Beam
from firmware.players.hands import Hands
from firmware.players.opening import HELD

IDLE = const(-1)  # stands for the moment of an edge where none is planned

# From a thought to its first press: frames may take this long and change nothing.
NERVE_MS = const(50)
# Thought of a moment; there are sixty a second. So much takes at most 4 ms on a board: tests/test_players_thought.py.
UNITS = const(64)

_NONE = const(-1)

_ANY_HOLES = const(40)
_MORE_HOLES = const(3)
_HIGH = const(9)

_WATCH = const(0)
_DECIDE = const(1)
_COMMIT = const(2)
_THINK = const(3)


class Player:
    """Watch a Game and say which edges to give it: after each `advance` of the game call `look`, before the next one
    give it whatever is due; or call `play`.

    due_ms: the moment, by the game's time_ms, of the next edge, or IDLE.  button, pressed: that edge.
    units, most_width: thought a sixtieth of a second and how many places it may keep in mind, for whoever lets several
        play.
    """

    def __init__(self, level: int, seed: int = 1, units: int = UNITS, most_width: int = 255) -> None:
        row = levels.TABLE[level - 1]
        self.level = level
        self.reaction_ms = row[levels.REACTION_MS]
        self.sight = row[levels.SIGHT]
        self.slips = row[levels.SLIPS]
        self.beam = beam = Beam(min(most_width, row[levels.WIDTH]))
        beam.uses_hold = row[levels.HOLDS] > 0
        beam.slides = row[levels.SLIDES] > 0
        beam.spins = row[levels.SPINS] > 0
        self.hands = Hands(row[levels.PACE_MS])
        self.random = Random(seed)
        self.units = units

    def watch(self, game) -> None:
        """Begin to play a game, wherever it stands."""
        self.game = game
        self.number = self.place = _NONE
        self.stage = _WATCH
        self.piece = self.hold = 0
        self.left = 0
        self.moment = game.time_ms * 3 // 50
        self.begun_ms = 0
        self.hands.count = 0
        self.given = 0
        self.button = self.pressed = 0
        self.due_ms = IDLE

    def play(self, t_ms: int) -> int:
        """Let time pass in a game that one plays alone until its time is `t_ms`, with all edges and thought.

        Return the event bits on the way.
        """
        game = self.game
        happened = 0
        while game.time_ms < t_ms and not game.over:
            step_ms = min(t_ms, game.time_ms + NERVE_MS)
            while IDLE != self.due_ms <= step_ms:
                due_ms = ticks_add(game.now_ms, self.due_ms - game.time_ms)
                happened |= game.input(self.button, self.pressed, due_ms)
                self.prepare()
            happened |= game.advance(ticks_add(game.now_ms, step_ms - game.time_ms))
            self.look()
        return happened

    def look(self) -> None:
        """See what happened, and think once for each sixtieth of a second that passed since."""
        game = self.game
        if game.over:
            self.due_ms = IDLE
            return
        while (self.moment + 1) * 50 // 3 <= game.time_ms:
            self.moment += 1
            self.live(self.moment * 50 // 3)

    def live(self, t_ms: int) -> None:
        """Do one thing: take in a Tetrimino, decide upon a place, forget the others, or think."""
        game = self.game
        if game.lock_downs != self.number and game.piece and game.entered_ms <= t_ms:
            self.notice(game)
        elif self.is_due(game, t_ms):
            self.decide(game, t_ms)
        elif self.stage == _COMMIT:
            self.stage = _THINK
            self.beam.commit(self.number, self.place)
        else:
            # What a thought took too long, the next one is shorter.
            self.left = self.beam.think(self.units + self.left)
            if self.left > 0:
                self.left = 0

    def is_due(self, game, t_ms: int) -> bool:
        """Return whether it is time to decide, the hands are free, and enough is known."""
        return (
            self.stage == _DECIDE
            and t_ms >= game.entered_ms + self.reaction_ms
            and self.due_ms == IDLE
            and self.beam.is_ready(self.number)
        )

    def notice(self, game) -> None:
        """Take in the Tetrimino that came into play, and what became of the Matrix."""
        beam = self.beam
        number = game.lock_downs
        if self.due_ms != IDLE:
            # The one before locked down by itself.
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
        # High up any place may be the one that saves.
        beam.most_holes = 1 if beam.root.top < _HIGH else _MORE_HOLES
        self.place = _NONE
        self.piece = game.piece
        self.hold = game.hold
        self.stage = _DECIDE

    def decide(self, game, t_ms: int) -> None:
        """Choose a place and plan the way there; where there is none, choose again another time."""
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

    def try_anything(self, game) -> bool:
        """Where nothing fits begin again with any place; return False where that was done before."""
        if self.beam.most_holes == _ANY_HOLES:
            return False
        self.beam.most_holes = _ANY_HOLES
        self.begin(game)
        return True

    def expect(self, place: int) -> None:
        """Take a place for what will be played."""
        self.place = place
        if place & HELD:
            self.hold = self.piece
        self.stage = _COMMIT

    def begin(self, game) -> None:
        """Begin to think anew."""
        self.beam.root.see(game.matrix)
        self.beam.begin(self.number, game.hold, game.chain > 0)

    def slip(self, place: int) -> int:
        """Return a place a column aside."""
        x = (place >> 5 & 15) + (1 if self.random.below(2) else -1)
        if place < 0 or place >> 14 & 7 or not 0 <= x <= 6:
            return place
        return place & ~(15 << 5) | x << 5

    def prepare(self) -> None:
        """Have the next edge ready."""
        hands = self.hands
        i = self.given
        if i == hands.count:
            self.due_ms = IDLE
            return
        self.given = i + 1
        self.due_ms = self.begun_ms + hands.moments_ms[i]
        self.button = hands.edges[i] >> 1
        self.pressed = hands.edges[i] & 1
