"""Measure what Skyline costs a board: heap, instructions, bytes on the bus, and the time they take."""
