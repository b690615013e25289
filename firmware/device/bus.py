"""Hold the I2C lines of the display, at a speed that can be changed while they are in use."""

import busio


def never() -> bool:
    """Stand in for `try_lock` where there is no bus."""
    return False


class Bus:
    """Be what a display driver needs of a busio.I2C: try_lock, unlock and writeto.

    These are the methods of the I2C itself, so a driver pays nothing for our standing between.
    hz: the speed that was asked for last.  i2c: the busio.I2C, or None while there are no pull-ups.
    """

    def __init__(self, scl, sda, hz: int) -> None:
        self._scl = scl
        self._sda = sda
        self.i2c: "busio.I2C | None" = None
        self.set_speed(hz)

    def set_speed(self, hz: int) -> None:
        """Begin anew at `hz`; raise RuntimeError when the lines have no pull-ups: no display is wired to them."""
        self.hz = hz
        self.deinit()
        i2c = busio.I2C(self._scl, self._sda, frequency=hz)
        self.unlock = i2c.unlock
        self.writeto = i2c.writeto
        self.try_lock = i2c.try_lock
        self.i2c = i2c

    def deinit(self) -> None:
        """Let go of the pins."""
        self.try_lock = never
        if self.i2c is not None:
            self.i2c.deinit()
            self.i2c = None
