"""Compile the functions of search.py, cover.py, polish.py and tables.py."""

from functools import partial
from pathlib import Path

from tools.numba_cache import Compiler

njit = Compiler("clear_a_line", sorted(Path(__file__).parent.glob("*.py")))
inlined = partial(njit, inline="always")
