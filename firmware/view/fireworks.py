"""Let fireworks rise and burst over a picture: sparks are inverted pixels, so what lies under them comes back."""

from firmware.compat import const

_SPARKS = const(14)
_BURSTS = const(3)  # in the sky at the same time
_ALL = const(42)
_WIDTH = const(64)
_FLOOR = const(127)
_LIFE = const(34)  # steps that a spark glows
_STEPS = const(2)  # frames from one step to the next: thirty a second are enough, and half the work
_FINE = const(4)  # bits behind the point of a position
_NOWHERE = const(-1)

# Where sparks fly, in sixteenths of a pixel a step: two rings
_ACROSS = (24, 17, 0, -17, -24, -17, 0, 17, 12, 6, -6, -12, -6, 6)
_DOWN = (0, 17, 24, 17, 0, -17, -24, -17, 0, 10, 10, 0, -10, -10)


class Fireworks:
    """Shoot `count` rockets one after the other; `draw` allocates nothing.

    seed: which way they go.  left: rockets that are still to be shot.
    """

    def __init__(self, canvas, count: int, seed: int) -> None:
        self.buffer = canvas.buffer
        self.dirty = canvas.dirty
        self.left = count
        self.seed = seed & 0xFFFF
        self.frame = 0
        self.pause = 0
        self.pixel = [_NOWHERE] * _ALL  # y << 6 | x of what each spark inverts now
        self.across = [0] * _ALL
        self.down = [0] * _ALL
        self.x = [0] * _BURSTS  # of a rocket, and where it burst
        self.y = [0] * _BURSTS
        self.age = [_LIFE] * _BURSTS  # steps since the burst, or how far below it a rocket is

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
            if age >= _LIFE:
                if self.left and not self.pause:
                    self.shoot(i)
            elif age < 0:
                if self.rise(i):
                    count += 1
            else:
                self.fly(i)
        return count

    def chance(self, count: int) -> int:
        """Return a number from 0 to count - 1."""
        self.seed = seed = (self.seed * 1021 + 12345) & 0xFFFF
        return (seed >> 4) % count

    def shoot(self, i: int) -> None:
        """Start a rocket from the lower edge."""
        self.left -= 1
        self.pause = 4 + self.chance(8)
        self.x[i] = 10 + self.chance(44)
        self.y[i] = 14 + self.chance(50)
        self.age[i] = -(_FLOOR - self.y[i]) // 4

    def rise(self, i: int) -> bool:
        """Move a rocket up; return whether it burst."""
        self.age[i] += 1
        age = self.age[i]
        first = i * _SPARKS
        if age < 0:
            self.flip(first, self.x[i], self.y[i] - 4 * age)
            return False
        for spark in range(first, first + _SPARKS):
            self.across[spark] = self.x[i] << _FINE
            self.down[spark] = self.y[i] << _FINE
        self.fly(i)
        return True

    def fly(self, i: int) -> None:
        """Move the sparks of a burst on; they slow down, fall and go out one after the other."""
        self.age[i] += 1
        age = self.age[i]
        first = i * _SPARKS
        slow = 1 + age // 9
        for spark in range(_SPARKS):
            at = first + spark
            x = self.across[at] = self.across[at] + _ACROSS[spark] // slow
            y = self.down[at] = self.down[at] + _DOWN[spark] // slow + age // 3
            if age + spark >= _LIFE:
                self.flip(at, _NOWHERE, 0)
            else:
                self.flip(at, x >> _FINE, y >> _FINE)

    def flip(self, at: int, x: int, y: int) -> None:
        """Take spark `at` away from where it was, and invert the pixel where it is now, if it is in the picture."""
        buffer = self.buffer
        dirty = self.dirty
        was = self.pixel[at]
        now = _NOWHERE
        if 0 <= x < _WIDTH and 0 <= y <= _FLOOR:
            now = y << 6 | x
        if was == now:
            return
        if was >= 0:
            buffer[1 + (was >> 3)] ^= 1 << (was & 7)
            dirty[was >> 6] = 1
        if now >= 0:
            buffer[1 + (now >> 3)] ^= 1 << (now & 7)
            dirty[y] = 1
        self.pixel[at] = now


def draw_still(canvas, count: int) -> None:
    """Draw a burst for every rocket, at most twelve, for a player who wants nothing to move."""
    for i in range(count if count < 12 else 12):
        x = 8 + i * 7 % 12 * 4
        y = 8 + (i * 5 + i // 4) % 12 * 10
        for spark in range(_SPARKS):
            canvas.fill(x + _ACROSS[spark] // 4, y + _DOWN[spark] // 4, 1, 1, 1)
