"""Control one emulated handheld: run it, press its buttons, read its picture, cut its power."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sim.board_screens import BoardScreen
from sim.chips.st7789 import St7789Chip
from sim.ownership import output
from sim.pictures import save_png
from tools.board import BoardError, drive, firmware_image, functions, wires
from tools.board.display_bus import Transfer, make_bus
from tools.board.frames import Frame, find_frames
from tools.board.heap import Heap, read_heap
from tools.board.machine import Cut, Machine, Sleep, Snapshot, Tone, Write
from tools.board.rp2040.layout import HZ

if TYPE_CHECKING:
    from PIL.Image import Image

_TRACEBACK = "Traceback"
_CHECK_S = 0.001  # how often run_until() checks
_SCALE = 4  # pixels of a saved picture for one of the display, if that has two colours


class Handheld:
    """A Pico with CircuitPython and the game, switched on.

    flash: the 2 MiB from make_flash().  display: SSD1306, SH1106 or ST7789 from wires.py, or another wiring.
    button_pins: by the names of name_buttons() in wires.py.
    fast: skip CircuitPython's one-second wait after power-on.
    seed: of the hardware's random numbers; the same seed and presses give the same run, to the cycle.
    """

    def __init__(
        self,
        flash: bytes,
        *,
        display: wires.I2cWires | wires.SpiWires = wires.SSD1306,
        button_pins: Mapping[str, int] = wires.BUTTON_PINS,
        fast: bool = True,
        seed: int = 1,
    ) -> None:
        self._button_pins = button_pins
        self._is_turned = isinstance(display, wires.SpiWires) and display.turned
        self.machine = Machine(flash, firmware_image.boot_rom(), make_bus(display), seed, fast)
        self.machine.wire(wires.BUZZER, 1 << wires.LINK_RX)
        self.functions = functions.find(flash)
        self.machine.chip["sleep_pc"] = self.functions.time_sleep
        self.machine.chip["poll_pc"] = self.functions.get_into
        self.machine.power_on()

    # Time

    @property
    def time_s(self) -> float:
        """Seconds since power-on."""
        return self.machine.now / HZ

    @property
    def cycles(self) -> int:
        """Cycles since power-on."""
        return self.machine.now

    @property
    def busy_cycles(self) -> int:
        """Cycles since power-on in which the core did not sleep; the emulator's run time grows with them."""
        return int(self.machine.chip["busy"])

    def run(self, seconds: float) -> None:
        """Run for a time, or until the power cut of cut_at(); raise BoardError if the power is off."""
        if not self.is_on:
            raise BoardError("the handheld is switched off")
        self.machine.run_to(self.machine.now + round(seconds * HZ))

    def run_until(self, predicate: Callable[[], bool], seconds: float) -> bool:
        """Run until `predicate`, checked every millisecond, holds; return False after `seconds`."""
        end = self.machine.now + round(seconds * HZ)
        while not predicate():
            if self.machine.now >= end:
                return False
            self.run(min(_CHECK_S, (end - self.machine.now) / HZ))
        return True

    # Buttons

    def press(self, name: str) -> None:
        """Hold a button down, named as in settings.toml (LEFT, HARD_DROP) or by its letter (L, R, U, D, A, B, C, S)."""
        self.machine.set_pin(wires.find_pin(name, self._button_pins), low=True)

    def release(self, name: str) -> None:
        self.machine.set_pin(wires.find_pin(name, self._button_pins), low=False)

    def hold(self, names: str, down: bool) -> None:
        """Press or release buttons, `+` between their names."""
        for name in names.split("+"):
            self.machine.set_pin(wires.find_pin(name, self._button_pins), down)

    def tap(self, names: str, hold_s: float = 0.06, after_s: float = 0.25) -> None:
        """Press buttons together for `hold_s`, `+` between their names; then run for `after_s`."""
        self.hold(names, True)
        self.run(hold_s)
        self.hold(names, False)
        self.run(after_s)

    # Display and sound

    @property
    def is_lit(self) -> bool:
        return self.machine.bus.display.on

    def picture(self) -> bytes:
        """Return the picture on the display: the 1024 bytes of a Canvas, row-major, the least bit leftmost.

        The picture on a colour display is reduced to that size.
        """
        display = self.machine.bus.display
        if not isinstance(display, St7789Chip):
            return display.picture()
        image = self.image()
        return BoardScreen("", *image.size).reduce(image)

    def image(self) -> Image:
        """Return the picture on a colour display; raise BoardError for another one."""
        display = self.machine.bus.display
        if not isinstance(display, St7789Chip):
            raise BoardError("the display has two colours: picture() returns what it shows")
        image = display.image()
        if not self._is_turned:
            return image
        from PIL.Image import Transpose

        return image.transpose(Transpose.ROTATE_270)

    def draw_text(self) -> str:
        picture = self.picture()
        rows = [[picture[8 * y + (x >> 3)] >> (x & 7) & 1 for x in range(64)] for y in range(128)]
        pairs = zip(rows[::2], rows[1::2], strict=True)
        return "\n".join("".join(" ▀▄█"[a + 2 * b] for a, b in zip(*pair, strict=True)).rstrip() for pair in pairs)

    def save_picture(self, path: Path) -> None:
        """Write the picture as PNG; raise OSError if that fails."""
        if isinstance(self.machine.bus.display, St7789Chip):
            with output(path) as file:
                self.image().save(file, "PNG")
        else:
            save_png(path, self.picture(), _SCALE, "white")

    @property
    def transfers(self) -> list[Transfer]:
        """The transfers to the display since power-on."""
        return self.machine.bus.transfers

    @property
    def tones(self) -> list[Tone]:
        """The buzzer's tones since power-on."""
        return self.machine.tones

    @property
    def tone(self) -> Tone:
        return self.tones[-1] if self.tones else Tone(0.0, 0.0, 0.0)

    @property
    def sleeps(self) -> list[Sleep]:
        """The sleeps of the core since power-on."""
        return self.machine.sleeps

    def frames(self, from_s: float = 0.0) -> list[Frame]:
        return find_frames(self.sleeps, self.transfers, self.machine.polls, from_s)

    # Console

    @property
    def serial(self) -> str:
        """The output of the serial console since power-on."""
        return self.machine.host.serial.decode(errors="replace")

    @property
    def problem(self) -> str:
        """The traceback that ended the game since power-on, or ""."""
        return "".join(self.serial.partition(_TRACEBACK)[1:])

    def send(self, text: str) -> None:
        """Type into the serial console."""
        self.machine.host.send(text.encode())

    # Memory

    def heap(self, collect: bool = False) -> Heap:
        """Return the state of the heap, from outside the firmware; `collect`: as after a garbage collection."""
        return read_heap(self.machine.chip, collect)

    @property
    def flash(self) -> bytes:
        return bytes(self.machine.chip["flash"].tobytes())

    @property
    def nvm(self) -> bytes:
        start = firmware_image.NVM_START
        return self.flash[start : start + firmware_image.NVM_BYTES]

    def write_nvm(self, content: bytes) -> None:
        """Replace the non-volatile memory, as long as the power is off; the rest of it is erased."""
        start = firmware_image.NVM_START // 4
        words = np.frombuffer(content.ljust(firmware_image.NVM_BYTES, b"\xff"), "<u4")
        self.machine.chip["flash"][start : start + len(words)] = words

    # Power

    @property
    def is_on(self) -> bool:
        return self.machine.is_on

    @property
    def writes(self) -> list[Write]:
        """The operations of the flash since power-on."""
        return self.machine.writes

    def power_off(self) -> None:
        """Cut the power, even in the middle of a write to the flash, and release the buttons."""
        self.machine.power_off()

    def cut_at(self, number: int, erases: bool | None = None, done: float = 0.5) -> None:
        """Cut the power in an operation of the flash that is to come, as Cut in machine.py describes it."""
        self.machine.cut = Cut(number, erases, done)

    def power_on(self, clock_s: float = 0.0) -> None:
        """Switch on after power_off(); the clock restarts at `clock_s`."""
        self.machine.power_on(clock_s)

    def restart(self) -> None:
        """Switch off and on again."""
        self.power_off()
        self.power_on()

    def snapshot(self) -> Snapshot:
        """Return the handheld's whole state, for restore() of this or another Handheld."""
        return self.machine.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        self.machine.restore(snapshot)


def make_handheld(
    uf2: Path | None = None,
    files: dict[str, bytes] | None = None,
    *,
    nvm: bytes = b"",
    settings: Sequence[str] = (),
    display: wires.I2cWires | wires.SpiWires = wires.SSD1306,
    button_pins: Mapping[str, int] = wires.BUTTON_PINS,
    fast: bool = True,
    seed: int = 1,
) -> Handheld:
    """Return a handheld with the deployed game that was never played; raise BoardError.

    uf2: CircuitPython, by default from firmware_image.find().  files: of the drive, by default from tools.deploy.
    nvm: the first bytes of the non-volatile memory.  settings: more lines of settings.toml.
    display, button_pins: what is wired, as for Handheld.
    """
    uf2_path = firmware_image.find(uf2)
    content = drive.with_settings(drive.deploy_files() if files is None else files, list(settings))
    flash = firmware_image.make_flash(uf2_path, drive.make_drive(content), nvm)
    return Handheld(flash, display=display, button_pins=button_pins, fast=fast, seed=seed)
