"""Challenge the handheld as a dealer."""
