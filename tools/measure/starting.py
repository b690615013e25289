"""Measure what a board compiles before something shows: the first picture, a game, another game.

A board spends most of these waits in its compiler, on the files as tools.deploy puts them there. So that
image is run as the board runs it, boot.py and code.py on the faked Pico of tests/fakes, and every file
that is imported counts with its bytes, and with the instructions that 32-bit MicroPython takes to
compile it. What was dropped and comes back counts again, for a board compiles it again.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools import interpreters
from tools.measure import scenes

FAKES = interpreters.ROOT / "tests" / "fakes" / "circuitpython"
SCRIPT = Path(__file__).with_name("board_start.py")

_COMPILE = """
from time import ticks_us as mark
mark()
mark()
for name in {names!r}.split():
    text = open("/input/" + name).read()
    mark()
    compile(text, name, "exec")
    mark()
"""


@dataclass(frozen=True)
class Cost:
    """What a board compiles for one wait: files, bytes of source, instructions of the compiler."""

    files: int
    bytes: int
    fuel: int


@dataclass(frozen=True)
class Known:
    """What the real firmware took for a wait, and the cost of it then, by this module at commit 9a0942f.

    py_s, mpy_s: seconds from sources, and from what CircuitPython's own mpy-cross makes of them.
    wait_s: of these CircuitPython's own wait.
    """

    py_s: float
    mpy_s: float
    cost: Cost
    wait_s: float = 0

    def estimate_s(self, cost: Cost) -> tuple[float, float]:
        """Return the seconds from sources today, at least and at most.

        What is not compiling (files are found, read and run) shrinks with the compiling at best, else not at all.
        """
        part = cost.fuel / self.cost.fuel
        return self.wait_s + (self.py_s - self.wait_s) * part, self.mpy_s + (self.py_s - self.mpy_s) * part


KNOWN = {
    "picture": Known(2.6, 1.7, Cost(36, 40_681, 163_383_488), 1.0),  # from power-on
    "game": Known(1.9, 0.55, Cost(24, 43_216, 227_939_367)),
    "again": Known(0.8, 0.26, Cost(11, 16_465, 85_250_975)),
    "back": Known(1.0, 0.3, Cost(11, 17_153, 89_245_837)),  # as .mpy not timed: in the proportion of the others
}
TITLES = {
    "picture": "boot, before the first picture",
    "notice": "boot, from there to the App",
    "game": "LOADING, after three presses a quarter of a second apart",
    "patient": "LOADING, where the notice was let stand",
    "again": "again",
    "pieces": "to PIECES in a pause",
    "back": "back from PIECES",
}


def trace(impatient: bool = False) -> dict[str, list[str]]:
    """Start the deployed image, play to the end, again, and through a pause; return the files of each wait, in order.

    impatient: whoever holds the handheld presses A as soon as there is something to press it for.
    """
    with tempfile.TemporaryDirectory(prefix="skyline-") as drive:  # of a new board, on which it keeps what it saves
        shutil.copytree(scenes.deployed(), drive, dirs_exist_ok=True)
        command = [sys.executable, str(SCRIPT), drive, str(FAKES), str(interpreters.ROOT)]
        if impatient:
            command.append("impatient")
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        raise interpreters.ScriptFailed(f"{SCRIPT.name}: {done.stderr.strip()}")
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found


@functools.cache
def measure_waits() -> dict[str, Cost]:
    """Return the cost of each wait of TITLES; raise ScriptFailed and InterpreterMissing as all of tools.measure."""
    waits = trace(impatient=True)
    waits["patient"] = trace()["game"]
    folder = scenes.deployed()
    names = sorted({name for wait in waits.values() for name in wait})
    played = interpreters.run(interpreters.WASM, _COMPILE.format(names=" ".join(names)), root=folder)
    marks = interpreters.marks_of(played)
    spans = [after - before for before, after in zip(marks[::2], marks[1::2], strict=True)]
    fuel = {name: span - spans[0] for name, span in zip(names, spans[1:], strict=True)}
    sizes = {name: (folder / name).stat().st_size for name in names}
    return {
        key: Cost(len(waits[key]), sum(sizes[name] for name in waits[key]), sum(fuel[name] for name in waits[key]))
        for key in TITLES
    }


def rows() -> list[tuple[str, str]]:
    """Return the table's rows: bytes and instructions of each wait, and how long it takes where that is known."""
    found = []
    for key, cost in measure_waits().items():
        words = f"{cost.files} files, {cost.bytes} B, {cost.fuel / 1e6:.1f} M"
        known = KNOWN.get(key)
        if known:
            least_s, most_s = known.estimate_s(cost)
            words += f", {least_s:.1f} to {most_s:.1f} s"
            words += f" (before: {known.cost.bytes} B, {known.cost.fuel / 1e6:.1f} M, {known.py_s} s)"
        found.append((TITLES[key], words))
    return found
