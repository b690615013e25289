"""Copy the sources, so that a test can change the copy and run a process in it."""

import os
import shutil
from pathlib import Path

from tests.support.running import ROOT, run_python


def copy_sources(folder: Path) -> None:
    for part in ("firmware", "sim", "tools", "tests/support", "tests/processes"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))


def copy_clone(folder: Path) -> Path:
    """Copy all that git would have; return the folder."""
    unwanted = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()]
    return Path(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", *unwanted)))


def run_in_copy(folder: Path, name: str, *arguments: str) -> None:
    """Run a file of tests/processes in a copy; it must succeed and print so."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = run_python(f"tests/processes/{name}", *arguments, cwd=folder, env=environment)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["all lists"]), done.stderr
