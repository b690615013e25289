"""The strong player for a PC: bitboards and a rolling beam search, compiled by Numba (extra `solve`)."""
