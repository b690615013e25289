"""Whole handhelds to play in tests."""
