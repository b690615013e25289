"""Find a game's worst moments."""
