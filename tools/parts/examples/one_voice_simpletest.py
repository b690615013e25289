"""Play a minuet for four seconds, with an effect over it after one, on a piezo disc at GP15."""

import time

import board
import supervisor
from one_voice import Piezo, Voice

voice = Voice(Piezo(board.GP15))
voice.play_tune(1)
for frame in range(250):
    if frame == 60:
        voice.begin(1 << 13)  # effect 13 of effects.py
    voice.update(supervisor.ticks_ms())
    time.sleep(0.016)
voice.silence()
