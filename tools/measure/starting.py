"""Measure the files that a board compiles before it shows the first picture, a game, or another game.

A board that compiles (`deploy --source`) spends most of these waits in its compiler. So the deployed sources run as on
a board: boot.py and code.py on the faked Pico of tests/fakes. Every imported file counts with its bytes and with the
instructions that 32-bit MicroPython takes to compile it. A module dropped and imported again counts again: a board
compiles it again.
"""

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
    """The work of a board's compiler in one wait: files, bytes of source, instructions."""

    files: int
    bytes: int
    fuel: int


TITLES = {
    "picture": "boot, before the first picture",
    "notice": "boot, from there to the App",
    "game": "LOADING, after three presses a quarter of a second apart",
    "patient": "LOADING, if nobody skips the notice",
    "again": "again",
    "pieces": "to PIECES in a pause",
    "back": "back from PIECES",
    "chosen": "LOADING, by VARIANT and LEVEL",
    "anew": "again, by SCORES",
}


def trace(impatient: bool = False) -> dict[str, list[str]]:
    """Start the deployed image, play to the end, again, and through a pause; return the files of each wait, in order.

    impatient: the player skips the notice a quarter of a second after it appears.
    """
    with tempfile.TemporaryDirectory(prefix="skyline-") as drive:  # of a new board, which also saves there
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
    """Return the cost of each wait of TITLES; raise ScriptFailed or InterpreterMissing."""
    waits = trace(impatient=True)
    waits["patient"] = trace()["game"]
    folder = scenes.deployed()
    names = sorted({name for wait in waits.values() for name in wait})
    result = interpreters.run(interpreters.WASM, _COMPILE.format(names=" ".join(names)), root=folder)
    fuel = dict(zip(names, interpreters.spans_of(result), strict=True))
    sizes = {name: (folder / name).stat().st_size for name in names}
    return {
        key: Cost(len(waits[key]), sum(sizes[name] for name in waits[key]), sum(fuel[name] for name in waits[key]))
        for key in TITLES
    }


def rows() -> list[tuple[str, str]]:
    """Return the table's rows: files, bytes and instructions of each wait from sources."""
    costs = measure_waits()
    return [
        (title, f"{costs[key].files} files, {costs[key].bytes} B, {costs[key].fuel / 1e6:.1f} M")
        for key, title in TITLES.items()
    ]
