"""Play one game: take Tetriminos through the phases by time and controls (Guideline A1).

Timers hold microseconds below 2**30, so they stay small integers on a board. Between two events only the timers change,
and each event happens exactly when its timer ends. So it does not matter how often `advance` is called.
"""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import events, phases, scoring
from firmware.engine.controls import HOLD, RIGHT, SOFT_DROP
from firmware.engine.handling import Handling
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.randomizer import Bag, Random

if TYPE_CHECKING:
    from typing import Any

LOCK_OUT = const(1)
BLOCK_OUT = const(2)
TOP_OUT = const(3)
AIM_REACHED = const(4)

_LEAP_MS = const(500_000)  # about the longest time whose microseconds fit 30 bits
SPAWN_X = const(3)
SPAWN_Y = const(19)  # of the box; Minos facing North start one row above its lower edge
_I = const(1)
GARBAGE_SEED = const(0x2C5F1A3)  # a separate sequence: garbage must not change the order of the Tetriminos


class Game(Handling):
    """Run one game from its seed, its options and its mode; the same inputs give the same game anywhere.

    limit_ms: a mode's time limit, 0 for none; the game ends exactly then. For views: matrix, piece, facing, x, y,
    ghost_y, hold, held (Hold waits for a Lock Down), next (6 pieces, the first comes next). Also score, level, lines,
    goal, time_ms, phase and over (the reason of the end, 0 before). While phase is ANIMATE, the first hit_count entries
    of hits are the rows to remove, after wait_us of animate_us. For modes also: action (event bits of the last Lock
    Down), cleared (its lines), awarded (its lines under the Variable Goal System), lock_downs.
    """

    __slots__ = (
        "mode seed random dealer garbage next lines goal chain lock_downs action spun cleared awarded over "
        "hits hit_count now_ms limit_ms animate_us wait_us"
    ).split()

    def __init__(
        self, seed: int, options: "Options | None" = None, mode: "Mode | None" = None, dealer: "Bag | None" = None
    ) -> None:
        options = options or Options()
        options.check()
        Handling.__init__(self, options)
        self.mode = mode or Mode()
        self.seed = seed
        self.random = Random(seed)
        self.dealer: "Any" = dealer or Bag(self.random)  # Any: a mode may set its own dealer
        self.garbage = Random(seed ^ GARBAGE_SEED)
        self.next = bytearray(6)
        self.lines = self.goal = self.chain = self.lock_downs = self.hit_count = 0
        self.action = self.spun = self.cleared = self.awarded = self.over = 0
        self.hits = bytearray(40)
        self.now_ms = self.limit_ms = 0
        self.wait_us = options.edition >> 1  # what was held in READY is pressed at 0, before the first Tetrimino
        self.animate_us = options.animate_ms * 1000
        for _ in range(options.garbage_rows):
            self.matrix.raise_row(self.garbage.below(10))
        self.mode.begin(self)
        if options.deal:
            from firmware.engine.dealers import begin

            begin(self)
        for i in range(6):
            self.next[i] = self.dealer.deal()

    def start(self, t_ms: int) -> None:
        """Set the clock without advancing the game: use it at the beginning and after a pause."""
        self.now_ms = t_ms

    def advance(self, t_ms: int) -> int:
        """Advance to the clock time `t_ms`, which wraps at 2**29; return the event bits since the last call."""
        passed = t_ms - self.now_ms
        left_us = passed * 1000
        step = self.shift_step
        if (
            0 <= left_us < self.fall_us
            and self.phase == phases.FALLING
            and not (step and left_us >= self.shift_us)
            and not (self.limit_ms and self.time_ms + passed >= self.limit_ms)
        ):
            # The usual case: the clock has not wrapped, the Tetrimino falls, nothing is due yet.
            self.now_ms = t_ms
            self.fall_us -= left_us
            if step:
                self.shift_us -= left_us
            self.time_ms += passed
        else:
            if passed < 0 or passed > _LEAP_MS:
                passed = max(ticks_diff(t_ms, self.now_ms), 0)  # a time in the past is now
            self.now_ms = t_ms if passed else self.now_ms
            if self.limit_ms and self.time_ms + passed >= self.limit_ms:
                passed = self.limit_ms - self.time_ms
            while passed > _LEAP_MS:
                self.spend(_LEAP_MS * 1000)
                passed -= _LEAP_MS
            self.spend(passed * 1000)
            if self.limit_ms and self.time_ms == self.limit_ms:
                if self.phase == phases.ANIMATE:
                    self.eliminate()  # a Lock Down before the limit counts without its animation (Guideline 12.3)
                if self.phase != phases.GAME_OVER:
                    self.end(AIM_REACHED)
        happened = self.events
        self.events = 0
        return happened

    def input(self, button: int, pressed: int, t_ms: int) -> int:
        """Apply one edge of a control of controls.py at `t_ms`; return the event bits since the last call."""
        passed = t_ms - self.now_ms
        left_us = passed * 1000
        step = self.shift_step
        if (
            0 <= left_us < self.fall_us
            and self.phase == phases.FALLING
            and not (step and left_us >= self.shift_us)
            and not (self.limit_ms and self.time_ms + passed >= self.limit_ms)
        ):
            # Copied from `advance`: calling it would double the time.
            self.now_ms = t_ms
            self.fall_us -= left_us
            if step:
                self.shift_us -= left_us
            self.time_ms += passed
        else:
            self.events = self.advance(t_ms)
        if pressed:
            self.pressed |= 1 << button
            self.statistics.keys += 1
            self.press(button)
        else:
            self.pressed &= ~(1 << button)
            if button <= RIGHT:
                # A direction that is still held takes over after the initial delay. The option steady_repeat keeps
                # Auto-Repeat going if the direction does not change. A release itself moves nothing (Guideline 5.2).
                step = (self.pressed >> RIGHT & 1) - (self.pressed & 1)
                if step != self.shift_step or not self.options.steady_repeat:
                    self.shift_step = step
                    self.shift_us = self.options.das_ms * 1000  # as `restart_delay`
                    self.sliding = False
            elif button == SOFT_DROP:
                self.set_soft_drop(False)
        happened = self.events
        self.events = 0
        return happened

    def spend(self, left_us: int) -> None:
        """Let `left_us` microseconds pass; handle every timer that ends meanwhile, in order."""
        while self.phase != phases.GAME_OVER:
            phase = self.phase
            if phase == phases.FALLING:
                step = self.fall_us
            elif phase == phases.LOCK:
                step = self.lock_us
            else:
                step = self.wait_us
            # If an Auto-Repeat step and another timer are due together, the step goes first.
            shifting = self.shift_step and self.shift_us <= step
            if shifting:
                step = self.shift_us
            served = step <= left_us
            if not served:
                step = left_us
            if step:
                if phase == phases.FALLING:
                    self.fall_us -= step
                elif phase == phases.LOCK:
                    self.lock_us -= step
                else:
                    self.wait_us -= step
                if self.shift_step:
                    self.shift_us -= step
                left_us -= step
                step += self.time_us
                self.time_ms += step // 1000
                self.time_us = step % 1000
            if not served:
                return
            if shifting:
                self.repeat_shift()
            elif phase == phases.FALLING:
                left_us = self.fall(left_us)
            elif phase == phases.LOCK:
                self.lock_down()
            elif phase == phases.ANIMATE:
                self.eliminate()
            else:
                self.generate()

    def generate(self) -> None:
        """Bring the first Tetrimino of the Next Queue into play (Guideline 3.3).

        An early press of Hold holds it before it appears; with initial Hold, so does a held button.
        """
        piece = self.deal()
        wanted = self.early | self.pressed if self.options.initial_hold else self.early
        if wanted >> HOLD & 1 and self.can_hold():
            piece = self.exchange(piece)
        self.enter(piece)

    def deal(self) -> int:
        """Take the first of the Next Queue and refill its end."""
        queue = self.next
        piece = queue[0] or self.mode.pick(self)
        queue[0] = queue[1]
        queue[1] = queue[2]
        queue[2] = queue[3]
        queue[3] = queue[4]
        queue[4] = queue[5]
        queue[5] = self.dealer.deal()
        return piece

    def enter(self, piece: int) -> None:
        """Generate a Tetrimino above the Skyline and drop it one row if possible (Guideline 3.4, A1.2.1)."""
        if not self.place(piece, SPAWN_X, SPAWN_Y - 1 if piece == _I else SPAWN_Y, 0):
            self.end(BLOCK_OUT)
            return
        self.events |= events.GENERATED
        self.statistics.enter()
        self.appear()

    def lock_down(self, hard: bool = False) -> None:
        """Turn the Tetrimino into Blocks and find full rows and patterns (Guideline A1.2.3-A1.2.5)."""
        self.spun = self.spin() if self.turned_last else 0
        self.statistics.place(self, hard and not self.spun)
        inside = self.settle()
        self.piece = 0
        self.held = False
        self.lock_downs += 1
        self.hard_dropped = hard
        self.action = events.LOCKED
        if not inside:
            self.events |= self.action
            self.end(LOCK_OUT)
            return
        self.phase = phases.PATTERN
        self.hit_count = self.matrix.mark_full(self.y, self.hits)
        self.mode.match(self)
        if self.hit_count or self.spun:
            self.action |= scoring.name(self.spun, self.hit_count, self.chain)
        self.phase = phases.ITERATE
        self.mode.iterate(self)
        self.events |= self.action
        self.phase = phases.ANIMATE
        self.wait_us = self.animate_us if self.hit_count else 0

    def eliminate(self) -> None:
        """Award points, remove the marked rows and complete the turn (Guideline A1.2.7, A1.2.8)."""
        self.phase = phases.ELIMINATE
        count = self.hit_count
        awarded = 0
        if count or self.spun:
            awarded = scoring.award(self.spun, count)
            if self.action & events.BACK_TO_BACK:
                awarded += awarded // 2
            self.score += awarded * 100 * self.level
            self.chain = scoring.follow_chain(self.spun, count, self.chain)
        self.awarded = awarded
        self.cleared = count
        self.statistics.count(self.spun, count, self.action)
        if count:
            self.lines += count
            self.matrix.collapse(self.hits, count)
            self.hit_count = 0
            self.events |= events.ELIMINATED
        self.phase = phases.COMPLETION
        self.mode.complete(self)
        if self.phase == phases.COMPLETION:
            self.phase = phases.GENERATION
            self.wait_us = self.options.generation_ms * 1000

    def receive(self, rows: int, gap: int) -> bool:
        """Raise rows of garbage, all with a gap in column `gap` (10: Solid Lines).

        Modes call this in the Completion Phase, while no Tetrimino is in play. Return False if a Block was pushed above
        the Top Out Line; this ends the game (Guideline 10, 5).
        """
        self.events |= events.GARBAGE
        for _ in range(rows):
            if not self.matrix.raise_row(gap):
                self.end(TOP_OUT)
                return False
        return True

    def end(self, reason: int) -> None:
        """End the game: LOCK_OUT, BLOCK_OUT, TOP_OUT or AIM_REACHED (Guideline 10, 12)."""
        self.phase = phases.GAME_OVER
        self.piece = 0
        self.over = reason
        self.events |= events.GAME_OVER
        if reason == AIM_REACHED:
            self.events |= events.COMPLETED
        self.mode.end(self)
