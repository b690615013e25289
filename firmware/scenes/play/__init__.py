"""Play or watch one game."""
