"""Measure how long a player waits for the deployed game on the emulated firmware."""

NAMES = ("start", "games", "match", "match-of-four", "frames", "edges")
