"""Name the states of a game or a match on the screen, for the modules that begin, stop and play it."""

from firmware.compat import const

PLAYING = const(0)
PAUSED = const(1)
OVER = const(2)
READY = const(3)

STEERED = const(13)  # as a scene's `steered`: a bit for each of these states except PAUSED

START_HELD_MS = const(500)  # START held for so long restarts the game

REST_MS = const(1000)  # ignore presses for this long after the end: a late Hard Drop must not leave the scene
