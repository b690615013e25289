"""Explain the game."""
