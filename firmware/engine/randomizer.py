"""Deal Tetriminos from the bag (Guideline 3.3), in the same order on every interpreter.

XOR combines two lag-1 multiply-with-carry generators with base 2**15. Every product fits 30 bits, so a 32-bit
interpreter never needs a big integer. Both moduli, factor * 2**15 - 1, are safe primes, so each generator visits half
of its states before it repeats.
"""

from firmware.compat import const

_FACTOR_A = const(32760)
_FACTOR_B = const(32730)
STATES_A = const((_FACTOR_A << 15) - 2)
STATES_B = const((_FACTOR_B << 15) - 2)
_SPAN = const(1 << 15)

SEEDS = const(1 << 30)


class Random:
    """Draw small random numbers from a seed of 30 bits."""

    def __init__(self, seed: int) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start again from `seed`; use only its low 30 bits."""
        seed &= SEEDS - 1
        a = 1 + seed % STATES_A
        b = 1 + (seed ^ 0x15A4E35) % STATES_B
        # Neighbouring seeds differ in few bits; a dozen steps spread the difference.
        for _ in range(12):
            a = _FACTOR_A * (a & 0x7FFF) + (a >> 15)
            b = _FACTOR_B * (b & 0x7FFF) + (b >> 15)
        self.a = a
        self.b = b

    def below(self, count: int) -> int:
        """Return a number in 0..count-1, all equally likely; `count` is 1..32768."""
        fair = _SPAN - _SPAN % count
        a = self.a
        b = self.b
        drawn = _SPAN
        while drawn >= fair:
            a = _FACTOR_A * (a & 0x7FFF) + (a >> 15)
            b = _FACTOR_B * (b & 0x7FFF) + (b >> 15)
            drawn = (a ^ b) & 0x7FFF
        self.a = a
        self.b = b
        return drawn % count


class Bag:
    """Deal the seven Tetriminos in a random order, then seven again (Guideline 3.3).

    A game accepts any other object with `deal`: a fixed order, or an opponent who chooses.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.order = bytearray((1, 2, 3, 4, 5, 6, 7))
        self.left = 0

    def deal(self) -> int:
        """Return the next Tetrimino, 1..7."""
        if not self.left:
            self.left = 7
        # This is a Fisher-Yates shuffle spread over seven deals.
        order = self.order
        pick = self.random.below(self.left)
        self.left -= 1
        piece = order[pick]
        order[pick] = order[self.left]
        order[self.left] = piece
        return piece
