"""Offer three ways to handle a Tetrimino.

RELAXED    A longer delay and slower steps than the guideline's leave time to let go, and an eye can
           follow Soft Drop. A Hard Drop just after a Lock Down is ignored and no Tetrimino inherits
           a repeat: beginners cannot explain these two mishaps.
GUIDELINE  The text of 2009; shown as CLASSIC.
FAST       Practised players of current games set delays of 80 to 133 ms and steps of 0 to 15 ms (the
           games start at 167 and 33). They turn and hold before a Tetrimino appears, and want Soft
           Drop to be almost instant. The guard is short because they drop without looking.

All three accept presses before a Tetrimino comes, and let nothing stall a repeat.
"""

from firmware.compat import const
from firmware.engine.options import Options
from firmware.option_table import list_handling, list_presets

CUSTOM = const(-1)
RELAXED = const(0)
GUIDELINE = const(1)
FAST = const(2)

HANDLING = list_handling()
_PRESETS = list_presets()


def handle(options: Options, preset: int) -> None:
    """Set the handling to RELAXED, GUIDELINE or FAST."""
    for i in range(len(HANDLING)):
        setattr(options, HANDLING[i], _PRESETS[preset][i])


def find_preset(options: Options) -> int:
    """Return the preset that the handling is as of, or CUSTOM."""
    other = Options()
    for preset in range(FAST + 1):
        handle(other, preset)
        for name in HANDLING:
            if getattr(options, name) != getattr(other, name):
                break
        else:
            return preset
    return CUSTOM
