"""Hold the only modules that know hardware: one file for each part of the handheld."""
