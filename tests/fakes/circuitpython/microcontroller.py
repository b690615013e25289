"""Fake CircuitPython's `microcontroller`."""

from workbench import Pin, bench

__all__ = ["Pin", "nvm"]
nvm = bench.nvm
