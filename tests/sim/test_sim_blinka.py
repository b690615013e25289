"""`sim --blinka`: a Raspberry Pi's own display and buttons, through the real Blinka (tests/fakes/raspberry_pi.py)."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from firmware.device.wiring import WiringError
from firmware.save.journal import SETTINGS, SUSPENDED, Journal
from firmware.save.settings import Settings
from sim import cli
from sim.blinka import pins, wiring
from sim.blinka.sound import open_sound
from sim.desktop.speaker import NoSpeaker
from sim.store import open_stores
from sim.terminal import Refusal
from tests.support import needs
from tests.support.running import ROOT, run_python

PROGRAM = ROOT / "tests" / "processes" / "wired_handheld.py"
RECORDINGS = ROOT / "tests" / "recordings"
PACKAGES = {
    "board": "Adafruit-Blinka",
    "gpiod": "gpiod",
    "displayio": "adafruit-blinka-displayio",
    "adafruit_displayio_ssd1306": "adafruit-circuitpython-displayio-ssd1306",
}
needs_blinka = [needs.mark_packages(*PACKAGES), pytest.mark.no_cover]

A, HARD_DROP_PIN, LEFT_PIN = 6, 5, 17
PINS: dict[str, Any] = {f"D{n}": SimpleNamespace(id=n) for n in range(28)}
PINS |= {"SDA": PINS["D2"], "SCL": PINS["D3"]}


def play(folder: Path, *arguments: object, **case: Any) -> tuple[dict[str, Any], str]:
    """Run a faked Raspberry Pi in a state; return its report and what stderr said."""
    done = run_python(PROGRAM, ROOT, json.dumps(case), "--folder", folder / "saves", *arguments, cwd=folder)
    return json.loads(done.stdout), done.stderr


def press(pin: int, ms: float, held_ms: float = 50) -> list[list[float]]:
    return [[ms, pin, True], [ms + held_ms, pin, False]]


@pytest.fixture
def ready(tmp_path: Path) -> Journal:
    """A handheld after its first start."""
    journal = Journal(list(open_stores(tmp_path / "saves")))
    settings = Settings()
    settings.ready = 1
    assert journal.save(SETTINGS, settings.pack(journal.payload))
    return journal


class TestHandheld:
    pytestmark = needs_blinka

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "rotation", "name"),
        [
            ("ssd1306", 90, "lost"),
            ("displayio-ssd1306", 270, "lost"),
            pytest.param("ssd1306", 270, "marathon", marks=pytest.mark.long),
            pytest.param("displayio-ssd1306", 90, "marathon", marks=pytest.mark.long),
        ],
    )
    def test_each_picture_and_tone_is_that_of_the_simulator(self, tmp_path, kind, rotation, name) -> None:
        settings = tmp_path / "my.toml"
        settings.write_text(f'SKYLINE_DISPLAY = "{kind}"\nSKYLINE_ROTATION = {rotation}\n')
        done = run_python(PROGRAM, ROOT, "frames", RECORDINGS / f"{name}.sky", settings, rotation)
        report = json.loads(done.stdout)
        assert report["different"] == [] and report["kinds"] > 300, done.stderr
        assert report["frames"][0] == report["frames"][1] > 1500
        assert report["tones"][0] == report["tones"][1] and len(report["tones"][0]) > 100
        assert report["dark"], "an OLED ages by what it shows"

    @pytest.mark.slow
    def test_an_edge_has_the_time_when_its_contact_moved(self, tmp_path) -> None:
        """At a frame's start, within frames, twice in one frame, and held for long."""
        pressed = [(2000, 50), (2107, 6.5), (2119, 95.25), (2500, 1200)]
        case = [move for ms, held_ms in pressed for move in press(LEFT_PIN, ms, held_ms)]
        report, _ = play(tmp_path, "--mute", presses=case, end=4000)
        moved = [(0, int(down), int(ms)) for ms, _, down in case]
        began_ms = report["began_ms"]
        assert [(button, down, t_ms - began_ms) for button, down, t_ms in report["edges"]] == moved

    def test_bounces_of_a_contact_are_one_edge(self, tmp_path) -> None:
        bounces = [[2000 + n * 0.3, LEFT_PIN, n % 2 == 0] for n in range(11)]
        bounces += [[3000 + n * 0.3, LEFT_PIN, n % 2 == 1] for n in range(11)]
        report, _ = play(tmp_path, "--mute", presses=bounces, end=4000)
        assert [(down, t_ms - report["began_ms"]) for _, down, t_ms in report["edges"]] == [(1, 2000), (0, 3000)]

    def test_no_release_is_lost_while_the_game_is_busy(self, tmp_path) -> None:
        """More changes than one poll takes: the last state counts."""
        many = [[2000 + n * 6, pin, n % 2 == 0] for n in range(21) for pin in (17, 27, 22, 5)]
        many += [[2126, pin, False] for pin in (17, 27, 22, 5)]
        report, _ = play(tmp_path, "--mute", presses=many, end=4000)
        held: dict[int, int] = {}
        for button, down, _ in report["edges"]:
            assert held.get(button, 0) != down, "presses and releases alternate"
            held[button] = down
        assert held == {0: 0, 1: 0, 2: 0, 3: 0}

    def test_a_button_held_at_the_start_is_pressed(self, tmp_path) -> None:
        report, _ = play(tmp_path, "--mute", presses=[[0, LEFT_PIN, True], *press(A, 1500)], end=2500)
        assert report["edges"][0][:2] == [0, 1]

    @pytest.mark.slow
    def test_a_game_in_play_is_saved_when_the_process_is_ended(self, tmp_path, ready) -> None:
        report, said = play(tmp_path, "--mute", presses=[*press(A, 3000), *press(A, 4000), *press(A, 5000)], end=9000)
        assert report["scenes"][-1] == "play" and (report["code"], said) == (0, "")
        assert report["dark"] and report["free"]
        assert len(Journal(list(open_stores(tmp_path / "saves"))).read(SUSPENDED)) > 0
        kept = (tmp_path / "saves" / "unfinished.bin").read_bytes()
        report, _ = play(tmp_path, "--mute", presses=press(A, 3000), end=5000)
        assert report["scenes"] == ["menus.title", "play"], "the title continues it"
        assert len(kept) > 12, "the recording goes on, too"

    def test_our_driver_goes_on_when_a_loose_display_is_back(self, tmp_path) -> None:
        watched = ("--play", RECORDINGS / "lost.sky")
        report, said = play(tmp_path, "--mute", *watched, unplug=500, plug=1000, end=3000)
        assert report["differed"] and all(500 <= ms < 1500 for ms in report["differed"]), report["differed"]
        assert report["code"] == 0 and said == ""

    @pytest.mark.slow
    def test_displayio_ends_with_a_line_when_the_display_is_lost(self, tmp_path) -> None:
        (tmp_path / "settings.toml").write_text('SKYLINE_DISPLAY = "displayio-ssd1306"\n')
        report, said = play(tmp_path, "--mute", "--play", RECORDINGS / "lost.sky", unplug=500, end=9000)
        assert report["code"] == 2 and report["free"]
        assert said == "sim: the display does not answer any more (I2C write error to 0x3c): look at its wires\n"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("case", "line"),
        [
            ({"absent": ["/dev/i2c-1"]}, "I2C is switched off, there is no /dev/i2c-1: `sudo raspi-config "),
            ({"closed": ["/dev/i2c-1"]}, "no permission for /dev/i2c-1: run `sudo usermod -aG i2c $USER`"),
            ({"closed": ["/dev/gpiochip0"]}, "no permission for /dev/gpiochip*: run `sudo usermod -aG gpio $USER`"),
            ({"gpiochips": []}, "Linux shows no pins here: No Raspberry Pi header GPIO controller"),
            ({"chip": False}, "no display answers at 0x3c or 0x3d: look at VCC, GND, SDA and SCL"),
            ({"busy": {"27": "spi0 CS0"}}, "SKYLINE_RIGHT: spi0 CS0 uses pin D27; end it, or wire another pin"),
        ],
    )
    def test_a_missing_part_is_one_line(self, tmp_path, case, line) -> None:
        report, said = play(tmp_path, **case)
        assert said.startswith(f"sim: {line}") and said.count("\n") == 1
        assert report["code"] == 2 and report["free"]

    def test_sda_and_scl_of_no_bus_are_one_line(self, tmp_path) -> None:
        (tmp_path / "settings.toml").write_text('SKYLINE_SDA = "D4"\n')
        report, said = play(tmp_path)
        pairs = "D2 with D3 or D0 with D1"
        assert said == f"sim: settings.toml: SKYLINE_SDA and SKYLINE_SCL are D4 with D3, allowed: {pairs}\n"
        assert report["code"] == 2

    def test_without_pwm_the_game_is_silent_and_says_why(self, tmp_path) -> None:
        report, said = play(tmp_path, has_pwm=False, end=500)
        command = f"{shlex.quote(sys.executable)} -m pip install Adafruit-Blinka-Raspberry-Pi-PWM=="
        assert said.startswith(f"sim: there is no sound ({command}")
        assert said.count("\n") == 1 and report["code"] == 0

    def test_six_buttons_need_no_pins_for_the_others(self, tmp_path, ready) -> None:
        (tmp_path / "settings.toml").write_text('SKYLINE_HOLD = "none"\nSKYLINE_PAUSE = "none"\n')
        report, said = play(tmp_path, "--mute", presses=[*press(A, 3000), *press(19, 3500)], end=4500)
        assert [edge[0] for edge in report["edges"]] == [4, 4] and said == ""


class TestSettings:
    """The wiring by the keys of a handheld's settings.toml."""

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('SKYLINE_LEFT = "D99"', "SKYLINE_LEFT is D99: there is no such pin, the nearest name is D9"),
            ('SKYLINE_LEFT = "GPIO22"', "SKYLINE_LEFT is GPIO22: there is no such pin, the nearest name is D22"),
            ("skyline_left = 17", "skyline_left is 17: there is no such pin, the nearest name is D17"),
            ('SKYLINE_LEFT = "D27"', "SKYLINE_LEFT is D27 and SKYLINE_RIGHT is D27, the same pin, allowed: one for"),
            ('SKYLINE_HOLD = "D2"', "SKYLINE_SDA is SDA and SKYLINE_HOLD is D2, the same pin, allowed: one for each"),
            ('SKYLINE_DISPLAY = "sh1106"', "SKYLINE_DISPLAY is sh1106, allowed on a Raspberry Pi: ssd1306, displayio-"),
            ("SKYLINE_I2C_HZ = 400000", "SKYLINE_I2C_HZ has no use here: Linux sets the speed of I2C"),
            ('SKYLINE_SCK = "D11"', "SKYLINE_SCK has no use here: take it out for a Raspberry Pi"),
            ("SKYLINE_ROTATION = 0", "SKYLINE_ROTATION is 0, allowed: 90 or 270"),
            ('SKYLINE_LEFT = "none"', "SKYLINE_LEFT is none, allowed: D0-D27"),
        ],
    )
    def test_a_wrong_key_is_named_with_what_is_right(self, tmp_path: Path, text: str, words: str) -> None:
        path = tmp_path / "my.toml"
        path.write_text(text)
        with pytest.raises(WiringError) as wrong:
            wiring.find_wires(wiring.read_settings(path), PINS)
        assert str(wrong.value).startswith(words)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"x = [1,", "line 1: x = "),
            (b"\xff\xfe", "it is in UTF-16"),
            (b"[" * 9000, "it is too long"),
            (b'\xef\xbb\xbfSKYLINE_LEFT = "D4"', "a byte order mark hides line 1"),
            (b'SKYLINE_LFT = "D4"', "SKYLINE_LFT is no key in line 1, the nearest is SKYLINE_LEFT"),
            (b'[wires]\nSKYLINE_LEFT = "D4"', "SKYLINE_LEFT in line 2 is below the table of line 1"),
        ],
    )
    def test_a_file_that_a_handheld_refuses_is_refused(self, tmp_path: Path, content: bytes, words: str) -> None:
        path = tmp_path / "my.toml"
        path.write_bytes(content)
        with pytest.raises(Refusal, match=rf"my\.toml: {re.escape(words)}"):
            wiring.read_settings(path)

    def test_only_a_file_that_was_named_must_exist(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert wiring.read_settings(wiring.SETTINGS) == {}
        with pytest.raises(Refusal, match="there is no such file"):
            wiring.read_settings(Path("my.toml"))

    def test_keys_and_pins_can_be_in_small_letters(self, tmp_path: Path) -> None:
        path = tmp_path / "my.toml"
        path.write_text('skyline_left = "d4"\n')
        settings = wiring.read_settings(path)
        assert wiring.find_wires(settings, PINS)["LEFT"] is PINS["D4"]
        assert wiring.name_pins(settings)[0] == "D4"

    def test_the_defaults_are_pins_of_the_header(self) -> None:
        found = wiring.find_wires({}, PINS)
        assert {key: f"D{found[key].id}" for key in wiring.DEFAULTS} == {
            key: {"SDA": "D2", "SCL": "D3"}.get(name, name) for key, name in wiring.DEFAULTS.items()
        }
        assert len({wiring.NUMBERS[name] for name in wiring.DEFAULTS.values()}) == len(wiring.DEFAULTS)
        assert {name for name in wiring.NUMBERS if name[0] == "D"} == {f"D{n}" for n in range(28)}
        assert (wiring.NUMBERS["D18"], wiring.NUMBERS["D26"], wiring.NUMBERS["D21"]) == (12, 37, 40)


class TestCommandLine:
    @pytest.mark.parametrize("option", [["--headless"], ["--players", "2"], ["--screenshot", "a.png"]])
    def test_options_of_the_window_are_refused(self, option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["--blinka", *option]) == 2
        assert f"--blinka and {option[0]} cannot be used together" in capsys.readouterr().err

    @pytest.mark.parametrize("module", ["board", "gpiod"])
    def test_a_missing_library_is_one_line(self, module, monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setitem(sys.modules, module, None)
        if module == "gpiod":
            needs.demand_packages("board")
        assert cli.main(["--blinka"]) == 2
        said = f"sim: --blinka needs {PACKAGES[module]}; python3 -m tools.setup sim --blinka installs it\n"
        assert capsys.readouterr().err == said

    def test_a_pwm_that_fails_without_a_word_is_named(self, monkeypatch, capsys: pytest.CaptureFixture[str]) -> None:
        piezo = SimpleNamespace(Piezo=Mock(side_effect=NotImplementedError))
        monkeypatch.setitem(sys.modules, "firmware.device.piezo", piezo)
        assert isinstance(open_sound(PINS["D18"]), NoSpeaker)
        assert capsys.readouterr().err.startswith("sim: there is no sound (NotImplementedError); ")

    @needs.mark_packages(*PACKAGES)
    @pytest.mark.parametrize("problem", [ValueError("no adapter\nmore"), ImportError("no hid"), NotImplementedError()])
    def test_a_blinka_that_does_not_start_is_refused_in_one_line(self, problem: Exception, monkeypatch) -> None:
        monkeypatch.setattr("adafruit_platformdetect.Detector", Mock(side_effect=problem))
        words = (str(problem) or "NotImplementedError").splitlines()[0]
        with pytest.raises(Refusal, match=f"^Blinka does not start: {words}$"):
            pins.find_pins()

    @needs.mark_packages(*PACKAGES)
    def test_another_computer_is_refused_in_one_line(self) -> None:
        done: subprocess.CompletedProcess[str] = run_python("-m", "sim", "--blinka")
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert done.stderr.startswith("sim: --blinka needs a Raspberry Pi, and ")
