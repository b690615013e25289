"""Hold the I2C lines of the display and change their speed while they are in use."""

import busio

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from microcontroller import Pin

_FAST_HZ = const(1_000_000)


class Bus:
    """Provide the methods of busio.I2C that a display driver needs: try_lock, unlock and writeto.

    They are bound methods of the busio.I2C, so this wrapper costs no time. hz: the speed of settings.toml, unless
    `hurry` raised it. i2c: the busio.I2C; None after deinit(), or while an unplugged display leaves no pull-ups.
    """

    def __init__(self, scl: "Pin", sda: "Pin", hz: int) -> None:
        """Take the lines, or wait for try_lock() if they lack pull-ups; raise ValueError for the wrong pins."""
        self.hz = hz
        self.i2c: "busio.I2C | None" = None
        self._scl = scl
        self._sda = sda
        self._usual_hz = hz
        try:
            self._begin()
        except RuntimeError:
            self.deinit()

    def find(self, addresses: list[int]) -> int:
        """Return the first of these addresses that answers; 0 if none does or the lines lack pull-ups."""
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
        """Change to 1 MHz, beyond the display's specification, or back to the usual speed."""
        hz = _FAST_HZ if on else self._usual_hz
        if hz != self.hz:
            self.hz = hz
            self.deinit()

    def deinit(self) -> None:
        """Release the pins; the next try_lock() takes them again."""
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
        """Replace try_lock while `i2c` is None: take the lines if they have pull-ups again, and lock them."""
        try:
            self._begin()
        except RuntimeError:
            return False
        return self.try_lock()
