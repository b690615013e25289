"""Convert the days of daily games: a day is a date as a number such as 20261122, and the seed of its game."""

from firmware.compat import const

FIRST_DAY = const(20000101)
LAST_DAY = const(21271231)  # the last that 16 bits can hold

_YEAR = const(2000)
_MONTHS = b"\x1f\x1c\x1f\x1e\x1f\x1e\x1f\x1f\x1e\x1f\x1e\x1f"
_FEBRUARY = const(2)


def join_day(year: int, month: int, date: int) -> int:
    return year * 10000 + month * 100 + date


def count_dates(year: int, month: int) -> int:
    """Return how many days a month has; in this range only 2100 breaks the rule of leap years every four years."""
    leaps = month == _FEBRUARY and not year % 4 and year != 2100
    return _MONTHS[month - 1] + leaps


def count_since(day: int) -> int:
    """Return the number of days from FIRST_DAY to a day, without the day itself."""
    year = day // 10000
    years = year - _YEAR
    days = 365 * years + (years + 3) // 4 - (year > 2100) + day % 100 - 1
    for month in range(1, day // 100 % 100):
        days += count_dates(year, month)
    return days


def is_day(day: int) -> bool:
    """Return whether the day exists, from FIRST_DAY to LAST_DAY."""
    month = day // 100 % 100
    return FIRST_DAY <= day <= LAST_DAY and 0 < month < 13 and 0 < day % 100 <= count_dates(day // 10000, month)


def pack_day(day: int) -> int:
    """Return a day in 16 bits: years since 2000 << 9 | month << 5 | date."""
    return day // 10000 - _YEAR << 9 | day // 100 % 100 << 5 | day % 100


def unpack_day(number: int) -> int:
    """Return the day that `pack_day` packed into `number`."""
    return join_day(_YEAR + (number >> 9), number >> 5 & 15, number & 31)


def write_day(day: int) -> bytes:
    """Return a day in the form 2026-11-22."""
    text = str(day)
    return (text[:4] + "-" + text[4:6] + "-" + text[6:]).encode()
