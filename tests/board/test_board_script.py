"""Scripts of presses for the emulated board, and its command line's errors."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from sim.terminal import TERMINATED
from tests.support import needs
from tests.support.handhelds import command_lines
from tools.board import BoardError, firmware_image, script, wires
from tools.board.__main__ import main
from tools.board.rp2040.layout import FLASH_BYTES
from tools.board.script import Step

refused = partial(command_lines.refused, program="tools.board", run=main)
RECORDING = next((Path(__file__).parents[1] / "recordings").glob("*.sky"))


def test_a_script_has_one_step_a_line() -> None:
    text = "# begin\nwait 1.5\n\ntap LEFT+a 0.1\npress s # hold\nsend print('# 1')\nheap\n"
    assert script.read(text) == [
        Step("wait", "", 1.5),
        Step("tap", "LEFT+a", 0.1),
        Step("press", "s", 0.06),
        Step("send", "print('# 1')"),
        Step("heap"),
    ]


def test_lines_of_menus_and_cuts_are_steps() -> None:
    text = "choose MORE MODES\nexpect LEVEL\ncut 2 half\ncut 1 erase before\n"
    assert [step.words for step in script.read(text)] == ["MORE MODES", "LEVEL", "2 half", "1 erase before"]


def test_a_number_before_a_step_selects_the_handheld() -> None:
    steps = script.read("2: off\n1: send print('# 1')", handhelds=2)
    assert steps == [Step("off", which=1), Step("send", "print('# 1')", which=0)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("jump", "there is no step 'jump'; there are wait"),
        ("wait", "wait takes 1 words, not 0"),
        ("wait soon", "soon is not a number of seconds"),
        ("wait -1", "-1 is not a number of seconds from 0 on"),
        ("tap X", "there is no button 'X'; there are "),
        ("choose", "choose takes 1 to 16 words, not 0"),
        ("cut 0 half", "0 is not the number of an operation, from 1 on"),
        (f"cut {'9' * 5000} half", "is not the number of an operation, from 1 on"),
        ("cut 1 late", "cut takes a number, erase or program or neither, and before, half, after"),
        ("cut 1 read half", "cut takes a number"),
        (f"{'9' * 5000}: on", "there is no handheld 9+, there are 2"),
        ("3: on", "there is no handheld 3, there are 2"),
    ],
)
def test_an_error_names_the_line_of_the_script(line: str, words: str) -> None:
    with pytest.raises(BoardError, match=f"line 2 of the script: .*{words}"):
        script.read(f"heap\n{line}", handhelds=2)


def test_a_recording_becomes_presses_at_their_times() -> None:
    steps = script.read_recording(RECORDING)
    pressed = [step for step in steps if step.name in ("press", "release")]
    assert {step.words for step in pressed} <= set(wires.BUTTON_PINS)
    assert all(step.seconds >= 0 for step in steps)
    assert len(pressed) * 2 == len(steps)


def test_buttons_have_the_pins_of_the_wiring_table() -> None:
    assert wires.find_pin("left") == wires.find_pin("L") == 2
    assert wires.find_pin("PAUSE") == 9


def test_other_pins_have_the_same_names_of_buttons() -> None:
    names = ("LEFT", "RIGHT", "SOFT_DROP", "HARD_DROP", "ROTATE_CW", "ROTATE_CCW", "HOLD", "PAUSE")
    pins = wires.name_buttons({name: 10 + number for number, name in enumerate(names)})
    assert wires.find_pin("pause", pins) == wires.find_pin("S", pins) == 17


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--uf2", "there/is/none.uf2"], "there is no file"),
        (["--script", "there/is/none.txt"], "cannot read"),
        (["--folder", "there/is/none", "--flash", "x"], "there is no folder there/is/none"),
        (["--set", "modern=x"], "--set modern=x: x is not a whole number"),
    ],
)
def test_a_wrong_argument_gets_one_line_before_any_work(capsys, arguments: list[str], words: str) -> None:
    assert words in refused(capsys, "--headless", *arguments)


@pytest.mark.parametrize("arguments", [["--nope"], ["--seconds", "-1"], ["--link", "5"], ["put"]])
def test_an_unknown_option_gets_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    refused(capsys, *arguments)


@pytest.mark.board
@needs.system(sys.platform != "win32", "SIGTERM")
def test_a_terminated_board_writes_its_whole_flash(tmp_path: Path) -> None:
    saved = tmp_path / "board.flash"
    steps = tmp_path / "steps.txt"
    steps.write_text("wait 2\nheap\nwait 9999\n")
    command = [sys.executable, "-u", "-m", "tools.board", "--headless", "--script", str(steps), "--flash", str(saved)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert "heap" in process.stdout.readline()
        process.terminate()
        process.stdout.read()
    assert process.returncode == TERMINATED

    flash = saved.read_bytes()

    assert len(flash) == FLASH_BYTES
    new = firmware_image.make_flash(firmware_image.find(), b"")
    assert flash[: firmware_image.NVM_START] == new[: firmware_image.NVM_START]
    assert b"Board ID:raspberry_pi_pico" in flash[firmware_image.DRIVE_START :]  # boot_out.txt, written by the board
    assert set(tmp_path.iterdir()) == {saved, steps}
    assert main(["--headless", "--seconds", "1", "--flash", str(saved)]) == 0
