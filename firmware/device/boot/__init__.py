"""Start the handheld, and explain what keeps it from starting."""
