"""Hold a player's options for the rules and the handling of one game."""

from firmware.compat import const

EXTENDED = const(0)
INFINITE = const(1)
CLASSIC = const(2)
FIXED = const(0)
VARIABLE = const(1)

# the bits of `modern`
COMBOS = const(1)
HALF_TURNS = const(2)
ALL_SPINS = const(4)

# A recording stores the values in this order. A new field goes to the end, and older recordings play with its default.
# (name, least, most, default)
FIELDS = (
    ("level", 1, 15, 1),
    ("next_count", 1, 6, 6),
    ("hold_on", 0, 1, 1),
    ("ghost_on", 0, 1, 1),
    ("lock_rule", 0, 2, EXTENDED),
    ("goal_rule", 0, 1, FIXED),
    ("das_ms", 1, 1000, 300),
    ("arr_ms", 0, 500, 55),
    ("soft_factor", 1, 100, 20),
    ("generation_ms", 0, 1000, 200),
    ("animate_ms", 0, 2000, 300),
    ("garbage_rows", 0, 15, 0),
    ("aim", 0, 1000, 0),
    ("initial_rotation", 0, 1, 0),
    ("initial_hold", 0, 1, 0),
    ("guard_ms", 0, 1000, 0),
    ("cut_repeat", 0, 1, 0),
    ("early_presses", 0, 1, 0),
    ("steady_repeat", 0, 1, 0),
    ("modern", 0, 7, 0),
)


class Options:
    """Hold the options of one game; every field starts at its default.

    level: starting level 1-15 (Guideline 2.3.3).
    next_count, hold_on, ghost_on: shown and allowed parts (2.5.1-2.5.3).
    lock_rule: EXTENDED, INFINITE or CLASSIC (2.5.4, 5.7-5.9).
    goal_rule: FIXED or VARIABLE (6).
    das_ms: delay before Auto-Repeat, "roughly 0.3 seconds" (5.2).
    arr_ms: time of one repeated step, 0 for all at once. An upright I has nine steps from wall to wall, so 55 ms
    gives the "about 0.5 seconds" of 5.2.
    soft_factor: Soft Drop is this many times the Fall Speed (7.1).
    generation_ms: from Lock Down to the Next Tetrimino (A1.2.1).
    animate_ms: length of the Animate Phase of a Line Clear. The text leaves it open; current games take 300 ms.
    garbage_rows: Starting Blocks, rows with one gap each (2.4, 6).
    aim: a mode's own number, such as the lines of a Sprint; 0 is its default.
    initial_rotation, initial_hold: a rotation or Hold button held at a generation acts on the Tetrimino before it
    appears. Off by default: the guideline knows only presses.
    guard_ms: a Hard Drop is ignored for this long after a generation if the last Lock Down came by itself.
    cut_repeat: Auto-Repeat restarts with its delay for each Tetrimino; 5.2 lets it continue.
    early_presses: presses to the side and of Hold without a Tetrimino in play apply to the next one. With
    initial_rotation rotations do so too.
    steady_repeat: releasing the older of two directions leaves the Auto-Repeat of the newer one alone. Both are off
    by default, so that older recordings still play; players have them (firmware/save/settings_presets.py).
    modern: rules of current games, a sum of 1, 2 and 4 (firmware/modes/README.md, 5).
    """

    level: int
    next_count: int
    hold_on: int
    ghost_on: int
    lock_rule: int
    goal_rule: int
    das_ms: int
    arr_ms: int
    soft_factor: int
    generation_ms: int
    animate_ms: int
    garbage_rows: int
    aim: int
    initial_rotation: int
    initial_hold: int
    guard_ms: int
    cut_repeat: int
    early_presses: int
    steady_repeat: int
    modern: int

    def __init__(self) -> None:
        for row in FIELDS:
            setattr(self, row[0], row[3])

    def check(self) -> None:
        """Raise ValueError with one line if a field is out of range."""
        for row in FIELDS:
            value = getattr(self, row[0])
            if not row[1] <= value <= row[2]:
                raise ValueError("option %s is %d, allowed is %d to %d" % (row[0], value, row[1], row[2]))
