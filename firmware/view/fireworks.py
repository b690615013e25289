"""Let fireworks rise over a town at night, as many and as large as a result deserves (Guideline 11.1)."""

from array import array

from firmware.compat import const

MOST = const(20)

_WIDTH = const(64)
_GROUPS = const(3)  # rockets that are in the air at once
_SPARKS = const(16)
_FUSE = const(24)  # ticks that a rocket rises, and that its sparks glow
_GLOW = const(24)
_TAILED = const(14)  # ticks of the glow in which a spark draws a line, and then until it twinkles
_FADING = const(17)
_PITCH = const(16)  # ticks from rocket to rocket
_REST = const(36)  # and between two volleys
_ONE = const(4)  # places are in sixteenths of a pixel

# 16 + 16 * the cosine of 0 to 19 sixteenths of a turn; the sine lies four places further on.
_COSINES = b"\x20\x1f\x1b\x16\x10\x0a\x05\x01\x00\x01\x05\x0a\x10\x16\x1b\x1f\x20\x1f\x1b\x16"


class Fireworks:
    """Fire volleys of rockets above the roofs of a town; each bursts into a ball of sparks.

    count: rockets in a volley, 1 to MOST; the more there are, the larger each.
    roofs: 14 bytes, for 2 columns of the picture, 12 times 5 and 2 the topmost row that the town hides.
    top: the first row of the sky.  fired: rockets of this volley yet.

    A tick moves everything on; 25 a second look natural.  It allocates nothing.
    """

    def __init__(self, canvas, roofs: bytes, top: int, count: int, seed: int) -> None:
        self.canvas = canvas
        self.roofs = roofs
        self.top = top
        self.count = min(max(count, 1), MOST)
        self.seed = seed & 0xFFFF
        self.fired = 0
        self.wait = 0
        self.sparks = 8 + self.count * 8 // MOST & ~1
        self.age = bytearray(_GROUPS)  # 0 on the ground
        self.x = array("h", bytes(2 * _GROUPS))  # where each bursts
        self.y = array("h", bytes(2 * _GROUPS))
        self.radius = array("h", bytes(2 * _GROUPS))
        # The pixels that are lit, byte * 8 + bit, 0 for none: of this tick, and of the one before.
        self.lit = array("H", bytes(2 * _GROUPS * _SPARKS))
        self.last = array("H", bytes(2 * _GROUPS * _SPARKS))

    def chance(self, count: int) -> int:
        """Return a number from 0 to `count` - 1."""
        self.seed = (self.seed * 75 + 74) % 65537
        return (self.seed >> 3) % count

    def fire(self, group: int) -> None:
        """Send a rocket up, beside the one before."""
        self.fired += 1
        self.age[group] = 1
        self.x[group] = (8 + self.fired * 13 % 40 + self.chance(6)) << _ONE
        self.y[group] = (self.top + 12 + self.chance(16)) << _ONE
        self.radius[group] = 112 + self.count * 8 + self.chance(40)

    def tick(self) -> None:
        """Move on what is in the air and fire the next rocket when its time has come."""
        idle = True
        for group in range(_GROUPS):
            age = self.age[group]
            if age:
                idle = False
                self.age[group] = age + 1 if age < _FUSE + _GLOW + 2 else 0
                self.draw(group, age)
            elif not self.wait and self.fired < self.count:
                self.wait = _PITCH
                self.fire(group)
                idle = False
        if self.wait:
            self.wait -= 1
        elif idle:
            self.wait = _REST
            self.fired = 0

    def draw(self, group: int, age: int) -> None:
        """Draw a rocket as it is at an age: a line while it rises, then its sparks."""
        lit = self.lit
        last = self.last
        buffer = self.canvas.buffer
        dirty = self.canvas.dirty
        roofs = self.roofs
        top = self.top
        x = self.x[group]
        y = self.y[group]
        first = group * _SPARKS
        count = self.sparks
        glow = age - _FUSE
        outer = 0
        if glow <= 0:
            count = 1
            y += glow * glow * 11 >> 3
        else:
            # Fast at first, then slower, and down.
            outer = self.radius[group] * (_GLOW * _GLOW - (_GLOW - glow) * (_GLOW - glow)) // (_GLOW * _GLOW)
            y += glow * glow >> 2
        inner = outer * 9 >> 4
        for i in range(first, first + count):
            at = last[i]
            if at:
                buffer[at >> 3] &= ~(1 << (at & 7))
                dirty[at - 8 >> 6] = 1
            at = lit[i]
            if at and glow >= _TAILED:
                buffer[at >> 3] &= ~(1 << (at & 7))
                dirty[at - 8 >> 6] = 1
                at = 0
            last[i] = at
            at = 0
            if glow <= _GLOW and (glow < _FADING or (i + glow) % 3):
                turn = (i - first << 4) // count
                far = inner if i & 1 else outer
                column = x + (far * (_COSINES[turn] - 16) >> 4) >> _ONE
                row = y + (far * (_COSINES[turn + 4] - 16) >> 4) >> _ONE
                if 0 <= column < _WIDTH and top <= row < roofs[(column + 3) // 5]:
                    at = 8 + (row << 6) + column
                    buffer[at >> 3] |= 1 << (at & 7)
                    dirty[row] = 1
            lit[i] = at

    def draw_still(self) -> None:
        """Draw a picture that stands, for who wants no motion: up to five balls."""
        for number in range(min(self.count, 5)):
            self.fire(0)
            age = _FUSE + 8 + number % 3
            self.draw(0, age)
            self.draw(0, age + 2)
            for i in range(_SPARKS):
                self.lit[i] = self.last[i] = 0
