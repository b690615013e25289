"""Ask what the first start needs to know."""
