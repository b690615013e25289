"""Show menus before games, and results after them."""
