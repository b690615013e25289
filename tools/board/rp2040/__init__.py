"""The RP2040 as one NumPy record and functions compiled by Numba: core, peripherals and pins."""
