"""Hold a player's options for the rules and the handling of one game."""

from firmware.compat import TYPE_CHECKING, const
from firmware.option_table import list_fields

if TYPE_CHECKING:
    from firmware.contracts import Fields

EXTENDED = const(0)
INFINITE = const(1)
CLASSIC = const(2)
FIXED = const(0)
VARIABLE = const(1)

# the bits of `modern`
COMBOS = const(1)
HALF_TURNS = const(2)
ALL_SPINS = const(4)

# (name, least, most, default). A recording stores the values in this order; options missing in an old recording get
# their defaults.
FIELDS: "Fields" = list_fields(True)


class Options:
    """Hold the options of one game, one attribute for each of FIELDS; each starts at its default."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> int: ...
        def __setattr__(self, name: str, value: int) -> None: ...

    def __init__(self) -> None:
        for row in FIELDS:
            setattr(self, row[0], row[3])

    def check(self) -> None:
        """Raise ValueError with one line if an option is out of range."""
        for row in FIELDS:
            value = getattr(self, row[0])
            if not row[1] <= value <= row[2]:
                raise ValueError("option %s is %d, allowed is %d to %d" % (row[0], value, row[1], row[2]))
