"""Compile the functions of the batch."""

from pathlib import Path

import numba

from firmware.engine import randomizer, scoring
from sim import terminal
from tools.numba_cache import Compiler

_HERE = Path(__file__).parent
_ENGINE = [Path(module.__file__) for module in (randomizer, scoring)]

compiled = Compiler("batch", [*sorted(_HERE.glob("*.py")), *_ENGINE, _HERE.parent / "strong" / "columns.py"])


def note_compiling() -> None:
    """Say on stderr that the first use compiles for a while."""
    if not numba.config.DISABLE_JIT and not numba.config.CACHE_DIR and not compiled.folder.exists():
        terminal.note("tools.bots", "compiling the batch for this Python and processor, once: about 40 s")
