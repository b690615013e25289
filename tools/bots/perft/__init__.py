"""Count the placements that a position allows, to a depth; see tools/bots/README.md, Perft."""
