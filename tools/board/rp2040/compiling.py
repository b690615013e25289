"""Compile with Numba, and keep the result in the user's cache folder until a source of this package changes.

Numba itself watches only the file of a function, not the files of the functions it calls.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from platformdirs import user_cache_path

_HERE = Path(__file__).resolve().parent
_VERSION = sha256(b"".join(path.read_bytes() for path in sorted(_HERE.glob("*.py")))).hexdigest()[:16]
FOLDER = user_cache_path("skyline", appauthor=False) / "board" / _VERSION


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, or load what was kept of it."""
    chosen = numba.config.CACHE_DIR
    # Numba reads this when it makes a function; other packages choose folders of their own.
    numba.config.CACHE_DIR = chosen or str(FOLDER)
    try:
        return numba.njit(cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = chosen
