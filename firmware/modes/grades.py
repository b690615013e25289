"""Name the grades of Master, one a level."""

from firmware.compat import const

_KINDS = const(9)  # of grades a letter
_LETTERS = b" SM"


def name_grade(level: int) -> bytes:
    """Return the grade of a level: 9 to 1, S1 to S9, M1 to M9, then GM."""
    if level <= _KINDS:
        return bytes((48 + _KINDS + 1 - level,))
    if level > 3 * _KINDS:
        return b"GM"
    return bytes((_LETTERS[(level - 1) // _KINDS], 49 + (level - 1) % _KINDS))
