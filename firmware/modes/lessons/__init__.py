"""Hold what puzzles, training and help need beside their modes."""
