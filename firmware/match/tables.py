"""Read the tables of attacks; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.options import BACK_TO_BACK, CLEAR, COMBO, CUSTOM, CUSTOM_COUNTS, HALF, SPINS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from firmware.contracts import Blob, Match

GUIDELINE = const(0)

_ALL_EXTRAS = const(7)  # as `modern` (firmware/modes/README.md, 5)
_MODERN = b"\1\1\2\2\1\2\1\1"  # as rules of CUSTOM


def set_up(match: "Match") -> None:
    """Set what the rules of a match change: its table of attacks; if not GUIDELINE, how lines count, and its games."""
    number = match.options.rules
    match.attacks = read(number)
    if number:
        # Imported late: a match by the guideline needs neither.
        from firmware.engine.extra_rules import ExtraRulesGame
        from firmware.match import combos

        chosen = split(number)
        match.modern = combos.Modern(match, chosen)
        match.rules = ExtraRulesGame
        for choice in match.choices:
            choice.spins = chosen[SPINS]
            choice.modern = _ALL_EXTRAS if number < CUSTOM else 2 * chosen[HALF]


def split(number: int) -> "Blob":
    """Return the rules of MODERN or of CUSTOM, one byte for each."""
    if number < CUSTOM:
        return _MODERN
    number -= CUSTOM
    chosen = bytearray()
    for count in CUSTOM_COUNTS:
        chosen.append(number % count)
        number //= count
    return chosen


def read(number: int) -> "Sequence[int]":
    """Return the numbers of a match's table of attacks, as attack.py and combos.py describe them."""
    with open(__file__.rpartition("match")[0] + "match/attacks.txt", "rb") as file:
        numbers = parse(file.read().split(b"\n\n")[min(number, CUSTOM)], split(number))
    return numbers if max(numbers) > 255 else bytes(numbers)


def find(text: bytes, word: bytes, part: int = 0) -> "list[Any]":
    """Return the values of a word in a paragraph, which is not in its first line; one 0 if it is not there.

    part: which of several between bars, or the last of them.
    """
    start = text.find(b"\n" + word + b": ")
    if start < 0:
        return [b"0"]
    end = text.find(b"\n", start + 1)
    # Slices, no partitions: their garbage would split the largest block of a match that begins.
    parts = text[start + len(word) + 3 : end if end > 0 else len(text)].split(b"|")
    return parts[min(part, len(parts) - 1)].split() or [b"0"]


def parse(text: bytes, chosen: "Blob" = _MODERN) -> "list[int]":
    """Return the numbers of a table's paragraph; chosen: its rules, if it is that of CUSTOM."""
    sent: "list[int]" = []
    more: "list[Any]" = []
    back = chosen[BACK_TO_BACK]
    for spin in (b"none", b"mini", b"full"):
        for value in find(text, spin, back):
            lines, _, added = value.partition(b"+")
            sent.append(int(lines))
            more.append(added or b"0")
    combo = find(text, b"combo", chosen[COMBO])
    least = find(text, b"least")
    last = max(len(combo), len(least)) - 1
    for word in (b"all-clear", b"alone", b"times"):
        more += find(text, word, chosen[CLEAR])
    more.append(last)
    for each in (combo, least):
        more += each + each[-1:] * (last + 1 - len(each))
    sent += map(int, more + find(text, b"grow", back))
    return sent
