"""Fake CircuitPython's `microcontroller`."""

from workbench import bench

nvm = bench.nvm
