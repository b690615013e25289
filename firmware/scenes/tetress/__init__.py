"""Play Tetress."""
