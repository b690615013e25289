"""Measure how long a player waits for the deployed game on the emulated firmware."""

NAMES = ("start", "games", "game", "match", "match-of-four", "linked", "frames", "edges")
