"""Hold the state around the faked board: its wiring, the time, and what the firmware set.

The modules beside this one have the names of CircuitPython's and fake pins and buses, so everything
in firmware/device runs unchanged. A test presses a pin, lets time pass, and looks at what the bus and
the pins carried.
"""

from typing import Any

TICKS_PERIOD = 1 << 29
POWER_ON_MS = TICKS_PERIOD - 65_000


class Pin:
    """A pin of the RP2040: pulled up, its contact open."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.level = True
        self.used_by: Any = None

    def press(self) -> None:
        self.level = False

    def release(self) -> None:
        self.level = True

    def claim(self, owner: Any) -> None:
        """Give the pin to `owner`; refuse a second owner like the board."""
        if self.used_by is not None:
            raise ValueError(f"GP{self.number} in use")
        self.used_by = owner


class Panel:
    """A display on a displayio bus, or a built-in one; it records its options and its picture."""

    def __init__(self, chip: str, bus: Any = None, **options: Any) -> None:
        self.chip = chip
        self.bus = bus
        self.options = options
        self._rotation = options.get("rotation", 0)
        self.width = options.get("width", 64)
        self.height = options.get("height", 128)
        self.has_backlight = True
        self._brightness = 1.0
        self.auto_refresh = options.get("auto_refresh", True)
        self.root_group: Any = None
        self.picture = b""
        bench.displays.append(self)
        light_up(options.get("backlight_pin"))

    @property
    def brightness(self) -> float:
        """The brightness, 0 to 1; every display has one, but without a backlight it cannot be set."""
        return self._brightness

    @brightness.setter
    def brightness(self, level: float) -> None:
        if not self.has_backlight:
            raise RuntimeError("Brightness not adjustable")
        self._brightness = level

    @property
    def rotation(self) -> int:
        """The rotation in degrees; by 90 it exchanges width and height."""
        return self._rotation

    @rotation.setter
    def rotation(self, degrees: int) -> None:
        if (degrees - self._rotation) % 180:
            self.width, self.height = self.height, self.width
        self._rotation = degrees

    def refresh(self) -> None:
        assert self in bench.displays, "the display was released"
        group = self.root_group
        at = 0
        for band in group:
            assert band.y == at, "a band lies on another or leaves a gap"
            at += band.height
        self.picture = b"" if group.hidden else b"".join(group)


def light_up(pin: "Pin | None") -> None:
    """Light a display's backlight as displayio does: by PWM of 50 kHz, or plainly if another part has that slice."""
    if pin is None or pin.used_by is not None:
        return
    from pwmio import PWMOut  # type: ignore[import-not-found, unused-ignore]

    try:
        PWMOut(pin, frequency=50_000)
    except RuntimeError:
        pin.claim("backlight")


class Workbench:
    """The state that outlives an import of the faked modules."""

    def __init__(self) -> None:
        self.pins = [Pin(number) for number in range(48)]
        self.board_id = "raspberry_pi_pico"
        self.chip = "RP2040"
        self.pin_names = {f"GP{number}": number for number in range(29)} | {"GP26_A0": 26, "A0": 26, "LED": 25}
        self.chips: list[Any] = []
        self.scanners: list[Any] = []
        self.outputs: list[Any] = []
        self.switched: list[tuple[int, int, bool]] = []  # time, pin, level
        self.nvm: bytearray | None = bytearray(b"\xff" * 4096)
        self.now_ms = POWER_ON_MS
        self.slept_s = 0.0
        self.usb_identification: tuple[str, ...] = ()
        self.display: Panel | None = None
        self.displays: list[Panel] = []
        self.pull_ups = True
        self.drive_is_ours = False
        self.previous_traceback: str | None = None
        self.next_code: dict = {}
        self.sleep_memory = bytearray(256)
        self.uarts: list[Any] = []
        self.amplifiers: list[Any] = []
        self.sent = bytearray()  # bytes from all UARTs
        self.passed_ms = 0
        self.usb_data = False

    def pass_time(self, ms: int) -> None:
        """Let `ms` milliseconds pass; the button scanners read their pins meanwhile."""
        for _ in range(ms):
            self.now_ms = (self.now_ms + 1) % TICKS_PERIOD
            self.passed_ms += 1
            for scanner in self.scanners:
                scanner.scan()

    def sleep(self, seconds: float) -> None:
        self.slept_s += seconds
        self.pass_time(max(1, round(seconds * 1000)))


def move(received: bytearray, buffer: bytearray) -> int:
    count = min(len(buffer), len(received))
    buffer[:count] = received[:count]
    del received[:count]
    return count


bench = Workbench()
