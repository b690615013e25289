"""Record games and matches, and play them again."""
