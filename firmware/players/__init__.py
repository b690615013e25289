"""Play like a person who is quick: see a game, think between its frames, press its buttons.

A `Player` (player.py) watches a Game, of a match or alone, and knows of it what its screen shows: the Matrix, the
Tetrimino in play, Hold and as much of the Next Queue as its level looks at (levels.py). Its thought is a
rolling beam (beam.py) over places that judge.py judges; its hands (hands.py) press what leads to the place.
All of it is counted in units of thought that match time owes and in moments of match time: however frames cut time,
the same seed, level and game give the same edges. Nothing is allocated once it plays.
"""
