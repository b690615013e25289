"""Fake CircuitPython's `busio`: an I2C bus with the chips of the workbench on it, and UARTs."""

from workbench import Pin, bench, move

from sim import bus


class I2C(bus.I2C):
    """An I2C bus that checks its pins like the RP2040."""

    def __init__(self, scl: Pin, sda: Pin, *, frequency: int = 100_000, timeout: int = 255) -> None:
        # Peripheral n has SDA on 4k + 2n and SCL on the pin after it.
        if sda.number % 2 or scl.number % 2 == 0 or sda.number // 2 % 2 != scl.number // 2 % 2:
            raise ValueError("Invalid pins")
        if not bench.pull_ups:
            raise RuntimeError("No pull up found on SDA or SCL; check your wiring")
        if frequency > 1_000_000:
            raise ValueError("frequency must be <= 1000000")
        sda.claim(self)
        scl.claim(self)
        super().__init__(*bench.chips)
        self.frequency = frequency
        self._pins = scl, sda

    def deinit(self) -> None:
        for pin in self._pins:
            pin.used_by = None


class SPI:
    """An SPI bus that checks its pins like the RP2040."""

    def __init__(self, clock: Pin, MOSI: Pin) -> None:  # noqa: N803  # as CircuitPython spells it
        if clock.number % 4 != 2 or MOSI.number % 4 != 3 or clock.number // 8 % 2 != MOSI.number // 8 % 2:
            raise ValueError("Invalid pins")
        clock.claim(self)
        MOSI.claim(self)


class UART:
    """A UART that checks its pins like the RP2040, sends at its baud rate and buffers 32 bytes in the chip."""

    def __init__(
        self,
        tx: Pin | None = None,
        rx: Pin | None = None,
        *,
        baudrate: int = 9600,
        timeout: float = 1,
        receiver_buffer_size: int = 64,
    ) -> None:
        if tx is None and rx is None:
            raise ValueError("tx and rx cannot both be None")
        # Peripheral n has TX on 8k + 4n + 4 and 8k + 4n + 0, RX on the pin after it.
        first = tx or rx
        assert first
        step = 2 if bench.chip == "RP2350" else 4  # an RP2350 also has TX and RX where an RP2040 has CTS and RTS
        for pin, place in ((tx, 0), (rx, 1)):
            if pin and (pin.number % step != place or (pin.number + 4) // 8 % 2 != (first.number + 4) // 8 % 2):
                raise ValueError("Invalid pins")
            if pin:
                pin.claim(self)
        if timeout < 0 or timeout > 100:
            raise ValueError("timeout must be 0.0-100.0 seconds")
        self.baudrate = baudrate
        self.timeout = timeout
        self._buffer_size = receiver_buffer_size
        self._received = bytearray()
        self._busy_until_ms = 0.0
        self.waited_ms = 0.0
        bench.uarts.append(self)

    def arrive(self, data: bytes) -> None:
        """Receive bytes from the wire; drop those that do not fit into the buffer."""
        self._received += data[: self._buffer_size - len(self._received)]

    @property
    def in_waiting(self) -> int:
        return len(self._received)

    def readinto(self, buffer: bytearray) -> int | None:
        """Move received bytes into `buffer`; return how many, or None for none."""
        assert not self.timeout, "would wait"
        return move(self._received, buffer) or None

    def write(self, data: bytes) -> int:
        """Send all bytes; count the wait until the last 32 are in the chip."""
        now_ms = float(bench.passed_ms)
        self._busy_until_ms = max(now_ms, self._busy_until_ms) + len(data) * 10_000 / self.baudrate
        self.waited_ms += max(0.0, self._busy_until_ms - now_ms - 32 * 10_000 / self.baudrate)
        bench.sent += bytes(data)
        return len(data)
