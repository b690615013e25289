"""Teach: puzzles, all clears, openers and finesse."""
