"""Read the tables of attacks; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Match

GUIDELINE = const(0)

_ALL_EXTRAS = const(7)  # as `modern` (firmware/modes/README.md, 5)


def set_up(match: "Match") -> None:
    """Set what the rules of a match change: its table of attacks; in MODERN, how lines are counted, and its games."""
    match.attacks = read(match.options.rules)
    if match.options.rules:
        # Imported late: a match by the guideline needs neither.
        from firmware.engine.extra_rules import ExtraRulesGame
        from firmware.match import combos

        match.modern = combos.Modern()
        match.rules = ExtraRulesGame
        for choice in match.choices:
            choice.modern = _ALL_EXTRAS


def read(number: int) -> bytes:
    """Return the numbers of a table of attacks.txt, as attack.py and combos.py describe them."""
    with open(__file__.rpartition("match")[0] + "match/attacks.txt", "rb") as file:
        return bytes(parse(file.read().split(b"\n\n")[number]))


def find(text: bytes, word: bytes) -> "list[Any]":
    """Return the values of a word in a paragraph, which is not in its first line; one 0 if it is not there."""
    return text.partition(b"\n" + word + b": ")[2].partition(b"\n")[0].split() or [b"0"]


def parse(text: bytes) -> "list[int]":
    """Return the numbers of a table's paragraph."""
    sent: "list[int]" = []
    more: "list[Any]" = []
    for spin in (b"none", b"mini", b"full"):
        for value in find(text, spin):
            lines, _, added = value.partition(b"+")
            sent.append(int(lines))
            more.append(added or b"0")
    combo = find(text, b"combo")
    least = find(text, b"least")
    last = max(len(combo), len(least)) - 1
    for word in (b"all-clear", b"alone", b"times"):
        more += find(text, word)
    more.append(last)
    for each in (combo, least):
        more += each + each[-1:] * (last + 1 - len(each))
    sent += map(int, more + find(text, b"grow"))
    return sent
