"""Set what a player may set."""
