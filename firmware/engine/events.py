"""Name the event bits that `Game.input` and `Game.advance` return.

A scene turns them into sound and effects. They fit 30 bits, so they stay small integers on a 32-bit interpreter.
"""

from firmware.compat import const

MOVED = const(1 << 0)
MOVE_FAILED = const(1 << 1)  # by a press only: Auto-Repeat at a wall makes no sound
ROTATED = const(1 << 2)
ROTATE_FAILED = const(1 << 3)
HELD = const(1 << 4)
HOLD_FAILED = const(1 << 5)
SOFT_DROPPED = const(1 << 6)  # the Tetrimino fell at least one row by Soft Drop
HARD_DROPPED = const(1 << 7)
LANDED = const(1 << 8)
LOCKED = const(1 << 9)
SINGLE = const(1 << 10)
DOUBLE = const(1 << 11)
TRIPLE = const(1 << 12)
TETRIS = const(1 << 13)
T_SPIN = const(1 << 14)  # with a line bit or alone
MINI_T_SPIN = const(1 << 15)
BACK_TO_BACK = const(1 << 16)
ELIMINATED = const(1 << 17)  # the full rows have been removed
LEVEL_UP = const(1 << 18)
GENERATED = const(1 << 19)
GARBAGE = const(1 << 20)  # garbage rows rose
GAME_OVER = const(1 << 21)
COMPLETED = const(1 << 22)  # with GAME_OVER: the mode's aim is reached
SENT = const(1 << 23)  # in a match: the player sent lines to others
COUNTERED = const(1 << 24)  # in a match: the player cancelled lines of its own queue

LINES = const(SINGLE | DOUBLE | TRIPLE | TETRIS)
