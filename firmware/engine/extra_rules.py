"""Add the rules of current games (firmware/modes/README.md, 5); imported only if the player chose them."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events, initial_actions
from firmware.engine.controls import ROTATE_CCW, ROTATE_CW
from firmware.engine.game import Game
from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN
from firmware.engine.options import ALL_SPINS, COMBOS, HALF_TURNS
from firmware.engine.tables import SHAPES

if TYPE_CHECKING:
    from firmware.engine.mode import Mode
    from firmware.engine.options import Options
    from firmware.engine.randomizer import Bag

# The values of the option `spins`; 0 is the guideline's.
STUCK = const(1)
ALL = const(2)

_COMBO = const(50)
_ALL_CLEARS = b"\x08\x0c\x12\x14"  # hundreds of points for 1 to 4 lines
_BACK_TO_BACK = const(3200)
_TETRIS = const(4)
_O = const(4)
_T = const(6)
_NEVER = const(-1)

# facing * 12 + point * 2: dx + 2, dy + 2
HALF_POINTS = (
    b"\x02\x02\x02\x03\x03\x03\x01\x03\x03\x02\x01\x02"
    b"\x02\x02\x03\x02\x03\x04\x03\x03\x02\x04\x02\x03"
    b"\x02\x02\x02\x01\x01\x01\x03\x01\x01\x02\x03\x02"
    b"\x02\x02\x01\x02\x01\x04\x01\x03\x02\x04\x02\x03"
)
_BYTES = const(12)


class ExtraRulesGame(Game):
    """Play one game with the rules whose bits the option `modern` has.

    turned_ms, turned_by: time and control of the last rotation press. The `was_...` fields keep the Tetrimino's state
    before this press. They matter only within the same millisecond, so saves leave them out.
    """

    def __init__(
        self, seed: int, options: "Options | None" = None, mode: "Mode | None" = None, dealer: "Bag | None" = None
    ) -> None:
        self.turned_ms = _NEVER
        self.turned_by = 0
        self.was_x = self.was_y = self.was_facing = self.was_lowest = self.was_moves = self.was_lock_us = 0
        self.was_fall_us = self.was_phase = self.was_lock_downs = self.was_presses = self.was_straight = 0
        self.was_turned = self.was_point_5 = self.was_grounded = False
        Game.__init__(self, seed, options, mode, dealer)

    # -- combos and all-clears ---------------------------------------------------------------------

    def eliminate(self) -> None:
        """Add the points for a combo and for an empty Matrix to the usual ones (README 5.1)."""
        count = self.hit_count
        if count and self.options.modern & COMBOS:
            points = _COMBO * (self.statistics.combo + 1)
            if count == self.matrix.top:
                if count >= _TETRIS and self.action & events.BACK_TO_BACK:
                    points += _BACK_TO_BACK
                else:
                    points += 100 * _ALL_CLEARS[(count if count < _TETRIS else _TETRIS) - 1]
            self.score += points * self.level
        Game.eliminate(self)

    # -- all-spins ---------------------------------------------------------------------------------

    def spin(self) -> int:
        """Return the spin by the guideline; or of a stuck T, or MINI_SPIN of another stuck piece (README 23)."""
        options = self.options
        if self.piece == _T:
            spun = FULL_SPIN if options.spins == STUCK else NO_SPIN
        else:
            spun = MINI_SPIN if options.spins == ALL or options.modern & ALL_SPINS else NO_SPIN
        if not spun or self.piece == _O:
            return Game.spin(self)
        stuck = self.turned_last and self.is_taken(1, 0) and self.is_taken(-1, 0)
        return spun if stuck and self.is_taken(0, 1) and self.is_taken(0, -1) else NO_SPIN

    def is_taken(self, dx: int, dy: int) -> bool:
        """Return whether a Block or a wall prevents a step by (dx, dy)."""
        masks = self.matrix.masks
        a = self.a
        b = self.b
        c = self.c
        d = self.d
        if dx > 0:
            a, b, c, d = a << 1, b << 1, c << 1, d << 1
        elif dx:
            a, b, c, d = a >> 1, b >> 1, c >> 1, d >> 1
        y = self.y + dy
        return bool(masks[y] & a or masks[y + 1] & b or masks[y + 2] & c or masks[y + 3] & d)

    # -- half turns --------------------------------------------------------------------------------

    def press(self, button: int) -> None:
        """Press a control; make a half turn if both rotation controls go down in one millisecond (README 5.2)."""
        if not ROTATE_CW <= button <= ROTATE_CCW or not self.options.modern & HALF_TURNS:
            self.turned_ms = _NEVER
            Game.press(self, button)
            return
        if self.turned_ms == self.now_ms and self.turned_by != button and self.was_lock_downs == self.lock_downs:
            self.turned_ms = _NEVER
            self.statistics.keys -= 1
            if self.piece:
                self.recall()
                self.press_half()
            else:
                initial_actions.remember_press(self, button)
                if self.options.early_presses:
                    self.early_turns = self.early_turns + 2 & 3  # the two quarter turns have cancelled each other
            return
        self.turned_ms = self.now_ms
        self.turned_by = button
        self.remember()
        Game.press(self, button)

    def remember(self) -> None:
        """Save the Tetrimino's state before a rotation press."""
        self.was_lock_downs = self.lock_downs
        self.was_x = self.x
        self.was_y = self.y
        self.was_facing = self.facing
        self.was_turned = self.turned_last
        self.was_point_5 = self.point_5_used
        self.was_lowest = self.lowest
        self.was_moves = self.moves_left
        self.was_grounded = self.grounded
        self.was_lock_us = self.lock_us
        self.was_fall_us = self.fall_us
        self.was_phase = self.phase
        self.was_presses = self.statistics.presses
        self.was_straight = self.statistics.straight

    def recall(self) -> None:
        """Undo the quarter turn of the first rotation control; no time has passed since."""
        self.place(self.piece, self.was_x, self.was_y, self.was_facing)
        self.turned_last = self.was_turned
        self.point_5_used = self.was_point_5
        self.lowest = self.was_lowest
        self.moves_left = self.was_moves
        self.grounded = self.was_grounded
        self.lock_us = self.was_lock_us
        self.fall_us = self.was_fall_us
        self.phase = self.was_phase
        self.statistics.presses = self.was_presses
        self.statistics.straight = self.was_straight

    def press_half(self) -> None:
        """Try a half turn, with the consequences of any rotation."""
        self.statistics.presses += 1
        if not self.turn_half():
            self.events |= events.ROTATE_FAILED
            return
        self.events |= events.ROTATED
        if self.grounded or self.y + self.base < self.lowest or self.y <= self.matrix.top and self.rests():
            self.follow()
        if self.sliding:
            self.slide()

    def turn_half(self) -> int:
        """Turn the Tetrimino by 180 degrees; return the point that worked, 1..6, or 0 if all six failed."""
        x = self.x
        y = self.y
        facing = self.facing
        masks = self.matrix.masks
        shape = (self.piece - 1) * 16 + (facing ^ 2) * 4
        index = facing * _BYTES
        for point in range(6):
            column = x + HALF_POINTS[index] + 1  # - 2 of the table, + 3 of the mask
            row = y + HALF_POINTS[index + 1] - 2
            index += 2
            a = SHAPES[shape] << column
            b = SHAPES[shape + 1] << column
            c = SHAPES[shape + 2] << column
            d = SHAPES[shape + 3] << column
            if masks[row] & a or masks[row + 1] & b or masks[row + 2] & c or masks[row + 3] & d:
                continue
            fifth = self.point_5_used and self.options.edition > 0  # no longer lost (Guideline 9.1.1)
            self.place(self.piece, column - 3, row, facing ^ 2)
            self.turned_last = True
            self.point_5_used = fifth
            return point + 1
        return 0
