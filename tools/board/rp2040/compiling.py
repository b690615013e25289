"""Compile the emulator."""

from pathlib import Path

from tools.numba_cache import Compiler

compiled = Compiler("board", sorted(Path(__file__).parent.rglob("*.py")))
