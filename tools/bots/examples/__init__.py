"""Hold examples of bots and policies that others can copy."""
