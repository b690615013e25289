"""Keep what the player chose for good (Guideline 2.5): rules, handling, sound, screen and buttons.

The record: format (1 byte), how many options of the engine follow, those in the order of their
FIELDS, a mask for each control, then the fields of this table; every number as LEB128. What a
record of an older version lacks, and what is out of its range, is at its default.
"""

from firmware.compat import const
from firmware.engine import options
from firmware.engine.options import Options
from firmware.save.numbers import Numbers

_FORMAT = const(1)
_CONTROLS = const(8)
# For each control the buttons that are it where a handheld has no button for Hold or none for pause.
_CHORDS = b"\x01\x02\x04\x08\x10\x20\x30\x03"

# Besides those of the engine: (name, least, most, default). A new field goes to the end.
FIELDS = (
    ("variant", 0, 3, 0),
    ("music_on", 0, 1, 1),
    ("music_volume", 1, 5, 3),
    ("tune", 0, 3, 0),
    ("effects_on", 0, 1, 1),
    ("effects_volume", 1, 5, 4),
    ("motion_on", 0, 1, 1),
    ("large_cells", 0, 1, 0),
    ("turned", 0, 1, 0),
    ("contrast", 0, 255, 207),
    ("dim_s", 0, 600, 60),
    ("sleep_s", 0, 3600, 300),
)


class Settings(Options):
    """Hold the options of the next game and the settings of the handheld; they start at their defaults.

    The fields of Options, and of these only those that a player sets are ever off their defaults.
    variant: the last one played, a number of firmware/modes/catalogue.py; `level` and `aim` are its.
    music_on, effects_on, and music_volume, effects_volume: 1 to 5 (Guideline 2.5.5, 2.5.6).
    tune: 0 to 2, or 3 for another one each time.  motion_on: 0 spares the player flashes and motion.
    large_cells: the layout for weak eyes.  turned: the screen by 180 degrees.
    contrast: as of the display; 207 is what the panel's maker sets.
    dim_s, sleep_s: seconds without a button after which the screen dims, or sleeps; 0 for never.
    buttons: for each control the mask of the buttons that are it when they are down together,
        so 1 << 4 is one button and 3 << 4 the chord of A and B; 0 for a control without.
    """

    variant: int
    music_on: int
    music_volume: int
    tune: int
    effects_on: int
    effects_volume: int
    motion_on: int
    large_cells: int
    turned: int
    contrast: int
    dim_s: int
    sleep_s: int

    def __init__(self) -> None:
        self.buttons = bytearray(_CONTROLS)
        self.reset()

    def reset(self) -> None:
        """Set everything to its default."""
        for name, _least, _most, default in options.FIELDS + FIELDS:
            setattr(self, name, default)
        for i in range(_CONTROLS):
            self.buttons[i] = 1 << i

    def fit(self, wired: int) -> None:
        """Give each control whose button a handheld lacks a chord of those it has: A with B, left with right.

        wired: a mask of the buttons that are there, as of Device.
        """
        for i in range(_CONTROLS):
            if self.buttons[i] & ~wired:
                self.buttons[i] = _CHORDS[i]

    def apply(self, chosen: Options) -> None:
        """Copy what the engine wants to know into the options of a game."""
        for name, _least, _most, _default in options.FIELDS:
            setattr(chosen, name, getattr(self, name))

    def pack(self, buffer) -> int:
        """Write the record to `buffer`; return its length, at most 64 bytes."""
        numbers = Numbers(buffer, True)
        self.walk(numbers)
        return numbers.used

    def restore(self, buffer) -> None:
        """Take the settings from a record that `buffer` is from first to last; from none the defaults."""
        self.reset()
        try:
            self.walk(Numbers(buffer, False))
        except (IndexError, ValueError):
            pass  # an older version of Skyline knew fewer fields

    def walk(self, numbers: Numbers) -> None:
        """Write or read all fields."""
        if numbers.number(_FORMAT) != _FORMAT:
            return
        self.walk_fields(numbers, options.FIELDS, numbers.number(len(options.FIELDS)))
        numbers.items(self.buttons, _CONTROLS)
        self.walk_fields(numbers, FIELDS, len(FIELDS))

    def walk_fields(self, numbers: Numbers, fields: tuple, count: int) -> None:
        """Write or read `count` fields; pass over what is not known or out of its range."""
        for i in range(count):
            if i >= len(fields):
                numbers.number(0)
                continue
            name, least, most, _default = fields[i]
            value = numbers.number(getattr(self, name))
            if least <= value <= most:
                setattr(self, name, value)
