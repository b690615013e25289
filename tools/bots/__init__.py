"""Give programs that play Skyline what they need: places that can be reached, games to go back to."""
