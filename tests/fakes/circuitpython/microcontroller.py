"""Fake CircuitPython's `microcontroller`."""

from types import SimpleNamespace

from workbench import Pin, bench

__all__ = ["Pin", "nvm", "pin"]
nvm = bench.nvm
pin = SimpleNamespace(**{f"GPIO{each.number}": each for each in bench.pins})
