"""Fake CircuitPython's `alarm`."""

from workbench import bench

sleep_memory = bench.sleep_memory
