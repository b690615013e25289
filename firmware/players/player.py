"""Play a game as one of five levels."""

from firmware.compat import const
from firmware.engine.controls import HARD_DROP
from firmware.engine.randomizer import Random
from firmware.players import levels
from firmware.players.beam import HELD, Beam
from firmware.players.hands import Hands

IDLE = const(-1)  # stands for the moment of an edge where none is planned

# From a thought to its first press: frames may take this long and change nothing.
NERVE_MS = const(50)
UNITS_HZ = const(3000)  # what 4 ms a frame suffice for; see tests/test_players_thought.py

_NONE = const(-1)
_SECOND_MS = const(1000)


class Player:
    """Watch a Game and say which edges to give it: after each `advance` of the game call `look`, before the next one
    give it whatever is due.

    due_ms: the moment, by the game's time_ms, of the next edge, or IDLE.  button, pressed: that edge.
    units_hz: units of thought a second, shared out by whoever lets several play.
    """

    def __init__(self, level: int, seed: int = 1, units_hz: int = UNITS_HZ, width: int = 0) -> None:
        row = levels.TABLE[level - 1]
        self.level = level
        self.reaction_ms = row[levels.REACTION_MS]
        self.sight = row[levels.SIGHT]
        self.slips = row[levels.SLIPS]
        self.beam = beam = Beam(width or row[levels.WIDTH])
        beam.uses_hold = row[levels.HOLDS] > 0
        beam.slides = row[levels.SLIDES] > 0
        beam.spins = row[levels.SPINS] > 0
        self.hands = Hands(row[levels.PACE_MS])
        self.random = Random(seed)
        self.units_hz = units_hz
        self.game = None
        self.number = _NONE
        self.place = _NONE
        self.at_ms = 0
        self.owed = 0
        self.begun_ms = 0
        self.given = 0
        self.due_ms = IDLE
        self.button = 0
        self.pressed = 0
        self.decided = False

    def watch(self, game) -> None:
        """Begin to play a game, wherever it stands."""
        self.game = game
        self.number = _NONE
        self.place = _NONE
        self.at_ms = game.time_ms
        self.owed = 0
        self.hands.count = 0
        self.given = 0
        self.due_ms = IDLE
        self.decided = False

    def look(self) -> None:
        """See what happened, and think for the time that passed since."""
        game = self.game
        if game.over:
            self.due_ms = IDLE
            return
        if game.piece and game.lock_downs != self.number:
            self.spend(game.entered_ms)
            self.notice(game)
        if not self.decided and self.number >= 0 and game.piece:
            self.spend(min(game.time_ms, game.entered_ms + self.reaction_ms - NERVE_MS))
            if self.at_ms >= game.entered_ms + self.reaction_ms - NERVE_MS:
                while not self.beam.is_ready(self.number) and self.at_ms < game.time_ms:
                    self.spend(self.at_ms + 1)
                if self.beam.is_ready(self.number):
                    self.decide(game)
        self.spend(game.time_ms)

    def spend(self, t_ms: int) -> None:
        """Think for the time until a moment."""
        passed = t_ms - self.at_ms
        if passed > 0:
            self.at_ms = t_ms
            self.owed += passed * self.units_hz
            units = self.owed // _SECOND_MS
            if units > 0:
                left = self.beam.think(units)
                self.owed -= units * _SECOND_MS
                if left < 0:
                    self.owed += left * _SECOND_MS

    def notice(self, game) -> None:
        """Take in the Tetrimino that came into play, and what became of the Matrix."""
        beam = self.beam
        number = game.lock_downs
        fresh = self.number < 0 or number != self.number + 1 or self.place < 0
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
            beam.root.see(game.matrix)
            beam.begin(number, game.hold, game.chain > 0)
        self.place = _NONE
        self.decided = False

    def decide(self, game) -> None:
        """Choose a place and plan the way there."""
        beam = self.beam
        number = self.number
        self.decided = True
        place = beam.choose(number)
        hands = self.hands
        if self.slips and self.random.below(256) < self.slips:
            place = self.slip(place)
        while place >= 0 and not hands.plan(game, place):
            beam.sift(number, place, False)
            place = beam.choose(number)
        self.place = place
        if place >= 0:
            beam.commit(number, place)
        else:
            hands.count = 0
            hands.time_ms = 0
            hands.press(HARD_DROP)
        self.begun_ms = self.at_ms + NERVE_MS
        self.given = 0
        self.prepare()

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
