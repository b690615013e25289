"""Emulate the RP2040's core, peripherals and pins: one NumPy record and functions compiled by Numba."""

from pathlib import Path

from tools.numba_cache import Compiler

compiled = Compiler("board", sorted(Path(__file__).parent.rglob("*.py")))
