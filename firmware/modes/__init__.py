"""Define the goals of games: one mode a module, on the hooks of the engine."""
