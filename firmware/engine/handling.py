"""Handle the Tetrimino in play: Auto-Repeat, drops, Hold and the Lock Down rules (Guideline 5)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events, initial_actions
from firmware.engine.controls import HARD_DROP, HOLD, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.engine.manipulation import Manipulation
from firmware.engine.options import AT_ONCE, EXTENDED, INFINITE, Options
from firmware.engine.phases import FALLING, GENERATION, LOCK
from firmware.engine.statistics import Statistics
from firmware.engine.tables import FALL_US

_LOCK_US = const(500_000)  # Guideline 5.7
_MOVES = const(15)  # Guideline 5.7
_NEVER_US = const(1_000_000_000)
_STEEP = const(14)  # from this level on a Tetrimino lands within Auto-Repeat's delay, so moves on a Surface are its own


class Handling(Manipulation):
    """Move a Tetrimino by time and control edges between its generation and its Lock Down.

    Remaining times in microseconds: fall_us until the next row, lock_us of the Lock Down Timer, shift_us until the
    next Auto-Repeat step. early: a mask of the controls pressed since the last Lock Down. early_steps (to the right, -4
    to 4) and early_turns (clockwise, 0 to 3) apply to the next Tetrimino. `Game` advances time and defines `deal`,
    `enter` and `lock_down`.
    """

    if TYPE_CHECKING:

        def deal(self) -> int: ...

        def enter(self, piece: int) -> None: ...

        def lock_down(self, hard: bool = False) -> None: ...

    __slots__ = (
        "options events phase score level hold held time_ms time_us fall_us interval_us lock_us lowest "
        "moves_left grounded soft pressed early early_steps early_turns shift_step shift_us sliding "
        "entered_ms hard_dropped statistics"
    ).split()

    def __init__(self, options: Options) -> None:
        Manipulation.__init__(self)
        self.options = options
        self.events = 0
        self.phase = GENERATION
        self.score = 0
        self.level = options.level
        self.hold = 0
        self.held = False
        self.time_ms = 0
        self.time_us = 0
        self.fall_us = 0
        self.interval_us = 0
        self.lock_us = 0
        self.lowest = 0
        self.moves_left = 0
        self.grounded = False
        self.soft = False
        self.pressed = 0
        self.early = self.early_steps = self.early_turns = 0
        self.shift_step = 0
        self.shift_us = 0
        self.sliding = False
        self.entered_ms = 0
        self.hard_dropped = True
        self.statistics = Statistics()

    def appear(self) -> None:
        """Drop the new Tetrimino one row if possible, and hand it to the player (Guideline 3.4).

        With initial rotation, early presses and a held rotation button turn it. With the option cut_repeat Auto-Repeat
        rests at least so long; by the guideline it continues.
        """
        self.entered_ms = self.time_ms
        if self.options.initial_rotation:
            initial_actions.apply_turns(self)
        cut = self.options.cut_repeat
        if self.shift_step and cut:
            if cut == 1:
                self.restart_delay()
            elif self.sliding or self.shift_us < cut * 1000:
                self.shift_us = cut * 1000
                self.sliding = False
        self.set_interval()
        top = self.matrix.top
        if self.y > top or not self.rests():
            self.sink(1)
        self.enter_new_row()
        if self.y <= top and self.rests():
            self.land()
        else:
            self.phase = FALLING
            self.fall_us = self.interval_us
        if self.early:
            initial_actions.apply_steps(self)
        if self.sliding:
            self.slide()

    def set_interval(self) -> None:
        """Set the time of one row from the level and Soft Drop, 0 for AT_ONCE (Guideline 7, 7.1)."""
        row = (self.level if self.level < len(FALL_US) else len(FALL_US)) - 1
        factor = self.options.soft_factor if self.soft else 1
        self.interval_us = 0 if factor == AT_ONCE and self.options.edition else FALL_US[row] // factor

    def fall(self, left_us: int) -> int:
        """Fall one row, and more rows within `left_us` until another event is due; return the time left."""
        # Fall several rows at once, but leave the last row before the Surface to the next loop of `spend`.
        room = left_us
        if self.shift_step and self.shift_us <= room:
            room = self.shift_us - 1
        more = 0 if self.sliding else room // self.interval_us if self.interval_us else _NEVER_US
        if more:
            rows = self.y - self.ghost_y
            if more >= rows:
                more = rows - 1
            room = more * self.interval_us
            left_us -= room
            if self.shift_step:
                self.shift_us -= room
            self.time_us += room
            self.time_ms += self.time_us // 1000
            self.time_us %= 1000
        rows = more + 1
        self.sink(rows)
        if self.soft:
            self.score += rows
            self.events |= events.SOFT_DROPPED
            if self.statistics.straight and self.level < _STEEP:
                self.statistics.straight = 2  # where it lands is the player's choice
        if self.y + self.base < self.lowest:
            self.enter_new_row()
        if self.y <= self.matrix.top and self.rests():
            self.land()
        else:
            self.fall_us = self.interval_us
        if self.sliding:
            self.slide()
        return left_us

    def enter_new_row(self) -> None:
        """Record a new lowest row; restore the Lock Down Timer and the 15 moves (Guideline 5.7)."""
        self.lowest = self.y + self.base
        self.moves_left = _MOVES
        self.lock_us = _LOCK_US
        self.grounded = False

    def land(self) -> None:
        """Enter the Lock Phase, or Lock Down at once if Extended Placement has no move left (Guideline 5.7)."""
        self.events |= events.LANDED
        self.phase = LOCK
        self.grounded = True
        if not self.moves_left and self.options.lock_rule == EXTENDED:
            self.lock_down()

    def take_off(self) -> None:
        """Enter the Falling Phase, where the Lock Down Timer neither runs nor resets (Guideline A1.2.3)."""
        self.phase = FALLING
        self.fall_us = self.interval_us

    # Flat: in a match its calls nest up to the 12 that we allow a board's stack (tests/support/call_depth.py).
    def press(self, button: int) -> None:
        """Act on a control that goes down."""
        if button <= RIGHT:
            self.shift_step = step = 1 if button == RIGHT else -1
            self.shift_us = self.options.das_ms * 1000
            self.sliding = False
            if not self.piece:
                initial_actions.remember_press(self, button)
            else:
                self.statistics.presses += 1
                if not self.shift(step):
                    self.events |= events.MOVE_FAILED
                    return
                self.events |= events.MOVED
                # In free fall, a step affects the Lock Down only if the Tetrimino now rests on a Surface.
                if self.grounded or self.y <= self.matrix.top and self.rests():
                    self.follow()
        elif button == SOFT_DROP:
            self.set_soft_drop(True)
        elif not self.piece:
            initial_actions.remember_press(self, button)
        elif button == ROTATE_CW or button == ROTATE_CCW:
            # Rotation has no Auto-Repeat (Guideline 5.3).
            self.statistics.presses += 1
            if not self.turn(1 if button == ROTATE_CW else 0):
                self.events |= events.ROTATE_FAILED
                return
            self.events |= events.ROTATED
            if self.grounded or self.y + self.base < self.lowest or self.y <= self.matrix.top and self.rests():
                self.follow()
            if self.sliding:
                self.slide()
        elif button == HARD_DROP:
            self.hard_drop()
        elif button == HOLD:
            self.swap_hold()

    def restart_delay(self) -> None:
        """Restart the delay before Auto-Repeat, "roughly 0.3 seconds" (Guideline 5.2)."""
        self.shift_us = self.options.das_ms * 1000
        self.sliding = False

    def repeat_shift(self) -> None:
        """Take one Auto-Repeat step, or all steps if a step takes no time (Guideline 5.2).

        Auto-Repeat continues in the generation delay and with the next Tetrimino. It makes no sound at a wall.
        """
        if self.options.arr_ms:
            self.shift_us = self.options.arr_ms * 1000
            if self.piece:
                self.move()
        else:
            self.shift_us = _NEVER_US
            self.sliding = True
            self.slide()

    def slide(self) -> None:
        """Move as far to the side as there is room."""
        while self.piece and self.move():
            pass

    def move(self) -> bool:
        """Take one Auto-Repeat step; return whether there was room."""
        if not self.shift(self.shift_step):
            return False
        self.events |= events.MOVED
        self.follow()
        return True

    def follow(self) -> None:
        """Update the Lock Down after a movement or rotation (Guideline 5.7-5.9, A1.2.3).

        Moves count only from the first landing on.
        """
        if self.grounded and self.statistics.straight == 1:
            self.statistics.straight = 0
        if self.y + self.base < self.lowest:
            self.enter_new_row()
        elif self.grounded and self.moves_left:
            self.moves_left -= 1
        if self.y > self.matrix.top or not self.rests():
            if self.phase == LOCK:
                self.take_off()
            return
        self.grounded = True  # a turn may have moved it from one Surface onto a lower one
        rule = self.options.lock_rule
        if rule == INFINITE or rule == EXTENDED and self.moves_left:
            self.lock_us = _LOCK_US
        if self.phase == FALLING:
            self.land()
        elif rule == EXTENDED and not self.moves_left:
            self.lock_down()

    def set_soft_drop(self, soft: bool) -> None:
        """Turn Soft Drop on or off; the new speed counts from the last row on (Guideline 5.5).

        So a press moves the Tetrimino at once unless it has just fallen a row. Tapping is never faster than holding.
        """
        was = self.interval_us
        self.soft = soft
        self.set_interval()
        if self.phase == FALLING:
            self.fall_us += self.interval_us - was
            if self.fall_us < 0:
                self.fall_us = 0

    def hard_drop(self) -> None:
        """Drop to the Surface and Lock Down, two points a row (Guideline 5.4, 8).

        After a natural Lock Down, ignore a press in the first guard_ms: it was meant for the old Tetrimino.
        """
        if not self.hard_dropped and self.time_ms - self.entered_ms < self.options.guard_ms:
            return
        rows = self.y - self.ghost_y
        if rows:
            self.sink(rows)
            self.score += 2 * rows
        self.events |= events.HARD_DROPPED
        self.lock_down(True)

    def can_hold(self) -> bool:
        """Return whether Hold is on and a Lock Down has followed the last Hold (Guideline 5.6)."""
        return bool(self.options.hold_on) and not self.held

    def swap_hold(self) -> None:
        """Hold the Tetrimino and play the held one or the next (Guideline 5.6)."""
        if self.can_hold():
            self.enter(self.exchange(self.piece))
        else:
            self.events |= events.HOLD_FAILED

    def exchange(self, piece: int) -> int:
        """Put `piece` into the Hold Queue; return the piece that comes into play."""
        self.events |= events.HELD
        self.held = True
        self.statistics.holds += 1
        held = self.hold
        self.hold = piece
        return held or self.deal()
