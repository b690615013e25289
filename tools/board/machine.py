"""Run a Raspberry Pi Pico and the parts wired to it, in cycles of 125 MHz."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tools.board import BoardError
from tools.board.display_bus import I2cBus, SpiBus
from tools.board.rp2040 import layout, loop, power, ssi
from tools.board.rp2040.layout import HZ
from tools.board.usb_host import UsbHost

_SLEEP_GAP_S = 0.000_3  # longer than from one call of time.sleep() to the next in the same wait
_LOGS = ("sent", "tones", "sleeps", "polls", "writes")


@dataclass(frozen=True)
class Tone:
    """A tone of the buzzer from `time_s` on; silence has hz 0.  duty: share of a period in which the pin is high."""

    time_s: float
    hz: float
    duty: float


@dataclass(frozen=True)
class Sleep:
    """A wait of the game: one or more calls of time.sleep() in a row."""

    start_s: float
    end_s: float


@dataclass(frozen=True)
class Write:
    """An operation of the flash: it erases a sector, or programs a part of a page."""

    time_s: float
    address: int
    erases: bool


@dataclass
class Cut:
    """A power cut that is to come: in the operation `number` of the flash from now on.

    erases: count only operations that erase, or only those that do not.  done: share of it that is finished, 0 to 1.
    """

    number: int
    erases: bool | None = None
    done: float = 0.5


@dataclass(frozen=True)
class Snapshot:
    """A copy of a Machine's whole state.  logs: by their names in the Machine."""

    chip: np.void
    host: UsbHost
    bus: I2cBus | SpiBus
    logs: dict[str, list[Any]]
    sleep_start: int


class Machine:
    """Run the chip with its USB host, display, buzzer and serial link.

    chip: the record of rp2040/layout.py.  sent: (cycle, byte) of each byte that left by UART; the Ring clears it.
    polls: times at which the game polled the buttons.  writes: what the flash did since power-on.
    on_watched: called when the core reaches `watched_pc`.  cut: the power cut that is to come.
    """

    def __init__(self, flash: bytes, rom: np.ndarray, bus: I2cBus | SpiBus, seed: int = 1, fast: bool = True) -> None:
        self.chip: np.void = power.make_chip(rom)
        self.chip["flash"] = np.frombuffer(flash, "<u4")
        self.seed = seed
        self.fast = fast
        self.bus = bus
        self.host = UsbHost()
        self.sent: list[tuple[int, int]] = []
        self.tones: list[Tone] = []
        self.sleeps: list[Sleep] = []
        self.polls: list[float] = []
        self.writes: list[Write] = []
        self.cut: Cut | None = None
        self.is_on = False
        self.on_watched: Callable[[], None] | None = None
        self._sleep_start = -1

    def wire(self, buzzer: int, pulled_up: int) -> None:
        """Connect the display and the buzzer; `pulled_up` is a mask of more pins with resistors to 3.3 V."""
        self.bus.wire(self.chip)
        self.chip["buzzer"], self.chip["pulled_up"] = buzzer, pulled_up | self.bus.resistors

    @property
    def now(self) -> int:
        """Cycles since power-on."""
        return int(self.chip["now"])

    def power_on(self, clock_s: float = 0.0) -> None:
        """Switch on: RAM is random, the flash as power_off() left it.

        clock_s: what the TIMER shows; a real one starts at 0. So a wrap of the clock can be near.
        """
        power.switch_on(self.chip, self.seed, by_watchdog=self.fast)
        self.chip["now"] = round(clock_s * HZ)
        self.bus.power_on()
        self.host = UsbHost()
        self.forget_logs()
        self._sleep_start = -1
        self.is_on = True

    def power_off(self) -> None:
        """Cut the power, and release the buttons; the flash keeps the finished part of a command."""
        ssi.restore_cut(self.chip)
        self.chip["flash_busy_until"] = self.chip["held_low"] = 0
        self.is_on = False
        self.cut = None

    def run_to(self, cycle: int) -> None:
        """Run until a cycle or a power cut; raise BoardError at an undefined instruction."""
        chip = self.chip
        while chip["now"] < cycle and self.is_on:
            trap = loop.run(chip, min(cycle, self.host.next_cycle or cycle))
            self._read_log()
            if trap == layout.TRAP_USB:
                self.host.take_mail(chip)
            elif trap == layout.TRAP_RESET:
                power.switch_on(chip, self.seed, by_watchdog=True, ram_kept=True)
                self.host = UsbHost()
            elif trap == layout.TRAP_WATCHED and self.on_watched:
                self.on_watched()
            elif trap == layout.TRAP_FLASH:
                self._note_write()
            elif trap == layout.TRAP_UNDEFINED:
                raise BoardError(f"the core met an instruction that it does not have, at 0x{int(chip['r'][15]):08x}")
            self.host.work(chip)

    def set_pin(self, pin: int, low: bool) -> None:
        """Pull a pin to ground, or release it."""
        mask = int(self.chip["held_low"])
        self.chip["held_low"] = mask | 1 << pin if low else mask & ~(1 << pin)

    def receive(self, cycle: int, byte: int) -> None:
        chip = self.chip
        end = int(chip["uart_in_end"])
        if end - int(chip["uart_in_first"]) < layout.UART_IN_BYTES:
            chip["uart_in"][end % layout.UART_IN_BYTES] = cycle << 8 | byte
            chip["uart_in_end"] = end + 1

    def snapshot(self) -> Snapshot:
        logs = {name: list(getattr(self, name)) for name in _LOGS}
        return Snapshot(self.chip.copy(), copy.deepcopy(self.host), self.bus.copy(), logs, self._sleep_start)

    def restore(self, snapshot: Snapshot) -> None:
        for name in layout.CHIP.names or ():
            self.chip[name] = snapshot.chip[name]
        self.host, self.bus = copy.deepcopy(snapshot.host), snapshot.bus.copy()
        for name, entries in snapshot.logs.items():
            setattr(self, name, list(entries))
        self._sleep_start, self.cut, self.is_on = snapshot.sleep_start, None, True

    def forget_logs(self) -> None:
        """Drop what was recorded so far: the records of an hour would fill the PC's memory."""
        self.bus.transfers.clear()
        for name in _LOGS:
            getattr(self, name).clear()

    def _note_write(self) -> None:
        """Record an operation of the flash that has just begun, and cut the power in it if that is to come."""
        chip = self.chip
        began, end = int(chip["flash_began"]), int(chip["flash_busy_until"])
        erases = int(chip["flash_changed_bytes"]) == layout.SECTOR_BYTES
        self.writes.append(Write(began / HZ, int(chip["flash_changed"]), erases))
        if self.cut and self.cut.erases in (None, erases):
            self.cut.number -= 1
            if not self.cut.number:
                chip["now"] = began + round(self.cut.done * (end - began))
                self.power_off()

    def _read_log(self) -> None:
        chip = self.chip
        count = int(chip["log_count"])
        entries = zip(*(chip[name][:count].tolist() for name in ("log_kind", "log_time", "log_value")), strict=True)
        for kind, cycle, value in entries:
            if kind <= layout.LAST_DISPLAY_LOG:
                self.bus.apply_log_entry(kind, cycle, value)
            elif kind == layout.LOG_UART_BYTE:
                self.sent.append((cycle, value))
            elif kind == layout.LOG_TONE:
                self._note_tone(cycle, value)
            elif kind == layout.LOG_SLEEP:
                self._note_sleep(cycle, bool(value))
            elif kind == layout.LOG_POLL:
                self.polls.append(cycle / HZ)
        chip["log_count"] = 0

    def _note_sleep(self, cycle: int, begins: bool) -> None:
        """Record a sleep; join calls in a row, between which the game only checks its deadline."""
        if begins:
            self._sleep_start = cycle
            return
        start_s = self._sleep_start / HZ
        if self.sleeps and start_s - self.sleeps[-1].end_s < _SLEEP_GAP_S:
            start_s = self.sleeps.pop().start_s
        self.sleeps.append(Sleep(start_s, cycle / HZ))

    def _note_tone(self, cycle: int, packed: int) -> None:
        """Record a tone of the buzzer.

        packed: top, level, divider and enabled of its PWM channel, from the low bits up.
        """
        top, level, divider, enabled = packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32 & 0xFFF, packed >> 44
        hz, duty = 0.0, 0.0
        if enabled and level:
            hz = round(HZ / ((top + 1) * (divider or 0x1000) / 16), 2)
            duty = min(1.0, level / (top + 1))
        if (hz, duty) != ((self.tones[-1].hz, self.tones[-1].duty) if self.tones else (0.0, 0.0)):
            self.tones.append(Tone(cycle / HZ, hz, duty))
