"""Compile the functions of the batch."""

from functools import partial
from pathlib import Path

import numba

from sim import terminal
from tools.numba_cache import Compiler

_HERE = Path(__file__).parent
_OURS = ["blocks", "finder", "games", "masks", "observations", "pixels", "places", "state", "turns"]

compiled = Compiler("batch", [*(_HERE / f"{name}.py" for name in _OURS), _HERE.parent / "strong" / "columns.py"])
compiled_parallel = partial(compiled, parallel=True)


def note_compiling() -> None:
    """Say on stderr that the first use compiles for a while."""
    if not numba.config.DISABLE_JIT and not numba.config.CACHE_DIR and not compiled.folder.exists():
        terminal.note("tools.bots", "compiling the batch for this Python and processor, once: about 40 s")
