"""Show fireworks behind a town of Tetriminos; a higher score gives more and larger ones (Guideline 11.1)."""

from array import array

from firmware.compat import TYPE_CHECKING, const
from firmware.view.canvas import WIDTH
from firmware.view.logo import LOGO, LOGO_HEIGHT

if TYPE_CHECKING:
    from firmware.contracts import Canvas

MOST = const(40)  # rockets
_SCORE = const(3000)  # points for each rocket

_BURSTS = const(3)  # rockets in the air at the same time
_SPARKS = const(16)
_STEPS = const(2)  # frames a step: thirty a second are enough, and half the work
_FUSE = const(24)  # steps that a rocket rises
_LIFE = const(24)  # steps that its sparks glow
_TAILED = const(14)  # steps in which a spark draws a line
_FADING = const(17)  # step from which a spark twinkles
_FINE = const(4)  # bits behind the point of a position
_TOWN_Y = const(44)
_TOWN_AT = const(16)  # the town is the logo from this row on
_TOWN_HEIGHT = const(30)

# 16 + 16 * the cosine of 0 to 19 sixteenths of a turn; the sine lies four places further on.
_COSINES = b"\x20\x1f\x1b\x16\x10\x0a\x05\x01\x00\x01\x05\x0a\x10\x16\x1b\x1f\x20\x1f\x1b\x16"

# The town's topmost row in the first 2 columns of the picture, in 12 times 5 columns and in the last 2
_ROOFS = b"\x4a\x40\x40\x36\x3b\x36\x3b\x2c\x45\x3b\x40\x40\x36\x4a"


def count_rockets(score: int) -> int:
    """Return how many rockets a score is worth: one, and one more for every 3,000 points."""
    return min(1 + score // _SCORE, MOST)


def draw_town(canvas: "Canvas") -> None:
    """Draw the town below the sky; keep the rows from 75 down."""
    for strip in range(WIDTH >> 3):
        canvas.tile(strip * 8, _TOWN_Y, 8, _TOWN_HEIGHT, LOGO, strip * LOGO_HEIGHT + _TOWN_AT)


class Fireworks:
    """Shoot `count` rockets in turn, 1 to MOST; with a higher count each burst is larger.

    Sparks invert pixels of the sky, which restores it. `draw` allocates nothing.

    seed: of their places and times. left: rockets still to come.
    """

    def __init__(self, canvas: "Canvas", count: int, seed: int) -> None:
        self.buffer = canvas.buffer
        self.dirty = canvas.dirty
        self.count = self.left = min(max(count, 1), MOST)
        self.seed = seed & 0xFFFF
        self.frame = 0
        self.pause = 0
        self.sparks = 8 + self.count * 8 // MOST & ~1
        self.age = bytearray(_BURSTS)  # 0 on the ground
        self.x = array("h", bytes(2 * _BURSTS))  # place of each burst
        self.y = array("h", bytes(2 * _BURSTS))
        self.across = array("h", bytes(2 * _BURSTS))  # distance that its sparks fly
        # The inverted pixels, 8 + (y << 6 | x), 0 for none: of this step and of the step before.
        self.pixel = array("H", bytes(2 * _BURSTS * _SPARKS))
        self.last = array("H", bytes(2 * _BURSTS * _SPARKS))

    def draw(self) -> int:
        """Move everything on by a frame; return how many rockets burst."""
        self.frame += 1
        if self.frame % _STEPS:
            return 0
        count = 0
        if self.pause:
            self.pause -= 1
        for i in range(_BURSTS):
            age = self.age[i]
            if age:
                self.age[i] = age + 1 if age < _FUSE + _LIFE + 2 else 0
                self.fly(i, age)
                if age == _FUSE:
                    count += 1
            elif self.left and not self.pause:
                self.shoot(i)
        return count

    def chance(self, count: int) -> int:
        """Return a random number from 0 to count - 1."""
        self.seed = seed = (self.seed * 1021 + 12345) & 0xFFFF
        return (seed >> 4) % count

    def shoot(self, i: int) -> None:
        """Start a rocket behind the town, beside the last one."""
        self.left -= 1
        self.pause = 10 + self.chance(8)
        self.age[i] = 1
        self.x[i] = 8 + self.left * 13 % 40 + self.chance(6) << _FINE
        self.y[i] = 12 + self.chance(16) << _FINE
        self.across[i] = 112 + self.count * 4 + self.chance(40)

    def fly(self, i: int, age: int) -> None:
        """Draw a rocket at its age: a rising line, then sparks that slow down, fall and go out."""
        # One function: three bursts of 16 sparks would make up to 144 calls in a frame.
        pixel = self.pixel
        last = self.last
        buffer = self.buffer
        dirty = self.dirty
        x = self.x[i]
        y = self.y[i]
        first = i * _SPARKS
        count = self.sparks
        age -= _FUSE
        outer = 0
        # Where the burst is, and how far its sparks have flown; odd ones fly little more than half as far.
        if age <= 0:
            count = 1
            y += age * age * 11 >> 3
        else:
            outer = self.across[i] * (_LIFE * _LIFE - (_LIFE - age) * (_LIFE - age)) // (_LIFE * _LIFE)
            y += age * age >> 2
        inner = outer * 9 >> 4
        for spark in range(first, first + count):
            # Restore the pixel of the step before; keep that of the last step as its tail.
            at = last[spark]
            if at:
                buffer[at >> 3] ^= 1 << (at & 7)
                dirty[at - 8 >> 6] = 1
            was = pixel[spark]
            if was and age >= _TAILED:
                buffer[was >> 3] ^= 1 << (was & 7)
                dirty[was - 8 >> 6] = 1
                was = 0
            # Invert the pixel of this step, in the sky only.
            at = 0
            if age <= _LIFE and (age < _FADING or (spark + age) % 3):
                turn = (spark - first << 4) // count
                far = inner if spark & 1 else outer
                column = x + (far * (_COSINES[turn] - 16) >> 4) >> _FINE
                row = y + (far * (_COSINES[turn + 4] - 16) >> 4) >> _FINE
                if 0 <= column < WIDTH and 0 <= row < _ROOFS[(column + 3) // 5]:
                    at = 8 + (row << 6) + column
                    if at == was:
                        was = 0
                    else:
                        buffer[at >> 3] ^= 1 << (at & 7)
                        dirty[row] = 1
            last[spark] = was
            pixel[spark] = at


def draw_still(canvas: "Canvas", count: int) -> None:
    """Draw a sky with a burst for every rocket, at most five, for players who turned motion off."""
    works = Fireworks(canvas, count, 99)
    for i in range(min(works.count, 5)):
        works.shoot(0)
        works.y[0] = 11 + i * 7 % 15 << _FINE
        works.fly(0, _FUSE + 8 + i % 3)
        works.fly(0, _FUSE + 10 + i % 3)
        for spark in range(_SPARKS):
            works.pixel[spark] = works.last[spark] = 0
