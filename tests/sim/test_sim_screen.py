"""`python -m sim` on a virtual screen of a real X server, with its keys and title bar."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.engine.controls import HOLD, ROTATE_CCW, ROTATE_CW
from firmware.save.recordings.recording import Recording
from tests.support import needs
from tests.support.running import run_python
from tests.support.screen_program import Program

needs_x = needs.mark("screen")


@pytest.fixture
def see(screen: dict[str, str]) -> Iterator[Callable[..., Program]]:
    opened: list[Program] = []

    def start(*arguments: str) -> Program:
        seen = Program(screen, *arguments)
        opened.append(seen)
        seen.wait_for(lambda: seen.title.startswith("Skyline"))
        return seen

    yield start
    for seen in opened:
        seen.close()


@pytest.mark.slow
@needs_x
def test_the_title_bar_shows_the_frame_rate(see: Callable[..., Program]) -> None:
    seen = see("--seed", "1", "--mute")
    seen.wait_for(lambda: re.fullmatch("Skyline \N{EM DASH} [1-9][0-9]* fps", seen.title) is not None)
    assert seen.end() == ("", "")


@pytest.mark.slow
@needs_x
def test_keys_a_b_c_and_s_play(see: Callable[..., Program], tmp_path: Path) -> None:
    path = tmp_path / "played.sky"
    for rounds in (5, 12, 40):  # a game may take seconds to start
        seen, buttons = see("--seed", "1", "--mute", "--record", str(path)), set()
        seen.wait_for_frames()
        for _ in range(rounds):
            for key in "abc":
                seen.xdotool("key", "--delay", "60", key)
            time.sleep(0.4)
        for key in ("s", "Left"):  # the arrow in a pause
            seen.xdotool("key", key)
            time.sleep(0.3)
        seen.end()
        recording = Recording(path.read_bytes()) if path.exists() else None
        while recording and recording.read():
            buttons.add(recording.button)
        if len(buttons) > 2:
            break
    assert buttons == {ROTATE_CW, ROTATE_CCW, HOLD}


@pytest.mark.slow
@needs_x
def test_the_window_has_a_legend_and_can_be_resized(see: Callable[..., Program]) -> None:
    seen = see("--seed", "1", "--mute", "--scale", "3")
    seen.wait_for_frames()
    width, height = seen.size
    assert width > 78 * 3 + 100
    seen.xdotool("key", "Tab")
    seen.wait_for(lambda: seen.size == (78 * 3, 142 * 3))
    seen.xdotool("key", "ctrl+KP_Add")
    seen.wait_for(lambda: seen.size == (78 * 4, 142 * 4))
    seen.xdotool("key", "ctrl+minus")
    seen.xdotool("key", "Tab")
    seen.wait_for(lambda: seen.size == (width, height))
    seen.xdotool("getwindowfocus", "windowsize", "700", "600")
    seen.wait_for(lambda: seen.size == (700, 600))
    assert seen.process.poll() is None


@needs.system(sys.platform == "linux", "no display")
@pytest.mark.parametrize("gone", ["", ":1999"], ids=["none", "one that does not answer"])
def test_a_missing_display_is_reported_in_one_line(gone: str) -> None:
    hidden = ("SDL_", "WAYLAND", "DISPLAY", "XDG_RUNTIME")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    done = run_python("-m", "sim", env=plain | ({"DISPLAY": gone} if gone else {}))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("sim: cannot open a window (no display was found); `python3 -m tools.setup web` ")


@pytest.mark.slow
@needs_x
def test_missing_sound_is_reported_in_at_most_one_line(see: Callable[..., Program]) -> None:
    seen = see("--seed", "1")
    seen.wait_for_frames()
    _out, err = seen.end()
    assert err == "" or (err.count("\n") == 1 and err.startswith("sim: there is no sound ("))
