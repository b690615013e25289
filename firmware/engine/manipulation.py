"""Move, turn and drop the Tetrimino in play (Guideline 5, A1.4)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import SKYLINE, WALLS, Matrix
from firmware.engine.tables import POINTS, SHAPES

if TYPE_CHECKING:
    from typing import Any

_I = const(1)
_T = const(6)
_UNKNOWN = const(-9)
_POINT_5 = const(4)

NO_SPIN = const(0)
MINI_SPIN = const(1)
FULL_SPIN = const(2)

# The corners of the T's box as bits: 1 lower left, 2 lower right, 4 upper left, 8 upper right.
_NOSE_CORNERS = b"\x0c\x0a\x03\x05"


class Manipulation:
    """Place, move and turn a Tetrimino in a Matrix, and find where it would land.

    piece: 1..7, or 0 while none is in play. facing, x, y: see firmware/engine/__init__.py. ghost_y: the y where the
    Tetrimino would land; it has landed when `y == ghost_y`. a, b, c, d: masks of its Minos in the rows y to y + 3, with
    the bits of Matrix.masks. base: empty rows of the box below its lowest Mino.
    """

    if TYPE_CHECKING:
        ghost_y: int
        rest_y: "Any"

    # Slots speed up CPython with more than thirty attributes. MicroPython ignores them.
    __slots__ = "matrix piece facing x y rest_y a b c d base turned_last point_5_used".split()

    def __init__(self) -> None:
        try:
            self.matrix.clear()  # a game begun again keeps it: a new Matrix would split a board's heap
        except AttributeError:
            self.matrix: Matrix = Matrix()
        self.piece = 0
        self.facing = 0
        self.x = 0
        self.y = 0
        self.ghost_y = 0
        self.a = self.b = self.c = self.d = 0
        self.base = 0
        self.turned_last = False
        self.point_5_used = False

    def place(self, piece: int, x: int, y: int, facing: int) -> bool:
        """Put a Tetrimino into play; return False if it overlaps a Block, but place it nevertheless."""
        self.piece = piece
        self.facing = facing
        self.x = x
        self.y = y
        self.turned_last = False
        self.point_5_used = False
        shape = (piece - 1) * 16 + facing * 4
        shift = x + 3
        self.a = a = SHAPES[shape] << shift
        self.b = b = SHAPES[shape + 1] << shift
        self.c = c = SHAPES[shape + 2] << shift
        self.d = d = SHAPES[shape + 3] << shift
        self.base = 0 if a else 1 if b else 2
        masks = self.matrix.masks
        if masks[y] & a or masks[y + 1] & b or masks[y + 2] & c or masks[y + 3] & d:
            self.ghost_y = y
            return False
        self.rest_y = _UNKNOWN if _LAZY else self.find_ghost(self.y)
        return True

    def find_ghost(self, y: int) -> int:
        """Set `ghost_y` to the row where the Tetrimino would land from row `y`, and return it (Guideline 2.4)."""
        masks = self.matrix.masks
        a = self.a
        b = self.b
        c = self.c
        d = self.d
        # Rows from `top` up are empty: skip them.
        if y > self.matrix.top:
            y = self.matrix.top - self.base
        while not (masks[y - 1] & a or masks[y] & b or masks[y + 1] & c or masks[y + 2] & d):
            y -= 1
        self.ghost_y = y
        return y

    def rests(self) -> int:
        """Return nonzero if a Block below stops it from falling a row."""
        masks = self.matrix.masks
        y = self.y
        return masks[y - 1] & self.a or masks[y] & self.b or masks[y + 1] & self.c or masks[y + 2] & self.d

    def see_ghost(self) -> int:
        """Return the landing row; search it only after a movement."""
        return self.find_ghost(self.y) if self.rest_y == _UNKNOWN else self.rest_y

    def shift(self, step: int) -> bool:
        """Move the Tetrimino by one column, -1 or +1; return whether there was room (Guideline 5.1)."""
        if step > 0:
            a = self.a << 1
            b = self.b << 1
            c = self.c << 1
            d = self.d << 1
        else:
            a = self.a >> 1
            b = self.b >> 1
            c = self.c >> 1
            d = self.d >> 1
        y = self.y
        if y < self.matrix.top:
            masks = self.matrix.masks
            if masks[y] & a or masks[y + 1] & b or masks[y + 2] & c or masks[y + 3] & d:
                return False
        elif (a | b | c | d) & WALLS:
            return False
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.x += step
        if self.turned_last:
            self.turned_last = False
            self.point_5_used = False
        self.rest_y = _UNKNOWN if _LAZY else self.find_ghost(self.y)
        return True

    def turn(self, clockwise: int) -> int:
        """Turn the Tetrimino by the Super Rotation System; `clockwise` is 1 or 0 (Guideline 5.3, A1.4).

        Return the rotation point that worked, 1..5, or 0 if all five failed.
        """
        facing = (self.facing + (1 if clockwise else 3)) & 3
        shape = (self.piece - 1) * 16 + facing * 4
        masks = self.matrix.masks
        a = SHAPES[shape]
        b = SHAPES[shape + 1]
        c = SHAPES[shape + 2]
        d = SHAPES[shape + 3]
        index = self.facing * 20 + clockwise * 10
        if self.piece == _I:
            index += 80
        for point in range(5):
            x = self.x + POINTS[index] + 1  # - 2 of the table, + 3 of the mask
            y = self.y + POINTS[index + 1] - 2
            if masks[y] & a << x or masks[y + 1] & b << x or masks[y + 2] & c << x or masks[y + 3] & d << x:
                index += 2
                continue
            self.a = a = a << x
            self.b = b = b << x
            self.c = c = c << x
            self.d = d = d << x
            self.base = 0 if a else 1 if b else 2
            self.x = x - 3
            self.y = y
            self.facing = facing
            self.turned_last = True
            if point == _POINT_5:
                self.point_5_used = True
            self.rest_y = _UNKNOWN if _LAZY else self.find_ghost(y)
            return point + 1
        return 0

    def sink(self, rows: int) -> None:
        """Let the Tetrimino fall by `rows`, at most to its Ghost."""
        self.y -= rows
        if self.turned_last:
            self.turned_last = False
            self.point_5_used = False

    def spin(self) -> int:
        """Return NO_SPIN, MINI_SPIN or FULL_SPIN for the Tetrimino at its place (Guideline 9.1).

        Only a T whose last movement was a rotation can have spun. A and B are the corners beside its nose, C and D the
        other two. Rotation point 5 makes a Mini T-Spin a T-Spin. Further rotations keep this until the T moves or
        falls.
        """
        if self.piece != _T or not self.turned_last:
            return NO_SPIN
        masks = self.matrix.masks
        low = masks[self.y] >> self.x + 3
        high = masks[self.y + 2] >> self.x + 3
        corners = low & 1 | low >> 1 & 2 | (high & 1) << 2 | (high & 4) << 1
        nose = _NOSE_CORNERS[self.facing]
        if corners & nose == nose and corners != nose:
            return FULL_SPIN
        if corners | nose == 15 and corners & nose:
            return FULL_SPIN if self.point_5_used else MINI_SPIN
        return NO_SPIN

    def settle(self) -> bool:
        """Turn the Tetrimino into Blocks; return False if all of it lies above the Skyline (Guideline 10)."""
        self.matrix.lock(self.piece, self.x, self.y, (self.piece - 1) * 16 + self.facing * 4)
        return self.y + self.base < SKYLINE


# With slots, a property searches the Ghost on demand. MicroPython has no slots, and a property would slow down every
# attribute store there: a step would take twice as long. So MicroPython searches the Ghost after each movement.
_LAZY = hasattr(Manipulation, "rest_y")
_SEEN = property(Manipulation.see_ghost, Manipulation.rest_y.__set__) if _LAZY else 0
Manipulation.ghost_y = _SEEN  # type: ignore[assignment]
