"""Emulate the RP2040's core, peripherals and pins: one NumPy record and functions compiled by Numba."""
