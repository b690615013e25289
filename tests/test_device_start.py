"""boot.py, code.py and safemode.py on a faked Pico: whose drive it is, and what shows when something is wrong."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware.device.nvm import NvmStore
from firmware.save.journal import REPORT, Journal
from firmware.scenes import fault
from tests import golden
from tests.flash import RamStore

ROOT = Path(__file__).parents[1]


def run(name: str) -> None:
    runpy.run_path(str(ROOT / name), run_name="__main__")


def supervisor() -> Any:
    import supervisor as module  # type: ignore[import-not-found, unused-ignore]

    return module


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the third frame of the game fail."""
    from firmware import app

    monkeypatch.setattr(app.App, "step", fail_in_third(app.App.step))


def fail_in_third(step: Any) -> Any:
    frames = []

    def count(self: Any) -> None:
        step(self)
        frames.append(0)
        if len(frames) == 3:
            raise ValueError("row 41 of 40")

    return count


@pytest.fixture(autouse=True)
def modules_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back what a crash dropped: other tests hold classes of these modules."""
    for path, module in list(sys.modules.items()):
        if path.startswith("firmware."):
            monkeypatch.setitem(sys.modules, path, module)
            package, _, name = path.rpartition(".")
            if hasattr(sys.modules[package], name):
                monkeypatch.setattr(sys.modules[package], name, module)


class TestCode:
    def test_does_nothing_when_imported(self, workbench: Any) -> None:
        assert runpy.run_path(str(ROOT / "code.py"), run_name="code").get("run") is None
        assert not workbench.scanners

    def test_plays_until_the_app_stops(self, workbench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        from firmware import app

        frames = []
        step = app.App.step

        def count(self: Any) -> None:
            step(self)
            frames.append(workbench.now_ms)
            self.running = len(frames) < 60

        monkeypatch.setattr(app.App, "step", count)
        run("code.py")
        assert len(frames) == 60
        assert 950 <= frames[-1] - frames[0] <= 1000
        assert any(workbench.chips[0].picture())
        assert supervisor().runtime.autoreload is False

    def test_wrong_key_shows_on_the_console_and_the_display(
        self, workbench: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("SKYLINE_HOLD", "GP2")
        run("code.py")
        line = "SKYLINE_HOLD is GP2, allowed: any pin but this, which is SKYLINE_LEFT"
        assert capsys.readouterr().out == line + "\n"
        assert golden_picture(workbench) == shown(b"PROBLEM", line)
        assert supervisor().runtime.autoreload is True, "a file mended on the PC starts the game"

    @pytest.mark.parametrize(("key", "value"), [("SDA", "GP99"), ("DISPLAY", "oled"), ("I2C_HZ", "x")])
    def test_wrong_key_of_the_display_shows_on_the_one_at_the_default_pins(
        self, workbench: Any, monkeypatch: pytest.MonkeyPatch, key: str, value: str
    ) -> None:
        monkeypatch.setenv("SKYLINE_" + key, value)
        run("code.py")
        assert any(workbench.chips[0].picture())

    def test_without_a_display_the_console_has_it(self, workbench: Any, capsys: pytest.CaptureFixture[str]) -> None:
        workbench.pull_ups = False
        run("code.py")
        assert "no display on SKYLINE_SDA" in capsys.readouterr().out

    def test_crash_shows_is_kept_and_begins_anew_at_a_press(
        self, workbench: Any, broken: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        sleep = workbench.sleep
        slept = []

        def press_later(seconds: float) -> None:
            sleep(seconds)
            slept.append(seconds)
            if len(slept) == 200:
                assert supervisor().runtime.autoreload is True, "while it waits a PC may mend a file"
                workbench.pins[6].press()
            assert len(slept) < 400

        monkeypatch.setattr("time.sleep", press_later)
        with pytest.raises(supervisor().Reloaded):
            run("code.py")
        assert "Traceback" in capsys.readouterr().out
        (report,) = [bytes(Journal([nvm(workbench)]).read(REPORT))]
        text = report.decode()
        assert text.startswith("ValueError: row 41 of 40\n")
        assert "test_device_start.py:" in text
        assert " in count" in text
        assert golden_picture(workbench) == shown(b"PROBLEM", Path("skyline-report.txt").read_text() + "PRESS A BUTTON")
        assert workbench.outputs[0].duty_cycle == 0

    def test_crash_on_a_drive_of_the_pc_leaves_no_file(
        self, workbench: Any, broken: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("skyline-report.txt").mkdir()  # what cannot be written raises OSError, as a read-only drive does
        pressed = []

        def tap(seconds: float) -> None:
            workbench.sleep(seconds)
            pressed.append(0)
            # Held when it crashed: letting go is no press.
            (workbench.pins[6].release if 150 < len(pressed) < 300 else workbench.pins[6].press)()

        monkeypatch.setattr("time.sleep", tap)
        with pytest.raises(supervisor().Reloaded):
            run("code.py")
        assert bytes(Journal([nvm(workbench)]).read(REPORT)).startswith(b"ValueError")


class TestBoot:
    def test_drive_stays_with_the_pc(self, workbench: Any, capsys: pytest.CaptureFixture[str]) -> None:
        run("boot.py")
        assert workbench.usb_identification == ("Skyline", "Skyline handheld")
        assert not workbench.drive_is_ours
        assert capsys.readouterr().out == ""
        assert workbench.pins[7].used_by is None, "code.py takes the pin next"

    def test_b_held_at_power_on_swaps(self, workbench: Any, capsys: pytest.CaptureFixture[str]) -> None:
        workbench.pins[7].press()
        run("boot.py")
        assert workbench.drive_is_ours
        assert "belongs to the game" in capsys.readouterr().out

    def test_b_may_be_on_another_pin(self, workbench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SKYLINE_ROTATE_CCW", "GP22")
        workbench.pins[22].press()
        run("boot.py")
        assert workbench.drive_is_ours

    def test_pin_that_is_not_there_leaves_the_drive_with_the_pc(
        self, workbench: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("SKYLINE_ROTATE_CCW", "GP99")
        run("boot.py")
        assert not workbench.drive_is_ours
        assert "stays with the PC" in capsys.readouterr().out


class TestSafeMode:
    def test_reason_shows(self, workbench: Any, capsys: pytest.CaptureFixture[str]) -> None:
        module = supervisor()
        module.runtime.safe_mode_reason = module.SafeModeReason("BROWNOUT")
        run("firmware/safemode.py")
        text = capsys.readouterr().out.strip()
        assert text.startswith("The power dipped")
        assert "The drive is on the PC" in text
        assert golden_picture(workbench) == shown(b"SAFE MODE", text)

    def test_reason_without_words_of_ours_is_named(self, workbench: Any, capsys: pytest.CaptureFixture[str]) -> None:
        module = supervisor()
        module.runtime.safe_mode_reason = module.SafeModeReason("SDK_FATAL_ERROR")
        run("firmware/safemode.py")
        assert "Reason: SDK_FATAL_ERROR" in capsys.readouterr().out

    def test_does_nothing_when_imported(self, workbench: Any) -> None:
        runpy.run_path(str(ROOT / "firmware/safemode.py"), run_name="safemode")
        assert not any(workbench.chips[0].picture())


class Sheet:
    """A display that only has a canvas."""

    def __init__(self) -> None:
        from firmware.view.canvas import Canvas

        self.canvas = Canvas()

    def show(self) -> None:
        pass


def shown(heading: bytes, text: str) -> bytes:
    """Return the picture of a heading and a text."""
    sheet = Sheet()
    fault.tell(sheet, heading, text)
    return bytes(sheet.canvas.buffer[1:])


def golden_picture(workbench: Any) -> bytes:
    return bytes(workbench.chips[0].picture())


def nvm(workbench: Any) -> Any:
    return NvmStore(workbench.nvm)


def test_words_are_wrapped_whole_where_they_fit() -> None:
    assert fault.wrap("The power dipped: try\nanother") == ["The power", "dipped: try", "another"]
    assert fault.wrap("a SKYLINE_ROTATE_CCW, b") == ["a", "SKYLINE_ROTATE_", "CCW, b"]
    assert fault.wrap("") == [""]


def test_picture_of_a_wrong_key() -> None:
    sheet = Sheet()
    fault.tell(sheet, b"PROBLEM", "SKYLINE_LEFT is GP33, allowed: A0-A2 GP0-GP22 GP25-GP28 LED")
    golden.compare(sheet.canvas, "fault_key")


def test_picture_of_a_crash() -> None:
    sheet = Sheet()
    places = "app.py:148 in step\nplay.py:97 in update\nmatrix.py:31 in fits"
    fault.tell(sheet, b"PROBLEM", f"ValueError: row 41 of 40\n{places}\nPRESS A BUTTON")
    golden.compare(sheet.canvas, "fault_crash")


def test_text_that_is_too_long_is_cut() -> None:
    sheet = Sheet()
    fault.tell(sheet, b"PROBLEM", "word " * 200)
    assert not fault.tell(None, b"PROBLEM", "nobody sees it")  # type: ignore[func-returns-value]
    store = RamStore(1024)
    assert fault.note([store], "x" * 1000)
    assert len(Journal([store]).read(REPORT)) == 160


def test_report_takes_the_place_of_the_one_before() -> None:
    store = RamStore(1024)
    for text in ("first", "second"):
        fault.note([store], text)
    assert bytes(Journal([store]).read(REPORT)) == b"second"


def test_without_a_store_nothing_is_kept() -> None:
    assert not fault.note((), "text")
