"""Hold the data and helpers of puzzles, finesse training and help."""
