"""List the fields of the settings, and write or read their record.

The record: format (1 byte), the number of engine options, the options in the order of engine/options.py. Then a mask
for each control (1 byte) and the FIELDS below. Numbers are LEB128. Missing and wrong values get their defaults.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.option_table import list_fields
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer, Fields
    from firmware.save.settings import Settings

# Each change in a menu appends a record: a bank of 4,096 bytes has room for 30 of the longest.
MOST_BYTES = const(128)

_FORMAT = const(1)
_CONTROLS = const(8)

_GAME_FIELDS: "Fields" = list_fields(True)
FIELDS: "Fields" = list_fields(False)  # the settings that are no engine options


def reset(settings: "Settings") -> None:
    """Set everything to its default; the handling is the guideline's preset."""
    from firmware.save.presets import GUIDELINE, handle  # late here and below: saving does not need them

    for field in _GAME_FIELDS + FIELDS:
        setattr(settings, field[0], field[3])
    handle(settings, GUIDELINE)
    for i in range(_CONTROLS):
        settings.buttons[i] = 1 << i


def pack(settings: "Settings", buffer: "Buffer") -> int:
    """Write the record to `buffer`; return its length, at most MOST_BYTES."""
    return walk(settings, Numbers(buffer, True))


def restore(settings: "Settings", buffer: "Blob") -> None:
    """Read the settings from a record in `buffer`; an empty one gives the defaults."""
    reset(settings)
    try:
        walk(settings, Numbers(buffer, False))
    except (IndexError, ValueError):
        pass  # an older version saved fewer fields
    from firmware.modes.catalogue import find

    try:
        find(settings.variant)
    except ValueError:
        settings.variant = 0  # a newer version saved a mode that is unknown here


def walk(settings: "Settings", numbers: Numbers) -> int:
    """Write or read all fields; skip unknown fields and wrong values. Return the bytes used.

    It is one function because a board's stack has no room for deeper calls.
    """
    if numbers.walk(_FORMAT) != _FORMAT:
        return 0
    count = numbers.walk(len(_GAME_FIELDS))
    for fields in (_GAME_FIELDS, FIELDS):
        for i in range(count):
            if i < len(fields):
                name, least, most, _default = fields[i]
                value = numbers.walk(getattr(settings, name))
                if value >= least and value <= most:  # shorter on a board
                    setattr(settings, name, value)
            else:
                numbers.walk(0)
        if fields is _GAME_FIELDS:
            numbers.items(settings.buttons, _CONTROLS)
            count = len(FIELDS)
    return numbers.at
