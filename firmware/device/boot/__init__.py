"""Start the handheld, or explain why it cannot start."""
