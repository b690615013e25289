"""A Raspberry Pi 4 below Blinka: what Linux shows of its pins, its I2C bus and its clock.

Blinka, Adafruit's libraries and Python's part of gpiod are the real ones; only what they ask of Linux is answered here.
Import this before `board`.
"""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import adafruit_platformdetect
import gpiod
from Adafruit_PureIO import smbus

import sim.clock
from sim.chip import Ssd1306Chip

LABEL = "pinctrl-bcm2711"
LINES = 58
_CPU = {"Hardware": "BCM2711", "Revision": "c03114"}
_I2C_SLAVE = 0x0703


class Line:
    """A pin: what pulls it, what contact grounds it, and who listens."""

    def __init__(self) -> None:
        self.grounded = False
        self.settings: Any = None
        self.request: Request | None = None
        self.user = ""

    @property
    def level(self) -> int:
        """The logical level; without a pull-up, an open contact could be anything."""
        assert self.settings.bias == gpiod.line.Bias.PULL_UP.value, "nothing pulls this pin up"
        return int(not self.grounded) ^ int(self.settings.active_low)


class RaspberryPi:
    """The whole machine; `install` puts it under the libraries.

    now_ns: the time, which passes by sleeping alone.  later: what happens when, in order.  tones: (Hz, duty) of PWM.
    """

    def __init__(self, chip: Ssd1306Chip) -> None:
        self.now_ns = 7_000_000_000
        self.later: list[tuple[int, Callable[[], object]]] = []
        self.chip: Ssd1306Chip | None = chip
        self.lines = [Line() for _ in range(LINES)]
        self.tones: list[tuple[int, int]] = []
        self.absent: set[str] = set()  # devices that do not exist
        self.closed: set[str] = set()  # devices that only others may open
        self.gpiochips = ["/dev/gpiochip0"]
        self.has_pwm = True

    def sleep(self, seconds: float) -> None:
        """Let time pass, and happen what is due."""
        end_ns = self.now_ns + round(seconds * 1e9)
        while self.later and self.later[0][0] <= end_ns:
            self.now_ns, work = self.later.pop(0)
            work()
        self.now_ns = end_ns

    def at(self, ms: float, work: Callable[[], object]) -> None:
        """Let something happen `ms` from now."""
        self.later.append((self.now_ns + round(ms * 1e6), work))
        self.later.sort(key=lambda due: due[0])

    def ground(self, number: int, grounded: bool) -> None:
        """Close or open the contact between a pin and ground."""
        line = self.lines[number]
        if line.grounded == grounded:
            return
        line.grounded = grounded
        if line.request:
            line.request.notice(number, line.level, self.now_ns)

    def open(self, path: str) -> None:
        """Raise the OSError of a device that cannot be opened."""
        if path in self.absent:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if path in self.closed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    def install(self) -> None:
        """Put this machine under Blinka, gpiod, PureIO and the game's clock."""
        os.environ["BLINKA_SKIP_DEPENDENCY_CHECK"] = "1"
        detector: Any = adafruit_platformdetect.Detector
        detector.get_cpuinfo_field = lambda _self, field: _CPU.get(field)
        clock: Any = sim.clock
        clock.time = SimpleNamespace(monotonic_ns=lambda: self.now_ns, sleep=self.sleep)
        bus: Any = smbus
        bus.open = lambda path, *_how, **_more: I2cDevice(self, path)
        bus.ioctl = lambda device, request, address: device.select(request, address)
        extension: Any = gpiod._ext
        extension.Chip = lambda path: Chip(self, path)
        extension.LineSettings = SimpleNamespace
        extension.LineConfig = LineConfig
        from adafruit_blinka.microcontroller.generic_linux import raspberry_pi_pin

        raspberry_pi_pin._chip_paths = lambda: [Path(path) for path in self.gpiochips]
        pwm: Any = ModuleType("adafruit_blinka_raspberry_pi_pwm")
        pwm.PWMOut = type("PWMOut", (Pwm,), {"tones": self.tones})
        sys.modules[pwm.__name__] = pwm if self.has_pwm else None  # type: ignore[assignment]


class I2cDevice:
    """An opened /dev/i2c-N."""

    def __init__(self, machine: RaspberryPi, path: str) -> None:
        machine.open(path)
        assert path == "/dev/i2c-1", f"{path} is not on the header"
        self._machine = machine
        self._address = 0

    def fileno(self) -> "I2cDevice":
        return self

    def select(self, request: int, address: int) -> None:
        """Choose the chip of the next transfers."""
        assert request == _I2C_SLAVE
        self._address = address

    def write(self, transfer: bytes) -> None:
        chip = self._machine.chip
        if chip is None or chip.address != self._address:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        chip.write(bytes(transfer))

    def close(self) -> None:
        """Do nothing."""


class LineConfig:
    def __init__(self) -> None:
        self.settings: dict[int, Any] = {}

    def add_line_settings(self, offsets: list[int], settings: Any) -> None:
        self.settings.update(dict.fromkeys(offsets, settings))


class Chip:
    """An opened /dev/gpiochipN."""

    fd = -1

    def __init__(self, machine: RaspberryPi, path: str) -> None:
        machine.open(path)
        self._machine = machine
        self.path = path

    def get_info(self) -> gpiod.ChipInfo:
        """Return what chip this is; only the first one has the header."""
        return gpiod.ChipInfo("gpiochip0", LABEL if self.path == "/dev/gpiochip0" else "raspberrypi-exp-gpio", LINES)

    def get_line_name(self, offset: int) -> str:
        return f"GPIO{offset}"

    def get_line_info(self, offset: int, _watch: bool) -> Any:
        """Return whether a line is used, and by whom."""
        line = self._machine.lines[offset]
        return SimpleNamespace(used=bool(line.user or line.request), consumer=line.user)

    def request_lines(self, config: LineConfig, _consumer: str | None, event_buffer_size: int | None) -> "Request":
        """Take lines; raise OSError if one is in use."""
        if any(self._machine.lines[offset].user or self._machine.lines[offset].request for offset in config.settings):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return Request(self._machine, config.settings, event_buffer_size or 16 * len(config.settings))

    def close(self) -> None:
        """Do nothing: requests outlive their chip."""


class Request:
    """Lines that one program has; its events wait in a queue that loses the oldest when it is full."""

    chip_name = "gpiochip0"

    def __init__(self, machine: RaspberryPi, settings: dict[int, Any], room: int) -> None:
        self._machine = machine
        self._room = room
        self._events: list[gpiod.EdgeEvent] = []
        self.offsets = list(settings)
        self.num_lines = len(settings)
        self.fd, self._bell = os.pipe()
        os.set_blocking(self.fd, False)
        for offset, setting in settings.items():
            machine.lines[offset].request, machine.lines[offset].settings = self, setting

    def notice(self, offset: int, level: int, now_ns: int) -> None:
        """Queue the event of a line whose logical level changed."""
        settings = self._machine.lines[offset].settings
        assert settings.edge_detection == gpiod.line.Edge.BOTH.value
        assert settings.event_clock == gpiod.line.Clock.MONOTONIC.value
        kind = gpiod.EdgeEvent.Type.RISING_EDGE if level else gpiod.EdgeEvent.Type.FALLING_EDGE
        self._events = [*self._events, gpiod.EdgeEvent(kind.value, now_ns, offset, 0, 0)][-self._room :]
        os.write(self._bell, b"!")

    def read_edge_events(self, most: int | None) -> list[gpiod.EdgeEvent]:
        assert self._events, "this would wait for ever"
        read, self._events = self._events[:most], self._events[most or len(self._events) :]
        os.read(self.fd, 1 << 16)
        if self._events:
            os.write(self._bell, b"!")
        return read

    def get_values(self, offsets: list[int], values: list[Any]) -> None:
        values[:] = [gpiod.line.Value(self._machine.lines[offset].level) for offset in offsets]

    def release(self) -> None:
        for offset in self.offsets:
            self._machine.lines[offset].request = None
        os.close(self.fd)
        os.close(self._bell)


class Pwm:
    """The PWM package below Blinka's pwmio: note every tone."""

    deinitialized = False
    tones: list[tuple[int, int]]

    def __init__(self, pin: Any, frequency: int, duty_cycle: int, variable_frequency: bool) -> None:
        assert variable_frequency and pin.id == 18
        self._hz = frequency
        self._duty = duty_cycle

    @property
    def frequency(self) -> int:
        return self._hz

    @frequency.setter
    def frequency(self, hz: int) -> None:
        self._hz = hz

    @property
    def duty_cycle(self) -> int:
        """The duty, 0..65535."""
        return self._duty

    @duty_cycle.setter
    def duty_cycle(self, duty: int) -> None:
        self._duty = duty
        self.tones.append((self._hz, duty))

    def deinit(self) -> None:
        """Do nothing."""
