"""Run Python as from a shell, and wait for what runs beside a test."""

import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# For pytest: what `.ci/run` runs on a bare machine.
SLOW_TOO = ("-m", "not long and not every and not board and not wheel")


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in the root folder; return the finished process."""
    how: dict[str, Any] = {"cwd": ROOT, "capture_output": True, "text": True, "check": False}
    return subprocess.run([sys.executable, *map(str, arguments)], **how | options)


def loads(script: str, module: str) -> bool:
    """Return whether a Python that runs only this script loads a module."""
    assert find_spec(module), module
    done = run_python("-c", f"{script}\nimport sys; print({module!r} in sys.modules)")
    assert done.returncode == 0, done.stderr
    return done.stdout == "True\n"


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for another thread; a machine may be busy."""
    for _ in range(2000):
        if holds():
            return
        time.sleep(0.005)
    raise AssertionError("never")
