"""Compare the rotation systems with foreign engines, which run beside and are never copied."""
