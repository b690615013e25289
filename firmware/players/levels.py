"""Name the levels of computer players: their speed, foresight and care."""

from firmware.compat import const

LEVELS = const(5)
BEST = const(5)
STRONGEST = const(7)  # the levels above BEST are the strong player's, on PCs (sim/desktop/strong_seats.py)

# Bytes: texts would stay in memory as names.
NAMES = (b"SNAIL", b"DUCK", b"CAT", b"FOX", b"HAWK", b"EAGLE", b"ROC")
# For menus: at most three lines of 16, separated by a bar.
DESCRIPTIONS = (
    b"SLOW, LOOKS AT|ONE PIECE,|OFTEN SLIPS",
    b"LOOKS AT TWO|PIECES, SLIPS|SOMETIMES",
    b"USES HOLD, MOVES|PIECES UNDER|OVERHANGS",
    b"QUICK, LOOKS AT|FOUR PIECES,|USES T-SPINS",
    b"FAST, LOOKS AT|SEVEN PIECES,|NEVER SLIPS",
    b"VERY STRONG, TWO|PIECES A SECOND",
    b"STRONGEST: SEVEN|IN TWO SECONDS",
)

REACTION_MS = const(0)
PACE_MS = const(1)
WIDTH = const(2)
SIGHT = const(3)
HOLDS = const(4)
SLIDES = const(5)
SPINS = const(6)
SLIPS = const(7)

# For each level: milliseconds to look at a Tetrimino and between presses; number of places kept; part of the Next Queue
# seen; whether it holds, slides and spins; how many of 256 Tetriminos slip by a column.
TABLE = (
    (1100, 220, 1, 0, 0, 0, 0, 100),
    (550, 140, 5, 1, 0, 0, 0, 10),
    (430, 110, 6, 2, 1, 1, 0, 8),
    (400, 95, 7, 3, 1, 1, 1, 5),
    (215, 74, 8, 6, 1, 1, 1, 0),
)
