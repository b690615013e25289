"""Say what a game is played for: one variant a module, on the hooks of the engine."""
