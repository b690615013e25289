"""Number the controls of a game (Guideline 4); a recording stores these numbers."""

from firmware.compat import const

LEFT = const(0)
RIGHT = const(1)
SOFT_DROP = const(2)
HARD_DROP = const(3)
ROTATE_CW = const(4)
ROTATE_CCW = const(5)
HOLD = const(6)
PAUSE = const(7)  # for scenes: the engine ignores it
