"""Compose the sound effects (Guideline 13.2) for one voice.

Each effect is pairs of bytes: a note, counted in semitones from C2 (0 is a rest), and its length
in units of 8 ms. They are ordered by priority: a later one may interrupt an earlier one.
"""

MOVE = b"\x25\x01"
ROTATE = b"\x2c\x01\x31\x01"
FAIL = b"\x0d\x02"
SOFT_DROP = b"\x19\x01"
LAND = b"\x14\x02"
HOLD = b"\x27\x02\x2c\x02\x33\x02"
LOCK = b"\x12\x02\x0d\x02"
HARD_DROP = b"\x19\x01\x12\x01\x0d\x02"
SINGLE = b"\x25\x06\x2c\x08"
DOUBLE = b"\x25\x05\x2c\x05\x31\x08"
TRIPLE = b"\x25\x05\x29\x05\x2c\x05\x31\x0a"
T_SPIN = b"\x2c\x04\x2f\x04\x33\x04\x38\x0a"
TETRIS = b"\x25\x05\x2c\x05\x31\x05\x2c\x05\x35\x05\x38\x10"
LEVEL_UP = b"\x2c\x05\x00\x01\x2c\x05\x31\x05\x38\x0c"
GAME_OVER = b"\x25\x0c\x24\x0c\x23\x0c\x22\x14\x00\x04\x19\x20"

BY_PRIORITY = (
    MOVE,
    SOFT_DROP,
    ROTATE,
    FAIL,
    LAND,
    HOLD,
    LOCK,
    HARD_DROP,
    SINGLE,
    DOUBLE,
    TRIPLE,
    T_SPIN,
    TETRIS,
    LEVEL_UP,
    GAME_OVER,
)
