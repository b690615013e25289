"""Compile with Numba, and keep the result in the user's cache folder until a source that it depends on changes.

Numba itself watches only the file of a function, not the files of the functions it calls. Numba separates the code of
different Pythons, Numba versions and processors.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from platformdirs import user_cache_path


class Compiler:
    """Compile the functions of one package, as a decorator.

    name: of the package's folder in the cache.  sources: the files that its functions depend on.
    folder: of the compiled functions, unless the user has set NUMBA_CACHE_DIR.
    """

    def __init__(self, name: str, sources: Iterable[Path]) -> None:
        version = sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
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
