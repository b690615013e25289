"""Compose the sound effects (Guideline 13.2) for one voice.

An effect is pairs of bytes: a note, counted in semitones from 1 = C2 (0 is a rest), and its length
in units of 8 ms.
"""

from firmware.engine import events

# From the least important up, what happened and what it sounds like: a later one may interrupt
# an earlier one, and of several that happen at once the last is heard.
CALLS = (
    events.MOVED,
    events.SOFT_DROPPED,
    events.ROTATED,
    events.MOVE_FAILED | events.ROTATE_FAILED | events.HOLD_FAILED,
    events.LANDED,
    events.HELD,
    events.LOCKED,
    events.HARD_DROPPED,
    events.SINGLE,
    events.DOUBLE,
    events.TRIPLE,
    events.T_SPIN | events.MINI_T_SPIN,
    events.TETRIS,
    events.LEVEL_UP,
    events.GAME_OVER,
)
NOTES = (
    b"\x25\x01",
    b"\x19\x01",
    b"\x2c\x01\x31\x01",
    b"\x0d\x02",
    b"\x14\x02",
    b"\x27\x02\x2c\x02\x33\x02",
    b"\x12\x02\x0d\x02",
    b"\x19\x01\x12\x01\x0d\x02",
    b"\x25\x06\x2c\x08",
    b"\x25\x05\x2c\x05\x31\x08",
    b"\x25\x05\x29\x05\x2c\x05\x31\x0a",
    b"\x2c\x04\x2f\x04\x33\x04\x38\x0a",
    b"\x25\x05\x2c\x05\x31\x05\x2c\x05\x35\x05\x38\x10",
    b"\x2c\x05\x00\x01\x2c\x05\x31\x05\x38\x0c",
    b"\x25\x0c\x24\x0c\x23\x0c\x22\x14\x00\x04\x19\x20",
)
