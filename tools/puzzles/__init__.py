"""Puzzles: written in text or taken from a fumen, solved, proved and packed for the handheld (see README.md)."""
