"""Show, keep and load rules as a line."""
