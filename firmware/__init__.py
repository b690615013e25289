"""Hold everything that is copied to the handheld."""
