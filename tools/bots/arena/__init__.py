"""Let bots play matches without end, and rate them."""

COMMAND = "tools.bots arena"
