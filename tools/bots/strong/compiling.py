"""Compile with Numba, and keep what was compiled in the user's cache folder for as long as no source of it changes.

Numba looks at the file of a function only, not at those of the functions that it calls. What was kept for another
Python, Numba or processor it tells apart itself.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from platformdirs import user_cache_path

_HERE = Path(__file__).resolve().parent
_SOURCES = ("beam", "columns", "compiling", "worth")
_VERSION = sha256(b"".join((_HERE / f"{name}.py").read_bytes() for name in _SOURCES)).hexdigest()[:16]
FOLDER = user_cache_path("skyline", appauthor=False) / "bots" / _VERSION


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function when it is first called, or load what was kept of it."""
    chosen = numba.config.CACHE_DIR
    # Numba reads this when it makes a function; others choose folders of their own.
    numba.config.CACHE_DIR = chosen or str(FOLDER)
    try:
        return numba.njit(cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = chosen
