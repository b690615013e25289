"""Let a program play Skyline: places that can be reached, games to go back to, the Tetris Bot Protocol."""
