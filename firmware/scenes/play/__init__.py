"""Play one game."""
