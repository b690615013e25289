"""Play by the "Standard" rules: free fall in rows, no kicks, points for landing only (Standard).

These rules use the same Matrix. StandardGame is a Game, so view, sound, scores, recordings and saved games work
unchanged. The module is loaded only to play such a game.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events, scoring
from firmware.engine.controls import HARD_DROP, RIGHT, ROTATE_CCW, ROTATE_CW
from firmware.engine.game import BLOCK_OUT, Game
from firmware.engine.matrix import SKYLINE
from firmware.engine.mode import Mode
from firmware.engine.phases import COMPLETION, FALLING, GENERATION
from firmware.engine.tables import SHAPES
from firmware.modes.standard_pieces import ORDER, STARTS, TURNS

if TYPE_CHECKING:
    from typing import Any

    from firmware.engine.options import Options

_LEVELS = const(10)
_LINES = const(10)  # for each level
_STEP_US = const(50_000)  # each level shortens the delay by 1/20 s
_LAND = const(24)
_LEVEL = const(3)
_QUEUE = const(4)  # four turns in a row lead back to the start


class Generator:
    """Deal pieces by x = (1664525 * x + 1013904223) mod 2**32; x mod 7 is the index in the order O I S Z L J T.

    `a` and `b` are the upper and lower half of x. Multiplying them in bytes keeps every number below 2**30.

    order: how many of each piece appeared, two bytes for each, low byte first. Saves store `order` and `left` of any
    dealer, because a Bag has them.
    """

    def __init__(self, seed: int) -> None:
        self.a = seed >> 16
        self.b = seed & 0xFFFF
        self.order = bytearray(14)
        self.left = 0

    def deal(self) -> int:
        """Return the next piece, 1..7 in the engine's numbers."""
        # 1664525 is 25 << 16 | 102 << 8 | 13, 1013904223 is 15470 << 16 | 62303.
        a = self.a
        b = self.b
        high = b * 102
        low = b * 13 + ((high & 255) << 8) + 62303
        self.a = a = a * 13 + ((a * 102 & 255) << 8) + b * 25 + 15470 + (high >> 8) + (low >> 16) & 0xFFFF
        self.b = b = low & 0xFFFF
        return ORDER[(2 * a + b) % 7]  # x = a * 2**16 + b, and 2**16 mod 7 is 2


class StandardGame(Game):
    """Play one game by the Standard rules.

    options.level: 1 for the first level, at most 10. options.aim: 1 lets a held direction repeat, which the rules leave
    open; 0 moves once for each press. The options of Hold, Lock Down, Soft Drop and speed have no effect. The rules
    have neither Hold nor a Next Queue; the screen still shows the next pieces.

    `lowest` counts this piece's free-fall iterations, `moves_left` the turns requested before the first iteration.
    Saves store both fields.
    """

    random: "Any"

    first_level = 0
    queues_turns = True

    def __init__(
        self, seed: int, options: "Options | None" = None, mode: "Mode | None" = None, dealer: "Any" = None
    ) -> None:
        generator: "Any" = Generator(seed)
        Game.__init__(self, seed, options, mode or Standard(), dealer or generator)
        self.random = generator
        self.initial = self.options.level - 1
        if self.initial >= _LEVELS:
            self.initial = _LEVELS - 1
        self.repeats = self.options.aim > 0
        self.grade()
        self.wait_us = self.interval_us

    def grade(self) -> None:
        """Set the level, the higher of the initial and the earned level, and its delay (Standard, Levels, Delay)."""
        earned = (self.lines - 1) // _LINES if self.lines else 0
        if earned >= _LEVELS:
            earned = _LEVELS - 1
        if earned < self.initial:
            earned = self.initial
        self.level = earned + self.first_level
        self.goal = (earned + 1) * _LINES + 1 - self.lines if earned < _LEVELS - 1 else 0
        self.set_interval()

    def set_interval(self) -> None:
        """Set the time of one row: (10 - level) / 20 s (Standard, Falling Iteration Delay)."""
        self.interval_us = (_LEVELS + self.first_level - self.level) * _STEP_US

    def input(self, button: int, pressed: int, t_ms: int) -> int:
        """Take one edge of a control; only a press is a request (Standard, Controls)."""
        happened = Game.input(self, button, pressed, t_ms)
        if not self.repeats:
            self.shift_step = 0
        return happened

    def press(self, button: int) -> None:
        """Act on a request: LEFT, RIGHT, ROTATE (both buttons) or DROP (Standard, Controls)."""
        if button <= RIGHT:
            self.shift_step = step = 1 if button == RIGHT else -1
            self.restart_delay()
            if self.piece:
                self.events |= events.MOVED if self.shift(step) else events.MOVE_FAILED
        elif not self.piece:
            return
        elif button == ROTATE_CW or button == ROTATE_CCW:
            if self.lowest:
                self.rotate()
            elif self.queues_turns:
                # A piece at the top edge cannot turn: save the turn for the first iteration (Standard, Pieces).
                self.moves_left = self.moves_left + 1 if self.moves_left < 2 * _QUEUE - 1 else _QUEUE
            else:
                self.events |= events.ROTATE_FAILED
        elif button == HARD_DROP:
            self.y = self.ghost_y
            self.events |= events.HARD_DROPPED
            self.lock_down(True)

    def rotate(self) -> None:
        """Turn counter-clockwise if there is room; set the event of success or failure."""
        self.events |= events.ROTATED if self.turn() else events.ROTATE_FAILED

    def turn(self, clockwise: int = 0) -> int:
        """Turn to the next facing; return 1, or 0 if a Block, a wall or the top is in the way."""
        turn = TURNS[self.piece * 4 - 4 + self.facing]
        facing = turn & 3
        x = self.x + (turn >> 2 & 7) - 4
        y = self.y + (turn >> 5) - 4
        shape = self.piece * 16 - 16 + facing * 4
        shift = x + 3
        a = SHAPES[shape] << shift
        b = SHAPES[shape + 1] << shift
        c = SHAPES[shape + 2] << shift
        d = SHAPES[shape + 3] << shift
        masks = self.matrix.masks
        if masks[y] & a or masks[y + 1] & b or masks[y + 2] & c or masks[y + 3] & d:
            return 0
        if y + (3 if d else 2 if c else 1) >= SKYLINE:  # these rules have no Buffer Zone
            return 0
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.base = 0 if a else 1 if b else 2
        self.x = x
        self.y = y
        self.facing = facing
        self.find_ghost(y)
        return 1

    def place(self, piece: int, x: int, y: int, facing: int) -> bool:
        """Put a piece into play; return False if a Block is in its way.

        Return False also for a facing that these rules never reach, or for more rows of free fall than exist. Only a
        damaged save has them.
        """
        known = TURNS[piece * 4 - 4 + facing] > 0 and y + self.lowest < SKYLINE
        return Game.place(self, piece, x, y, facing) and known

    def can_hold(self) -> bool:
        """Return False: these rules have no Hold."""
        return False

    def follow(self) -> None:
        """Do nothing after a step: a piece lands only at an iteration."""

    def count(self, piece: int) -> int:
        """Return how many of a piece have appeared, 0..65535."""
        order = self.random.order
        return order[2 * piece - 2] | order[2 * piece - 1] << 8

    def generate(self) -> None:
        """Bring a new piece into play at the top edge; end the game if it overlaps a Block."""
        piece = self.deal()
        order = self.random.order
        at = 2 * piece - 2
        order[at] = count = order[at] + 1 & 255
        if not count:
            order[at + 1] = order[at + 1] + 1 & 255
        start = piece * 3 - 3
        self.lowest = 0
        if not self.place(piece, STARTS[start + 1], STARTS[start + 2], STARTS[start]):
            self.end(BLOCK_OUT)
            return
        self.events |= events.GENERATED
        self.moves_left = 0
        self.phase = FALLING
        self.fall_us = self.interval_us

    def fall(self, left_us: int) -> int:
        """Do one free-fall iteration: land a piece that rests, else fall a row (Standard, Piece Landing)."""
        if self.y == self.ghost_y:
            self.lock_down()
            return left_us
        self.y -= 1
        self.lowest += 1
        self.fall_us = self.interval_us
        while self.moves_left:
            self.moves_left -= 1
            self.rotate()
        if self.y == self.ghost_y:
            self.events |= events.LANDED
        return left_us

    def points(self, dropped: bool, lines: int) -> int:
        """Return the points of a landing: one less for each free-fall iteration, none for lines (Standard, Score)."""
        return _LAND + _LEVEL * self.level - self.lowest

    def lock_down(self, hard: bool = False) -> None:
        """Land the piece, and remove completed lines at once (Standard, Piece Landing, Lines Completed).

        The points depend on the level before the landing, the delay to the next piece on the level after it.
        """
        matrix = self.matrix
        level = self.level
        self.settle()
        self.piece = 0
        self.lock_downs += 1
        self.statistics.pieces += 1
        self.cleared = count = matrix.mark_full(self.y, self.hits)
        self.score += self.points(hard, count)
        self.action = action = events.LOCKED | scoring.name(0, count, 0)
        self.statistics.count(0, count, action)
        self.events |= action
        self.phase = COMPLETION
        if count:
            matrix.collapse(self.hits, count)
            self.lines += count
            self.events |= events.ELIMINATED
            self.grade()
            if self.level > level:
                self.events |= events.LEVEL_UP
                self.action |= events.LEVEL_UP
        self.mode.complete(self)
        self.phase = GENERATION
        self.wait_us = self.interval_us


class Standard(Mode):
    """Play by the Standard rules for points."""

    rules = StandardGame

    def result(self, game: "Game") -> int:
        return game.score


def make_mode(variant: int) -> Mode:
    return Standard()
