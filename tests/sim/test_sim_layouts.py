"""Keys have places: the window names them as the layout of a real X server prints them."""

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HOLD
from sim.desktop import key_file
from tests.support import needs
from tests.support.screen_program import Program

# What each layout prints on the places that a US layout calls X, Z, A and W; X keycodes of these places.
LAYOUTS = {
    "us": ("X", "Z", "A", "W"),
    "fr": ("X", "W", "Q", "Z"),
    "ru": ("\u0427", "\u042f", "\u0424", "\u0426"),
    "us -variant dvorak": ("Q", ";", "A", ","),
}
X, Z, A, W = "53", "52", "38", "25"


class Told(Program):
    """The simulator on a screen, and what its window shows."""

    def __init__(self, environment: dict[str, str], *arguments: str) -> None:
        super().__init__(environment, "--mute", *arguments, module="tests.processes.told_sim")
        self.seen: Any = {}
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def look(self) -> Any:
        while not self._lines.empty():
            self.seen = json.loads(self._lines.get())
        return self.seen

    def press_until(self, holds: Callable[[Any], bool], *keys: str) -> None:
        """Look until `holds`; press `keys`, again whenever the window has answered."""
        for _ in range(120):
            before = self.look()
            if holds(before):
                return
            if self.process.poll() is not None:
                pytest.fail(f"it has ended: {self.process.communicate()}")
            self.press(*keys)
            for _ in range(100 if keys else 1):
                if self.look() != before:
                    break
                time.sleep(0.1)
        pytest.fail(f"the window shows {self.seen}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.xdotool("key", "--delay", "60", key)


@pytest.mark.slow
@needs.mark("screen")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_keys_are_chosen_and_named_in_every_layout(layout: str, screen: dict[str, str], tmp_path: Path) -> None:
    """OPTIONS > BUTTONS gives Hold the key where a US layout has W; the legend names it as the layout does."""
    x, z, a, w = LAYOUTS[layout]
    subprocess.run(["setxkbmap", *layout.split()], env=screen, check=True, stderr=subprocess.DEVNULL)
    path = tmp_path / "keys.ini"
    folders = ("--folder", str(tmp_path), "--keys", str(path))
    with closing(Told(screen, *folders)) as told:
        told.press_until(lambda seen: seen.get("scene") == "menus.title")
        assert told.seen["legend"]["turn clockwise"][:2] == [a, x] and z in told.seen["legend"]["turn back"]
        assert told.seen["legend"]["START: go on, done"][-1] == "Enter"
        told.press_until(lambda seen: seen["scene"] == "menus.main", "Return")
        told.press_until(lambda seen: seen["line"] == "OPTIONS", "Up")
        told.press_until(lambda seen: seen["scene"] == "options.options", "Return")
        told.press_until(lambda seen: seen["line"] == "BUTTONS", "Down")
        told.press_until(lambda seen: seen["scene"] == "options.controls", "Return")
        told.press_until(lambda seen: seen["line"] == "HOLD", "Down")
        told.press_until(lambda seen: seen["asked"] == HOLD, "Return")
        told.press(W)
        told.press_until(lambda seen: seen["asked"] == -1)
        told.press_until(lambda seen: seen["legend"]["Hold"] == [w])
    assert key_file.read(path)["alone"]["KeyW"] == HOLD
    # The next start has the key, and letters rotate by their place.
    with closing(Told(screen, "--seed", "1", *folders)) as told:
        told.press_until(lambda seen: seen.get("facing") == 0)
        assert told.seen["legend"]["Hold"] == [w]
        told.press_until(lambda seen: seen["facing"] == 1, X)
        told.press_until(lambda seen: seen["facing"] == 0, Z)
        told.press_until(lambda seen: seen["held"] > 0, W)
