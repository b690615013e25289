"""Compile the functions of the batch."""

from pathlib import Path

from tools.numba_cache import Compiler

_HERE = Path(__file__).parent
_OURS = [_HERE / f"{name}.py" for name in ("games", "masks", "observations", "pixels", "turns")]

compiled = Compiler("batch", [*_OURS, _HERE.parent / "strong" / "columns.py"])
