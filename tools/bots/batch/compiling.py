"""Compile the functions of the batch."""

from functools import partial
from pathlib import Path

import numba

from sim import terminal
from tools import ROOT
from tools.numba_cache import Compiler

_HERE = Path(__file__).parent
_ENGINE = [ROOT / "firmware/engine" / name for name in ("randomizer.py", "scoring.py")]
_BOTS = [ROOT / "tools/bots" / name for name in ("strong/columns.py", "strong/vectors.py", "shaping.py")]
_SOURCES = [*sorted(_HERE.glob("*.py")), *_ENGINE, *_BOTS]

compiled = Compiler("batch", _SOURCES)
# For short functions of arrays: Numba counts the references of each array that a call passes.
inlined = partial(compiled, inline="always")


def note_compiling() -> None:
    """Say on stderr that the first use compiles for a while."""
    if not numba.config.DISABLE_JIT and not numba.config.CACHE_DIR and not compiled.folder.exists():
        terminal.note("tools.bots", "compiling the batch for this Python and processor, once: about a minute")
