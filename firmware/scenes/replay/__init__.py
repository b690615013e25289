"""Watch a recorded game, and practise from any moment."""
