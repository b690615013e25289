"""Play Skyline by programs: reachable places, snapshots of games, the Tetris Bot Protocol."""
