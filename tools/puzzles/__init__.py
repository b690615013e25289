"""Read puzzles from text or a fumen, solve, prove and pack them for the handheld (see README.md)."""
