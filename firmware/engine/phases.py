"""Number the phases of a game (Guideline A1.1)."""

from firmware.compat import const

GENERATION = const(0)
FALLING = const(1)
LOCK = const(2)
PATTERN = const(3)
ITERATE = const(4)
ANIMATE = const(5)
ELIMINATE = const(6)
COMPLETION = const(7)
GAME_OVER = const(8)
