"""Draw the game: the canvas, its tables of pixels and the view of a game in play."""
