"""Play or watch a match over a wire."""
