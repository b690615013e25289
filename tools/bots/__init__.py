"""Programs that play Skyline: gymnasium environments, bots of the Tetris Bot Protocol, and the strong player."""
