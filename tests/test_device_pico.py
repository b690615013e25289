"""The board's own code, run on a faked Pico: pins, PWM and I2C stand in, nothing above them."""

from __future__ import annotations

import importlib
import runpy
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import firmware.device
from firmware.compat import ticks_add
from firmware.device.edges import EdgeQueue
from firmware.engine import controls
from sim.chip import Ssd1306Chip

ROOT = Path(__file__).parents[1]
FAKES = Path(__file__).parent / "fakes" / "circuitpython"
OURS = ("pico", "keys", "piezo", "ticks")  # the modules of firmware.device that import hardware
SQUARE = 32_768


@pytest.fixture
def workbench(monkeypatch: pytest.MonkeyPatch) -> Iterator:
    """A bare board with an OLED on its bus, under the import names of CircuitPython."""
    forget_modules()
    monkeypatch.syspath_prepend(str(FAKES))
    bench = importlib.import_module("workbench").bench
    bench.chips.append(Ssd1306Chip())
    monkeypatch.setattr(time, "sleep", bench.sleep)
    yield bench
    forget_modules()


def forget_modules() -> None:
    """Let nothing of another test's board, nor of Blinka's, stay imported."""
    for path in FAKES.glob("*.py"):
        sys.modules.pop(path.stem, None)
    for name in OURS:
        sys.modules.pop(f"firmware.device.{name}", None)
        vars(firmware.device).pop(name, None)


@pytest.fixture
def pico(workbench) -> ModuleType:
    return importlib.import_module("firmware.device.pico")


@pytest.fixture
def device(pico):
    return pico.build()


def edges(device, capacity: int = 32) -> list[tuple[int, int, int]]:
    """Poll the buttons once."""
    queue = EdgeQueue(capacity)
    device.buttons.poll(queue)
    return [(queue.button[i], queue.pressed[i], queue.t_ms[i]) for i in range(queue.count)]


def pin_of(pico, workbench, part: str):
    """Return the pin that the wiring table gives to `part`."""
    return workbench.pins[int(dict(pico.PINS)[part][2:])]


def test_every_part_has_a_pin_of_its_own(pico) -> None:
    pins = [pin for _, pin in pico.PINS]
    assert len(set(pins)) == len(pins)


@pytest.mark.parametrize("control", range(8))
def test_pressed_pin_becomes_an_edge_of_its_control(pico, device, workbench, control: int) -> None:
    names = {number: name for name, number in vars(controls).items() if isinstance(number, int)}
    pin = pin_of(pico, workbench, names[control])
    pin.press()
    workbench.pass_time(20)
    assert [edge[:2] for edge in edges(device)] == [(control, 1)]
    pin.release()
    workbench.pass_time(20)
    assert [edge[:2] for edge in edges(device)] == [(control, 0)]


def test_edge_carries_the_time_of_the_contact_not_of_the_poll(pico, device, workbench) -> None:
    pin_of(pico, workbench, "LEFT").press()
    pressed_ms = workbench.now_ms
    workbench.pass_time(500)
    ((_, _, t_ms),) = edges(device)
    assert pressed_ms < t_ms <= pressed_ms + 10


def test_contact_that_bounces_gives_one_edge(pico, device, workbench) -> None:
    pin = pin_of(pico, workbench, "HOLD")
    for _ in range(4):
        pin.press()
        workbench.pass_time(1)
        pin.release()
        workbench.pass_time(1)
    pin.press()
    workbench.pass_time(30)
    assert [edge[:2] for edge in edges(device)] == [(controls.HOLD, 1)]


def test_edges_that_find_no_room_come_with_the_next_poll(pico, device, workbench) -> None:
    for part in ("LEFT", "RIGHT", "HOLD"):
        pin_of(pico, workbench, part).press()
    workbench.pass_time(20)
    assert [edge[0] for edge in edges(device, capacity=2)] == [controls.LEFT, controls.RIGHT]
    assert [edge[0] for edge in edges(device, capacity=2)] == [controls.HOLD]


def test_tone_sets_frequency_and_duty_and_off_mutes(pico, device, workbench) -> None:
    (output,) = workbench.outputs
    assert output.pin is pin_of(pico, workbench, "BUZZER")
    assert output.duty_cycle == 0
    device.buzzer.tone(880, SQUARE)
    assert (output.frequency, output.duty_cycle) == (880, SQUARE)
    device.buzzer.off()
    assert (output.frequency, output.duty_cycle) == (880, 0)


def test_same_tone_again_does_not_restart_the_wave(device, workbench) -> None:
    (output,) = workbench.outputs
    device.buzzer.tone(660, SQUARE)
    device.buzzer.tone(660, 1000)
    assert output.history[-2:] == [(660, SQUARE), (660, 1000)]


def test_clock_sleeps_until_the_deadline_across_the_wrap(device, workbench) -> None:
    deadline_ms = ticks_add(device.clock.ticks_ms(), 65_500)
    device.clock.wait_until(deadline_ms)
    assert device.clock.ticks_ms() == deadline_ms == 500
    slept_s = workbench.slept_s
    device.clock.wait_until(ticks_add(deadline_ms, -3))
    assert workbench.slept_s == slept_s


def test_display_is_direct_at_400_khz(pico, device, workbench) -> None:
    bus = pin_of(pico, workbench, "SDA").used_by
    assert bus.frequency == 400_000
    device.display.canvas.fill(3, 4, 5, 6, 1)
    device.display.show()
    assert workbench.chips[0].picture() == bytes(device.display.canvas.buffer[1:])


def test_store_is_the_nvm(device, workbench) -> None:
    (store,) = device.store
    assert store.size == 4096
    store.write(10, b"skyline")
    buffer = bytearray(9)
    store.read(9, buffer)
    assert buffer == b"\xffskyline\xff"
    store.erase()
    assert workbench.nvm == b"\xff" * 4096


def test_board_without_nvm_has_no_store(workbench) -> None:
    workbench.nvm = None
    assert importlib.import_module("firmware.device.pico").build().store == ()


def test_files_written_from_a_pc_do_not_end_the_game(device) -> None:
    assert sys.modules["supervisor"].runtime.autoreload is False


def test_code_py_does_nothing_when_imported(workbench) -> None:
    assert runpy.run_path(str(ROOT / "code.py"), run_name="code").get("run") is None
    assert not workbench.scanners


def test_code_py_plays_until_the_app_stops(workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware import app

    frames = []
    step = app.App.step

    def count(self) -> None:
        step(self)
        frames.append(workbench.now_ms)
        self.running = len(frames) < 60

    monkeypatch.setattr(app.App, "step", count)
    runpy.run_path(str(ROOT / "code.py"), run_name="__main__")
    assert len(frames) == 60
    assert 950 <= frames[-1] - frames[0] <= 1000
    assert any(workbench.chips[0].picture())


def test_boot_py_names_the_handheld_and_leaves_the_drive_alone(workbench) -> None:
    runpy.run_path(str(ROOT / "boot.py"), run_name="__main__")
    assert workbench.usb_identification == ("Skyline", "Skyline handheld")
