"""boot.py, code.py and safemode.py on a faked Pico: the owner of the drive, and the pages for errors."""

import gc
import importlib
import runpy
import sys
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from firmware.device.nvm import NvmStore
from firmware.device.wiring import KEYS, PREFIX
from firmware.save.journal import REPORT, SETTINGS, Journal
from firmware.save.settings import Settings
from firmware.scenes import error_screen
from firmware.view import notice
from firmware.view.canvas import Canvas
from firmware.view.logo import LOGO, LOGO_HEIGHT
from sim.chip import Ssd1306Chip

ROOT = Path(__file__).parents[2]


def run(name: str) -> None:
    runpy.run_path(str(ROOT / name), run_name="__main__")


def run_board() -> None:
    """Run boot.py and code.py; after an exception run code.py again if boot.py asked for that."""
    run("boot.py")
    bench = sys.modules["workbench"].bench
    while True:
        try:
            return run("code.py")
        except Exception as problem:
            bench.previous_traceback = "".join(traceback.format_exception(problem))
            print(bench.previous_traceback)
            if not bench.next_code["reload_on_error"]:
                raise
            release_pins(bench)


def release_pins(bench: Any) -> None:
    """Reset the hardware like CircuitPython at the end of a run."""
    for pin in bench.pins:
        pin.used_by = None
    bench.scanners.clear()
    bench.outputs.clear()


def supervisor() -> Any:
    return importlib.import_module("supervisor")


@pytest.fixture
def crash_in_third_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware import app

    step, frames = app.App.step, []

    def count(self: Any) -> None:
        step(self)
        frames.append(0)
        if len(frames) == 3:
            raise ValueError("row 41 of 40")

    monkeypatch.setattr(app.App, "step", count)


class Waiting(BaseException):
    """Ends a program that would wait for ever."""


@pytest.fixture
def at_ms(workbench: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that plans an action `ms` from now; by default the action ends the program."""
    start_ms = workbench.now_ms
    planned: list[tuple[int, Any]] = []

    def sleep(seconds: float) -> None:
        workbench.sleep(seconds)
        passed_ms = (workbench.now_ms - start_ms) % (1 << 29)
        for action in sorted(planned, key=lambda item: item[0]):
            if action[0] <= passed_ms:
                planned.remove(action)
                action[1]()

    def give_up() -> None:
        raise Waiting

    def plan(ms: int, act: Any = give_up) -> None:
        planned.append((ms, act))

    monkeypatch.setattr("time.sleep", sleep)
    return plan


def run_until(end: Any, at_ms: Any, ms: int, start: Any = lambda: run("code.py")) -> None:
    """Run code.py; expect it to end with the exception `end` within `ms`."""
    at_ms(ms)
    with pytest.raises(end):
        start()


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """End the game at its first frame; return a list that gets the App's first scene."""
    from firmware import app

    begun: list[str] = []

    def end(self: Any) -> None:
        begun.append(self.router.wanted)
        self.running = False

    monkeypatch.setattr(app.App, "step", end)
    return begun


class TestCode:
    @pytest.mark.parametrize("path", ["code.py", "firmware/safemode.py"])
    def test_importing_the_file_does_nothing(self, workbench, path: str) -> None:
        assert runpy.run_path(str(ROOT / path), run_name=Path(path).stem).get("run") is None
        assert not workbench.scanners and not any(picture(workbench))

    def test_plays_until_the_app_stops(self, workbench, monkeypatch: pytest.MonkeyPatch) -> None:
        from firmware import app

        frames = []
        step = app.App.step

        def count(self: Any) -> None:
            step(self)
            frames.append(workbench.now_ms)
            self.running = len(frames) < 60

        monkeypatch.setattr(app.App, "step", count)
        run("code.py")
        assert len(frames) == 60 and 950 <= frames[-1] - frames[0] <= 1000
        assert any(picture(workbench)) and supervisor().runtime.autoreload is False

    @pytest.mark.parametrize("was", [None, (0, 207, 0), (1, 207, 0), (1, 20, 0), (0, 130, 0), (0, 207, 1), (1, 130, 1)])
    def test_first_picture_is_sent_once_as_the_player_set_it(self, workbench, monkeypatch, was: Any) -> None:
        """The notice of Guideline 2.1 at the first start, later the title; only the buttons are set up before."""
        turned, contrast, ready = was or (0, 207, 0)
        if was:
            settings = Settings()
            settings.ready = ready
            settings.turned, settings.contrast, settings.das_ms, settings.buttons[7] = turned, contrast, 300, 3
            journal = Journal([NvmStore(workbench.nvm)])
            journal.save(SETTINGS, settings.pack(journal.payload))
        from firmware.device.boot import pico

        def stop(parts: dict[str, Any]) -> None:
            assert workbench.pins[0].used_by.bytes < 1100 and workbench.scanners and not workbench.outputs
            raise Waiting

        monkeypatch.setattr(pico, "build", stop)
        with pytest.raises(Waiting):
            run("code.py")
        sheet = make_sheet()
        if ready:
            notice.draw_title(sheet.canvas, LOGO, LOGO_HEIGHT)
        else:
            notice.draw(sheet.canvas)
        assert workbench.chips[0].picture(bool(turned)) == bytes(sheet.canvas.buffer[1:])
        assert workbench.chips[0].contrast == contrast

    def test_the_notice_shows_for_three_seconds(self, workbench, at_ms) -> None:
        from firmware.router import Router

        names = []
        change = Router.change

        def note(self: Any, context: Any) -> None:
            names.append((self.wanted, (workbench.now_ms - start_ms) % (1 << 29)))
            context.settings.ready = 1
            change(self, context)

        start_ms = workbench.now_ms
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Router, "change", note)
            run_until(Waiting, at_ms, 4000)
        assert [name for name, _ in names] == ["menus.legal", "menus.title"]
        assert 3000 <= names[1][1] < 3040

    def test_wrong_key_shows_on_the_console_and_the_display(self, workbench, at_ms, toml, capsys) -> None:
        toml(HOLD="GP2")
        run_until(Waiting, at_ms, 1000)
        line = "SKYLINE_LEFT is GP2 and SKYLINE_HOLD is GP2, the same pin, allowed: one for each, "
        line += "and a key without a line has its default"
        assert capsys.readouterr().out == line + "\n"
        assert picture(workbench) == draw_page(b"PROBLEM", line + "\nPRESS A BUTTON")
        assert supervisor().runtime.autoreload is True, "saving a file on the PC restarts the game"

    @pytest.mark.parametrize(
        ("key", "value"), [("SDA", "GP99"), ("DISPLAY", "oled"), ("I2C_HZ", "x"), ("SDA", "GP3"), ("HOLD", "GP33")]
    )
    def test_wrong_key_shows_at_default_pins_without_any_button(self, workbench, at_ms, toml, key, value) -> None:
        toml(**{key: value})
        for pin in range(2, 10) if key == "HOLD" else ():
            workbench.pins[pin].used_by = "the board itself"
        run_until(Waiting, at_ms, 1000)
        assert supervisor().runtime.autoreload is True, "saving a file restarts the game"
        assert any(picture(workbench))

    @pytest.mark.parametrize(
        ("keys", "taken", "pin"),
        [
            *(({"HOLD": "GP2"}, 0, pin) for pin in (2, 3, 4, 5, 6, 7, 9)),  # GP2 is the left button's
            *(({"LEFT": "GP22", "PAUSE": "GP33"}, 0, pin) for pin in (22, 3)),  # the valid key still counts
            ({"HOLD": "GP33"}, 2, 3),  # GP2, the left button's pin, is in use
        ],
    )
    def test_after_a_wrong_key_any_other_button_restarts(self, workbench, at_ms, toml, keys, taken, pin) -> None:
        toml(**keys)
        workbench.pins[taken].used_by = "the board itself" if taken else None
        at_ms(500, workbench.pins[pin].press)
        run_until(supervisor().Reloaded, at_ms, 1000)

    def test_button_held_at_a_config_error_counts_only_when_pressed_again(self, workbench, at_ms, toml) -> None:
        toml(HOLD="GP2")
        workbench.pins[6].press()
        at_ms(500, workbench.pins[6].release)
        at_ms(800, lambda: observed.append(0))
        at_ms(801, workbench.pins[6].press)
        observed: list[int] = []
        run_until(supervisor().Reloaded, at_ms, 1500)
        assert observed

    def test_a_wrong_key_and_a_missing_display_are_both_reported(self, workbench, at_ms, toml, capsys) -> None:
        toml(HOLD="GP33")
        chip = workbench.chips.pop()
        at_ms(2000, lambda: workbench.chips.append(chip))
        run_until(supervisor().Reloaded, at_ms, 4000)
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith("SKYLINE_HOLD is GP33, allowed: ") and lines[1] == "no display answers"
        assert any(pin == 25 for _, pin, _ in workbench.switched)

    def test_a_crash_is_shown_and_saved_and_a_press_restarts(
        self, workbench, crash_in_third_frame: None, at_ms, capsys
    ) -> None:
        def press() -> None:
            assert supervisor().runtime.autoreload is True, "a PC may save a file meanwhile"
            workbench.pins[6].press()

        at_ms(2000, press)
        run_until(supervisor().Reloaded, at_ms, 3000, run_board)
        assert "Traceback" in capsys.readouterr().out
        assert read_report(workbench).startswith("ValueError: row 41 of 40\n")
        assert "test_device_start.py:" in read_report(workbench)
        assert any(pin == 25 for _, pin, _ in workbench.switched), "the LED blinks"
        assert picture(workbench) == draw_page(b"PROBLEM", Path("skyline-report.txt").read_text() + "PRESS A BUTTON")
        assert not workbench.outputs, "no tone: the display shows the words"

    def test_crash_on_a_drive_of_the_pc_leaves_no_file(self, workbench, crash_in_third_frame, monkeypatch) -> None:
        Path("skyline-report.txt").mkdir()  # writing raises OSError, as on a read-only drive
        pressed = []

        def tap(seconds: float) -> None:
            workbench.sleep(seconds)
            pressed.append(0)
            # Pressed at the crash: the release counts as no press.
            (workbench.pins[6].release if 150 < len(pressed) < 300 else workbench.pins[6].press)()

        monkeypatch.setattr("time.sleep", tap)
        with pytest.raises(supervisor().Reloaded):
            run_board()
        assert read_report(workbench).startswith("ValueError")

    def test_crash_on_a_board_without_nvm_shows(self, workbench, crash_in_third_frame, at_ms, monkeypatch) -> None:
        import microcontroller  # type: ignore[import-not-found, unused-ignore]

        monkeypatch.setattr(microcontroller, "nvm", None)
        at_ms(2000, workbench.pins[6].press)
        run_until(supervisor().Reloaded, at_ms, 3000, run_board)
        assert any(picture(workbench))

    def test_a_crash_page_that_crashes_prints_one_line_and_ends(self, workbench, monkeypatch, capsys) -> None:
        workbench.previous_traceback = 'Traceback:\n  File "code.py", line 9\nImportError: no module\n'
        monkeypatch.delattr(error_screen, "tell")
        run("code.py")
        assert capsys.readouterr().out.startswith("Copy Skyline again: ")

    def test_ctrl_c_leads_to_the_prompt(self, workbench) -> None:
        workbench.previous_traceback = 'Traceback:\n  File "code.py", line 9\nKeyboardInterrupt: \n'
        run("code.py")
        assert not workbench.scanners and not any(picture(workbench))


class TestErrand:
    """An errand is passed from a run to the next, whose heap is empty."""

    def test_the_next_run_begins_with_the_scene_of_the_errand(self, workbench, begun, monkeypatch) -> None:
        from firmware.device import machine

        monkeypatch.setattr(gc, "mem_free", lambda: 41_400, raising=False)

        with pytest.raises(supervisor().Reloaded):
            machine.Board().renew(b"match.play")
        run("code.py")
        sheet = make_sheet()
        notice.draw(sheet.canvas, True)
        assert picture(workbench) == bytes(sheet.canvas.buffer[1:])
        release_pins(workbench)
        run("code.py")
        assert begun == ["match.play", "menus.legal"], "an errand is carried out once"

    def test_a_full_heap_is_reported_without_a_traceback(self, workbench, at_ms) -> None:
        from firmware.device import machine

        machine.Board().leave_problem(MemoryError("memory allocation failed, allocating 280 bytes"))
        at_ms(500, workbench.pins[6].press)
        run_until(supervisor().Reloaded, at_ms, 2000)
        assert read_report(workbench) == "MemoryError: memory allocation failed, allocating "
        assert picture(workbench) == draw_page(b"PROBLEM", read_report(workbench) + "\nPRESS A BUTTON")
        assert any(pin == 25 for _, pin, _ in workbench.switched)

    def test_without_any_memory_a_fixed_report_is_left(self, workbench, monkeypatch) -> None:
        from firmware.device import errand, machine

        monkeypatch.setattr(machine, "leave", Mock(side_effect=MemoryError))
        machine.Board().leave_problem(MemoryError())
        assert errand.take_word() == "!MemoryError: the memory is full"

    def test_a_board_without_sleep_memory_stays_in_its_heap(self, workbench, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "alarm", None)
        from firmware.device import errand, machine

        board = machine.Board()
        board.renew(b"match.play")
        board.leave_problem(ValueError())
        assert not board.renews and errand.take_word() == ""


@pytest.mark.parametrize(
    ("name", "lacking", "words"),
    [
        ("code.py", "supervisor", "^code.py is for CircuitPython: .* on a Raspberry Pi add --blinka$"),
        ("boot.py", "supervisor", "^boot.py is for CircuitPython, .*: python3 -m tools.setup sim opens a window$"),
        ("firmware/safemode.py", "firmware.device.boot", "^safemode.py is for CircuitPython, .* in safe mode$"),
    ],
)
def test_on_a_pc_a_boards_file_says_what_it_is_for(monkeypatch, name: str, lacking: str, words: str) -> None:
    monkeypatch.setitem(sys.modules, lacking, None)
    with pytest.raises(SystemExit, match=words):
        run(name)


class TestDarkDisplay:
    """A display that does not answer is reported and searched for (firmware/device/README.md)."""

    @pytest.mark.parametrize(
        ("set_to", "where"),
        [(None, 0x3C), (None, 0x3D), ("0x3C", 0x3D), ("0x3D", 0x3C), ("0x45", 0x45), ("0x45", 0x3D)],
    )
    @pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
    def test_a_display_is_found_at_each_address(self, workbench, begun, toml, capsys, kind, set_to, where) -> None:
        toml(DISPLAY=kind, **({"I2C_ADDRESS": set_to} if set_to else {}))
        workbench.chips[0].address = where
        run("code.py")
        assert begun and capsys.readouterr().out == ""
        if kind == "ssd1306":
            assert any(picture(workbench))
        else:
            assert workbench.displays[0].bus.device_address == where

    def test_the_set_address_is_tried_first(self, workbench, begun, toml) -> None:
        toml(I2C_ADDRESS="0x3D")
        workbench.chips.append(Ssd1306Chip(0x3D))
        run("code.py")
        assert [any(chip.picture()) and chip.on for chip in workbench.chips] == [False, True]

    def test_a_missing_display_is_reported_by_console_led_and_tone(self, workbench, at_ms, begun, capsys) -> None:
        start_ms = workbench.now_ms
        chip = workbench.chips.pop()
        outputs: list[Any] = []
        at_ms(100, lambda: outputs.extend(workbench.outputs))
        at_ms(100, lambda: observed.append((supervisor().runtime.autoreload, len(workbench.scanners))))
        observed: list[tuple[bool, int]] = []

        def plug() -> None:
            assert not begun and workbench.pins[0].used_by.frequency == 400_000
            workbench.pins[0].used_by.plug(chip)

        at_ms(14_000, plug)
        run("code.py")
        line = "no display answers at 0x3c or 0x3d: look at VCC, GND, SDA and SCL"
        assert capsys.readouterr().out.splitlines() == [line] * 5, "every three seconds, for a console opened late"
        blinks = [((ms - start_ms) % (1 << 29), on) for ms, pin, on in workbench.switched if pin == 25]
        assert blinks == [(3000 * n + 200 * i, i % 2 == 0) for n in range(5) for i in range(6)]
        tones = [duty for hz, duty in outputs[0].history if hz == 880]
        assert tones.count(16384) == 9, "three rounds of three"
        assert observed == [(True, 0)], "saving settings.toml restarts the game"
        assert begun, "then the game begins"
        assert any(chip.picture()) and chip.on and workbench.pins[25].used_by is None
        assert len(workbench.outputs) == 1 and workbench.outputs[0] is not outputs[0]

    def test_display_without_pull_ups_is_reported_and_found_later(self, workbench, at_ms, begun, capsys) -> None:
        workbench.pull_ups = False
        at_ms(700, lambda: setattr(workbench, "pull_ups", True))
        run("code.py")
        line = "no display on SKYLINE_SDA and SKYLINE_SCL: nothing pulls them up"
        assert capsys.readouterr().out.splitlines() == [line] and begun
        assert any(picture(workbench))

    @pytest.mark.parametrize("why", ["HARD_DROP", "BUZZER", "no LED", "in use"])
    def test_without_a_free_led_only_the_console_reports(
        self, workbench, at_ms, begun, toml, monkeypatch, capsys, why
    ) -> None:
        import board  # type: ignore[import-not-found, unused-ignore]

        if why == "no LED":
            monkeypatch.delattr(board, "LED")
            toml(BUZZER="none")
        elif why == "in use":
            workbench.pins[25].used_by = "the board itself"
        else:
            toml(**{why: "LED"})
        chip = workbench.chips.pop()
        at_ms(700, lambda: workbench.pins[0].used_by.plug(chip))
        run("code.py")
        assert begun and workbench.switched == []
        assert capsys.readouterr().out.startswith("no display answers at 0x3c or 0x3d")


class TestTraceback:
    @pytest.mark.parametrize(
        ("line", "place"),
        [
            ('  File "code.py", line 32, in <module>', "code.py:32"),
            ('  File "firmware/app.py", line 7, in step', "app.py:7"),
            ('  File "/firmware/scenes/play.py", line 107, in pass_time', "play.py:107"),
            ('  File "<stdin>", line 1, in <module>', "<stdin>:1"),
            ('  File "code.py", line 20', "code.py:20"),
            ("Traceback (most recent call last):", ""),
            ('OSError: File "x" is gone', ""),
            ('File "firmware/app.py"', ""),
        ],
    )
    def test_places_of_a_traceback_as_circuitpython_prints_it(self, workbench, line: str, place: str) -> None:
        from firmware.device.boot import crash

        assert crash.find_place(line.strip()) == place

    def test_report_of_a_traceback_of_circuitpython(self, workbench) -> None:
        from firmware.device.boot import crash

        printed = (
            "Traceback (most recent call last):\n"
            '  File "code.py", line 32, in <module>\n'
            '  File "firmware/app.py", line 261, in run\n'
            '  File "firmware/app.py", line 230, in step\n'
            '  File "firmware/scenes/play/play.py", line 54, in update\n'
            "ValueError: row 41 of 40\n"
        )
        assert crash.describe(printed) == "ValueError: row 41 of 40\napp.py:261\napp.py:230\nplay.py:54"


class TestBoot:
    def test_the_pin_of_b_is_the_default_of_the_wiring_table(self, workbench) -> None:
        from firmware.device.boot import drive

        keys = {PREFIX + key: str(default) for key, default, _ in KEYS}
        assert drive.find_pin() is vars(sys.modules["board"])[keys["SKYLINE_ROTATE_CCW"]]

    def test_drive_stays_with_the_pc(self, workbench, capsys: pytest.CaptureFixture[str]) -> None:
        run("boot.py")
        assert workbench.usb_identification == ("Skyline", "Skyline handheld")
        assert workbench.next_code.pop("filename") == "code.py"
        assert workbench.next_code == dict.fromkeys(["sticky_on_error", "sticky_on_reload", "reload_on_error"], True)
        assert not workbench.drive_is_ours and capsys.readouterr().out == ""
        assert workbench.pins[7].used_by is None, "code.py takes the pin next"

    @pytest.mark.parametrize(("keys", "pin"), [({}, 7), ({"ROTATE_CCW": "GP22"}, 22), ({"rotate_ccw": "gp22"}, 22)])
    def test_b_at_power_on_gives_the_game_the_drive_on_any_pin(self, workbench, toml, capsys, keys, pin: int) -> None:
        """Nothing is printed: another boot_out.txt would be a write to the drive, at the next start, too."""
        toml(**keys)
        workbench.pins[pin].press()
        run("boot.py")
        assert workbench.drive_is_ours and capsys.readouterr().out == ""

    def test_an_unknown_pin_leaves_the_drive_with_the_pc(self, workbench, toml, capsys) -> None:
        toml(ROTATE_CCW="GP99")
        run("boot.py")
        assert not workbench.drive_is_ours and "the PC has the drive" in capsys.readouterr().out


class TestSafeMode:
    @pytest.mark.parametrize(
        ("reason", "words"), [("BROWNOUT", "The power dipped"), ("SDK_FATAL_ERROR", "Reason: SDK_FATAL_ERROR")]
    )
    def test_each_safe_mode_reason_is_explained_or_at_least_named(self, workbench, capsys, reason, words) -> None:
        module = supervisor()
        module.runtime.safe_mode_reason = module.SafeModeReason(reason)
        run("firmware/safemode.py")
        text = capsys.readouterr().out.strip()
        assert text.startswith(words) and "The drive is on the PC" in text
        assert picture(workbench) == draw_page(b"SAFE MODE", text)


def make_sheet() -> Any:
    """Return a display with nothing but a canvas."""
    return SimpleNamespace(canvas=Canvas(), show=lambda: None)


def draw_page(heading: bytes, text: str) -> bytes:
    sheet = make_sheet()
    error_screen.tell(sheet, heading, text)
    return bytes(sheet.canvas.buffer[1:])


def picture(workbench: Any) -> bytes:
    return bytes(workbench.chips[0].picture())


def read_report(workbench: Any) -> str:
    return bytes(Journal([NvmStore(workbench.nvm)]).read(REPORT)).decode()
