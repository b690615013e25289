"""Hold a player's options for the rules and the handling of one game."""

from firmware.compat import TYPE_CHECKING, const
from firmware.option_table import list_column, list_least

EXTENDED = const(0)
INFINITE = const(1)
CLASSIC = const(2)
FIXED = const(0)
VARIABLE = const(1)

AT_ONCE = const(1000)  # as soft_factor
AFTER_READY = const(2)  # as edition

# the bits of `modern`
COMBOS = const(1)
HALF_TURNS = const(2)
ALL_SPINS = const(4)  # of a recording before `spins`, and of MODERN matches

# A recording stores the values in this order; options missing in an old recording get their defaults.
NAMES: "tuple[str, ...]" = list_column(0)
_LEAST = list_least()
_MOST: "tuple[int, ...]" = list_column(2)
_DEFAULTS: "tuple[int, ...]" = list_column(3)


class Options:
    """Hold the options of one game, one attribute for each of NAMES; each starts at its default."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> int: ...
        def __setattr__(self, name: str, value: int) -> None: ...

    def __init__(self) -> None:
        for i in range(len(NAMES)):
            setattr(self, NAMES[i], _DEFAULTS[i])

    def check(self) -> None:
        """Raise ValueError with one line if an option is out of range."""
        for i in range(len(NAMES)):
            value = getattr(self, NAMES[i])
            if not _LEAST[i] <= value <= _MOST[i]:
                raise ValueError("option %s is %d, allowed is %d to %d" % (NAMES[i], value, _LEAST[i], _MOST[i]))
