"""List the options of a match."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import MatchOptions

# A recording stores the values in this order. Add new fields at the end: older recordings get their defaults.
# (name, least, most, default)
FIELDS = (
    ("players", 2, 4, 2),
    ("teams", 0, 14, 0),
    ("target", 0, 2, 0),  # EVERYBODY
    ("wins", 1, 5, 1),
    ("solid", 0, 1, 0),
    ("starting", 0, 10, 0),
    ("starting_solid", 0, 1, 0),
    ("quicken_s", 0, 300, 30),
    ("aim", 0, 1000, 0),
    ("who", 0, 0xFFFF, 0),
    ("handicaps", 0, 0xFF, 0),
    ("practice", 0, 1, 0),
    ("rules", 0, 3889, 0),  # GUIDELINE
)


def check(options: "MatchOptions") -> None:
    """Raise ValueError with one line if a field is out of range or a team is empty."""
    for row in FIELDS:
        value = getattr(options, row[0])
        if not row[1] <= value <= row[2]:
            raise ValueError("match option %s is %d, allowed is %d to %d" % (row[0], value, row[1], row[2]))
    everybody = (1 << options.players) - 1
    if options.teams and not 0 < options.teams & everybody < everybody:
        raise ValueError("match option teams is %d: an empty team" % options.teams)
