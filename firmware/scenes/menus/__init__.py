"""Lead to games, and tell what came of them."""
