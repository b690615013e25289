"""Copy the sources, so that a test can change the copy and run a process in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def copy_sources(folder: Path) -> None:
    """Copy the folders that tests/processes need."""
    for part in ("firmware", "sim", "tools", "tests/support", "tests/processes"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))


def run_in_copy(folder: Path, name: str, *arguments: str) -> None:
    """Run a file of tests/processes in a copy; it must succeed and print so."""
    command = [sys.executable, f"tests/processes/{name}", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["all lists"]), done.stderr
