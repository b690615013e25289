"""Play or watch a match on one handheld."""
