"""Offer presets of the handling.

RELAXED    Auto-Repeat starts later and is slower than in the guideline, and Soft Drop is slow. A Hard
           Drop just after a Lock Down is ignored, and Auto-Repeat restarts for each Tetrimino, because
           beginners cannot explain these two mishaps.
GUIDELINE  The guideline of 2009.
FAST       Practised players of current games set delays of 80 to 133 ms and steps of 0 to 15 ms (the
           games start at 167 and 33). They turn and hold before a Tetrimino appears, and want Soft
           Drop to be almost instant. They drop fast, so the time that ignores a Hard Drop is short.
167/33     Where players of TETR.IO begin: its delay and step, Soft Drop six times as fast, and a guard.
133/10     Where players of jstris begin: its delay and step, no initial rotation or Hold, no guard.

In all, presses before a Tetrimino appears count, and releasing the other direction does not restart Auto-Repeat.
"""

from firmware.compat import const
from firmware.engine.options import Options
from firmware.option_table import list_handling, list_presets

CUSTOM = const(-1)
RELAXED = const(0)
GUIDELINE = const(1)
FAST = const(2)
NAMES = (b"RELAXED", b"GUIDELINE", b"FAST", b"167/33", b"133/10", b"OWN")

HANDLING = list_handling()
_PRESETS = list_presets()


def handle(options: Options, preset: int) -> None:
    """Set the handling to one of NAMES."""
    for name, value in zip(HANDLING, _PRESETS[preset]):
        setattr(options, name, value)


def find_preset(options: Options) -> int:
    """Return the preset whose values the handling has, or CUSTOM."""
    values = tuple(map(getattr, (options,) * len(HANDLING), HANDLING))
    return _PRESETS.index(values) if values in _PRESETS else CUSTOM
