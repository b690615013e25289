"""Name the grades of Master, one for each level."""

from firmware.compat import const

_KINDS = const(9)  # grades for each letter
_LETTERS = b" SMG"
_NINE = const(57)
_ONE = const(49)
_M = const(77)


def find_letter(level: int) -> int:
    """Return the first character of a level's grade, a blank if the grade is one digit."""
    kind = (level - 1) // _KINDS
    return _LETTERS[kind if kind < len(_LETTERS) else -1]


def find_digit(level: int) -> int:
    """Return the second character of the grade of a level."""
    if level <= _KINDS:
        return _NINE + 1 - level
    return _ONE + (level - 1) % _KINDS if level <= 3 * _KINDS else _M


def name_grade(level: int) -> bytes:
    """Return the grade of a level: 9 to 1, S1 to S9, M1 to M9, then GM."""
    return bytes((find_letter(level), find_digit(level))).lstrip()
