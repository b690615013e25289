"""Hold the only modules that touch hardware: one file for each part of the handheld."""
