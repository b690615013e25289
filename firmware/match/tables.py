"""Read the tables of attacks; play does not keep this module in memory."""

from firmware.compat import const

GUIDELINE = const(0)

_LONGEST = const(32)  # the numbers of a list for combos that multiply


def read(number: int) -> bytes:
    """Return the numbers of a table of attacks.txt, as attack.py and combos.py describe them."""
    with open(__file__.rpartition("match")[0] + "match/attacks.txt", "rb") as file:
        return bytes(parse(file.read().split(b"\n\n")[number])[0])


def find(text: bytes, word: bytes) -> "list[bytes]":
    """Return the values of a word in a paragraph, none if it is not there."""
    return (b"\n" + text).partition(b"\n" + word + b": ")[2].partition(b"\n")[0].split()


def parse(text: bytes) -> "tuple[list[int], int]":
    """Return the numbers of a table's paragraph, and a bit for each that can be Back-to-Back."""
    sent: "list[int]" = []
    more: "list[int]" = []
    kept = 0
    for spin in (b"none", b"mini", b"full"):
        for value in find(text, spin):
            lines, plus, added = value.partition(b"+")
            kept |= bool(plus) << len(sent)
            sent.append(int(lines))
            more.append(int(added or b"0"))
    sent += more
    times = find(text, b"times")
    combo = find(text, b"combo")
    least = find(text, b"least")
    all_clear = find(text, b"all-clear")
    longest = _LONGEST if times else max(len(combo), len(least), len(all_clear) and 1)
    if longest:
        sent += [int(all_clear[0]) if all_clear else 0, len(all_clear) > 1, int(times[0]) if times else 0, longest - 1]
        for each in (combo, least):
            for at in range(longest):
                sent.append(int(each[min(at, len(each) - 1)]) if each else 0)
        for value in find(text, b"grow"):
            sent.append(int(value))
    return sent, kept
