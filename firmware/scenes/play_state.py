"""Name the states of a game or a match on the screen, for the modules that begin, stop and play it."""

from firmware.compat import const

PLAYING = const(0)
PAUSED = const(1)
OVER = const(2)
READY = const(3)

# What a pause is made of, to stay where it is the way back.
PAUSE = "modes.catalogue modes.rules scenes.menu scenes.pause scenes.play_st scenes.play.pause scenes.play.st "

STEERED = const(13)  # a bit for each of these but PAUSED, as a scene's `steered`

START_HELD_MS = const(500)  # begins the same game again

REST_MS = const(1000)  # after the end, so that a late Hard Drop does not leave its picture
