"""Define known openers, prove them by the engine and count the bags that allow them (see README.md)."""
