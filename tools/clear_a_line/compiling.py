"""Compile with Numba, and keep what was compiled for as long as no source of this package changes.

Numba checks only the file of a function itself, not the files of functions that it calls. Its cache would keep calling
code that a changed module no longer has.
"""

from functools import partial
from hashlib import sha256
from pathlib import Path

import numba

_HERE = Path(__file__).resolve().parent
_SOURCES = sha256(b"".join(path.read_bytes() for path in sorted(_HERE.glob("*.py")))).hexdigest()[:16]


def _keep_apart() -> None:
    """Give the functions compiled from these sources a folder of their own, if the user has not chosen one."""
    if not numba.config.CACHE_DIR:
        numba.config.CACHE_DIR = str(_HERE / "__pycache__" / _SOURCES)


_keep_apart()
njit = partial(numba.njit, cache=True, nogil=True)
inlined = partial(numba.njit, cache=True, nogil=True, inline="always")
