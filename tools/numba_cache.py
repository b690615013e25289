"""Compile with Numba, and keep the result in the user's cache folder until a source that it depends on changes.

Numba itself watches only the file of a function, not the files of the functions it calls. Numba separates the code of
different Pythons, Numba versions and processors.
"""

import json
import os
import platform
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from llvmlite.binding import get_host_cpu_name
from platformdirs import user_cache_path

from sim.ownership import remove_folder


def name_machine() -> str:
    """Return a line about this machine and its load, for figures that depend on them."""
    load = " ".join(f"{one:.1f}" for one in os.getloadavg()) if sys.platform != "win32" else "unknown"
    return f"Machine: {os.cpu_count()} cores, {get_host_cpu_name()}; load {load}."


class Compiler:
    """Compile the functions of one package, as a decorator.

    name: of the package's folder in the cache.  sources: the files that its functions depend on.
    folder: of the compiled functions, unless the user has set NUMBA_CACHE_DIR.
    """

    def __init__(self, name: str, sources: Iterable[Path]) -> None:
        # With their paths: Numba has a folder for each, so another copy of Skyline has other compiled files.
        version = sha256(b"".join(bytes(path) + path.read_bytes() for path in sources)).hexdigest()[:16]
        self.folder = user_cache_path("skyline", appauthor=False) / name / version

    def __call__(self, function: Callable[..., Any] | None = None, **options: Any) -> Any:
        """Compile a function at its first call, or load it from the cache; options: Numba's own."""
        configured = numba.config.CACHE_DIR
        # Numba reads this once for each function. It is restored below because other packages set their own folders.
        numba.config.CACHE_DIR = configured or str(self.folder)
        try:
            compile_one = numba.njit(**{"cache": True, "nogil": True, **options})
            return compile_one(function) if function else lambda given: self(given, **options)
        finally:
            numba.config.CACHE_DIR = configured

    def find_mark(self) -> Path:
        """Return the path of the list of files compiled for this Python, Numba and processor."""
        python = f"{platform.python_implementation()}-{platform.python_version()}"
        return self.folder / f"{python}-{numba.__version__}-{get_host_cpu_name()}"

    def is_ready(self) -> bool:
        """Return whether `compile_all` has run, and no file was lost or cut since."""
        try:
            sizes = json.loads(self.find_mark().read_text(encoding="utf-8"))
            return all((self.folder / name).stat().st_size == size for name, size in sizes.items())
        except (OSError, ValueError):
            return False

    def compile_all(self, call_all: Callable[[], object]) -> None:
        """Compile by calling every function; replace a damaged cache."""
        mark = self.find_mark()
        if mark.exists():
            with suppress(OSError):
                remove_folder(self.folder, mark.name)
        call_all()
        if self.folder.exists():  # missing if the user chose another folder
            sizes = {
                path.relative_to(self.folder).as_posix(): path.stat().st_size for path in self.folder.rglob("*.nbc")
            }
            mark.write_text(json.dumps(sizes), encoding="utf-8")
