"""Install packages that only measurements need into separate environments."""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from sim import ownership
from sim.terminal import Refusal

_STAMP = "skyline.stamp"


class EnvironmentMissing(Refusal):
    """Say in one line why an environment cannot be made, or a program in it failed."""


def python_with(*requirements: str) -> Path:
    """Return the Python of an environment with exactly `requirements`; the first call makes it.

    The system's folder for temporary files has one environment for each Python and list of requirements. Raise
    EnvironmentMissing if packages cannot be installed.
    """
    key = hashlib.sha256(repr((sys.version, sys.executable, requirements)).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"skyline-{key}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp, done = folder / _STAMP, "\n".join(requirements)
    if ownership.has_marker(folder, _STAMP) and stamp.read_text(encoding="utf-8") == done and python.exists():
        return python
    print(f"Setting up {folder} ({', '.join(requirements)}), once.", file=sys.stderr, flush=True)
    if folder.exists() or folder.is_symlink():
        ownership.remove_folder(folder, _STAMP)
    folder.mkdir()
    stamp.touch()
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    try:
        call([sys.executable, "-m", "venv", str(folder)], f"cannot make an environment in {folder}")
        call(install, f"pip cannot install {', '.join(requirements)}")
    except EnvironmentMissing:
        ownership.remove_folder(folder, _STAMP)
        raise
    stamp.write_text(done, encoding="utf-8")
    return python


def call(command: list[str], problem: str, **how: Any) -> str:
    """Run `command`; return its output. If it fails raise EnvironmentMissing with `problem` and its last line."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    except OSError as error:
        raise EnvironmentMissing(f"{problem}: {error}") from None
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise EnvironmentMissing(f"{problem}: {words[-1] if words else f'exit code {done.returncode}'}")
    return done.stdout
