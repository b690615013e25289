"""Play like a quick person: watch a game, think between its frames, press its buttons.

A `Player` (player.py) watches a Game, in a match or alone. It sees what the screen shows: the Matrix, the Tetrimino in
play, Hold, and as much of the Next Queue as its level uses (levels.py). It thinks by a rolling beam (beam.py) over
places that rating.py rates; planner.py plans the presses. Thought is counted in units of match time. So the same seed,
level and game give the same edges for any length of frames. Nothing is allocated in play. judge.py compares the places
of a recorded game with the best ones by the same search, and reasons.py says in words what the difference is.
"""
