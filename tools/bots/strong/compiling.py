"""Compile the strong player's search functions."""

from functools import partial
from pathlib import Path

from tools.numba_cache import Compiler

_SOURCES = ("ahead", "beam", "columns", "evaluation", "patterns", "vectors")

compiled = Compiler("bots", [Path(__file__).with_name(f"{name}.py") for name in _SOURCES])
# For functions of many arrays: Numba counts the references of each array that a call passes.
inlined = partial(compiled, inline="always")
