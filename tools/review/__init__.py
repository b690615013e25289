"""Review a recorded game beside the strong player."""
