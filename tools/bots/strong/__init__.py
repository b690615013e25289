"""Play as strongly as a PC can: bitboards and a rolling beam, compiled by Numba (extra `solve`)."""
