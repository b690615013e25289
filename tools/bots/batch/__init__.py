"""Play many games of Skyline-v0 at once: Numba over arrays, equal to the engine."""
