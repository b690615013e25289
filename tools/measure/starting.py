"""Measure what a board compiles before something shows: the first picture, a game, another game.

A board spends most of these waits in its compiler, on the files as tools.deploy puts them there. So that
image is run as the board runs it, boot.py and code.py on the faked Pico of tests/fakes, and every module
that is imported counts with its bytes, and with the instructions that 32-bit MicroPython takes to
compile it. Where a module was dropped and comes back it counts again, for a board compiles it again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools import interpreters
from tools.measure import scenes

FAKES = interpreters.ROOT / "tests" / "fakes" / "circuitpython"
SCRIPT = Path(__file__).with_name("board_start.py")


@dataclass(frozen=True)
class Wait:
    """What is compiled while the player waits for one thing."""

    files: tuple[str, ...]
    bytes: int
    fuel: int


@dataclass(frozen=True)
class Known:
    """What the real firmware took for one wait, and what was compiled then (commit 9a0942f).

    py_s, mpy_s: seconds with the sources, and with what CircuitPython's own mpy-cross makes of them:
        what that leaves, reading files and running them, is taken to stay, so an estimate errs upward.
    """

    py_s: float
    mpy_s: float
    bytes: int
    fuel: int

    def estimate_s(self, wait: Wait) -> float:
        """Return the seconds that a wait takes today, from the sources."""
        return self.mpy_s + (self.py_s - self.mpy_s) * wait.fuel / self.fuel


def trace(impatient: bool = False) -> dict[str, list[str]]:
    """Start the deployed image, play to the end, again, and through a pause; return the files of each wait, in order.

    impatient: whoever holds the handheld presses A as soon as there is something to press it for.
    """
    command = [sys.executable, str(SCRIPT), str(scenes.deployed()), str(FAKES), str(interpreters.ROOT)]
    done = subprocess.run([*command, *(["impatient"] if impatient else [])], capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        raise interpreters.ScriptFailed(f"{SCRIPT.name}: {done.stderr.strip()}")
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found
