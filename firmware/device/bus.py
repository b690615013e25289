"""Hold the I2C lines of the display, at a speed that can be changed while they are in use."""

import busio

from firmware.compat import const

_FAST_HZ = const(1_000_000)


class Bus:
    """Be what a display driver needs of a busio.I2C: try_lock, unlock and writeto.

    These are the methods of the I2C itself, so a driver pays nothing for our standing between.
    hz: the speed, as settings.toml has it unless in a hurry.  i2c: the busio.I2C, or None while the
        lines have no pull-ups: those of the display's module, which was unplugged.
    """

    def __init__(self, scl, sda, hz: int) -> None:
        """Take the lines, at the next try_lock() where they have no pull-ups; raise ValueError for the wrong pins."""
        self.hz = hz
        self.i2c: "busio.I2C | None" = None
        self._scl = scl
        self._sda = sda
        self._usual_hz = hz
        try:
            self._begin()
        except RuntimeError:
            self.deinit()

    def find(self, addresses: list) -> int:
        """Return the first of these addresses that answers; 0 where none does, or nothing pulls up the lines."""
        if not self.try_lock():
            return 0
        try:
            for address in addresses:
                if self.i2c.probe(address):  # type: ignore[union-attr]
                    return address
        finally:
            self.unlock()
        return 0

    def hurry(self, on: int) -> None:
        """Change to 1 MHz, which is more than the display's maker promises, or back to the usual speed."""
        hz = _FAST_HZ if on else self._usual_hz
        if hz != self.hz:
            self.hz = hz
            self.deinit()

    def deinit(self) -> None:
        """Let go of the pins; the next try_lock() takes them again."""
        self.try_lock = self._revive
        if self.i2c is not None:
            self.i2c.deinit()
            self.i2c = None

    def _begin(self) -> None:
        i2c = busio.I2C(self._scl, self._sda, frequency=self.hz)
        self.unlock = i2c.unlock
        self.writeto = i2c.writeto
        self.try_lock = i2c.try_lock
        self.i2c = i2c

    def _revive(self) -> bool:
        """Be try_lock while there is no I2C: look whether the pull-ups are back."""
        try:
            self._begin()
        except RuntimeError:
            return False
        return self.try_lock()
