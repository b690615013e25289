"""Ask the questions of the first start."""
