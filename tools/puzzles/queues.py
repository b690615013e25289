"""Sets of queues, and of the orders in which Hold lets them be played.

A set of words is a dictionary: the key counts each letter in four bits, and the value has a bit for each arrangement
of these letters. Arrangements with the same last letter follow each other, so one shift appends a letter to them all.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from tools.puzzles.text import LETTERS, PuzzleError

Words: TypeAlias = dict[int, int]
Element: TypeAlias = tuple[frozenset[int], int]
"""Tetriminos, and how many of them come, each at most once."""
ONE = [0, *(1 << 4 * piece for piece in range(7))]
MOST_COMING = 15
_ALL = frozenset(range(1, 8))
_ELEMENT = re.compile(r"(?:([IJLOSTZ])|(\*)|\[(\^?)([IJLOSTZ]+)\])(?:P([0-9])|(!))?")


def read_queue(text: str) -> list[list[Element]]:
    """Return the patterns of a queue, such as `TI[SZ],*p4` or several with semicolons; raise PuzzleError."""
    patterns = []
    for part in re.sub(r"[\s,]", "", text.upper()).split(";"):
        elements: list[Element] = []
        at = 0
        while at < len(part):
            found = _ELEMENT.match(part, at)
            if not found or found[1] and (found[5] or found[6]):
                raise PuzzleError(f"queue: '{part[at:]}' is no Tetrimino {LETTERS[1:]}, *, [IOT], [^IOT], *p4 or *!")
            letters = frozenset(map(LETTERS.index, found[1] or found[4] or LETTERS[1:]))
            letters = _ALL - letters if found[3] else letters
            count = len(letters) if found[6] else int(found[5] or 1)
            if not 1 <= count <= len(letters):
                raise PuzzleError(f"queue: {found[0].lower()} takes {count} of {len(letters)} Tetriminos")
            elements.append((letters, count))
            at = found.end()
        patterns.append(elements)
    if any(len(spread(pattern)) != len(spread(patterns[0])) for pattern in patterns):
        raise PuzzleError("queue: all patterns have the same number of Tetriminos")
    if not 1 <= len(spread(patterns[0])) <= MOST_COMING:
        raise PuzzleError(f"queue: 1 to {MOST_COMING} Tetriminos come")
    return patterns


def spread(pattern: list[Element]) -> list[Element]:
    """Return for each place of the queue its element, with the number of places that are left of it."""
    return [(letters, left) for letters, count in pattern for left in range(count, 0, -1)]


def letters_of(counts: int) -> list[int]:
    return [piece for piece in range(1, 8) if counts >> 4 * piece - 4 & 15]


def find_parts(words: Words) -> set[int]:
    """Return what some letters of a word can be, as counts."""
    parts = set(words)
    todo = list(parts)
    for counts in todo:
        fewer = {counts - ONE[piece] for piece in letters_of(counts)} - parts
        parts |= fewer
        todo += fewer
    return parts


@lru_cache(None)
def size(counts: int) -> int:
    """Return the number of arrangements."""
    return sum(size(counts - ONE[piece]) for piece in letters_of(counts)) if counts else 1


@lru_cache(None)
def offset(counts: int, last: int) -> int:
    """Return the number of arrangements that end with a lower letter."""
    return sum(size(counts - ONE[piece]) for piece in letters_of(counts) if piece < last)


def append(words: Words, letter: int, to: Words) -> None:
    """Add each word with one letter more to another set."""
    for counts, bits in words.items():
        counts += ONE[letter]
        to[counts] = to.get(counts, 0) | bits << offset(counts, letter)


def extend(words: Words, letter: int, possible: Words) -> Words:
    """Return the words with one letter more, as far as they are possible."""
    extended: Words = {}
    for counts, bits in words.items():
        counts += ONE[letter]
        limit = possible.get(counts, 0)
        bits = bits << offset(counts, letter) & limit if limit else 0
        if bits:
            extended[counts] = bits
    return extended


def merge(sets: Iterable[Words]) -> Words:
    merged: Words = {}
    for words in sets:
        for counts, bits in words.items():
            merged[counts] = merged.get(counts, 0) | bits
    return merged


def expand(pattern: list[Element], length: int) -> Words:
    """Return the queues of a pattern, cut to a length."""
    states: dict[frozenset[int], Words] = {frozenset(): {0: 1}}
    before = 1
    for letters, left in spread(pattern)[:length]:
        if before == 1:
            states = {letters: merge(states.values())}
        after: dict[frozenset[int], Words] = {}
        for choice, words in states.items():
            for letter in choice:
                append(words, letter, after.setdefault(choice - {letter}, {}))
        states, before = after, left
    return merge(states.values())


def find_orders(pattern: list[Element], length: int, with_hold: bool) -> Words:
    """Return the beginnings of all orders in which a queue lets `length` Tetriminos be played."""
    places = spread(pattern)
    if not with_hold:
        return merge(expand(pattern, count) for count in range(length + 1))
    # Letters left of an element, and the Tetrimino in Hold.
    states: dict[tuple[frozenset[int], int], Words] = {(frozenset(), 0): {0: 1}}
    before = 1
    found: Words = {}
    for letters, left in places[: length + 1]:
        if before == 1:
            states = {(letters, hold): merge(w for (_, h), w in states.items() if h == hold) for _, hold in states}
        after: dict[tuple[frozenset[int], int], Words] = {}
        for (choice, hold), words in states.items():
            for letter in choice:
                rest = choice - {letter}
                if not hold:
                    after[rest, letter] = merge([after.get((rest, letter), {}), words])
                    continue
                append(words, letter, after.setdefault((rest, hold), {}))
                append(words, hold, after.setdefault((rest, letter), {}))
        states, before = after, left
        found = merge([found, *states.values()])
    if len(places) <= length:
        for (_choice, hold), words in states.items():
            append(words, hold, found)
    return found


@lru_cache(1 << 18)
def _unplay(counts: int, orders: int, hold: int) -> int:
    """Return the queues that let one of these orders be played, with `hold` left in Hold."""
    if not counts:
        return 1
    found = 0
    total = counts + ONE[hold]
    for last in letters_of(counts):
        before = counts - ONE[last]
        part = orders >> offset(counts, last) & (1 << size(before)) - 1
        if part:
            found |= _unplay(before, part, hold) << offset(total, last)
            found |= _unplay(before, part, last) << offset(total, hold)
    return found


def find_queues(orders: Words, spare: bool) -> Words:
    """Return the queues that let one of these orders be played with Hold; spare: one Tetrimino more has come."""
    found: Words = {}
    for counts, bits in orders.items():
        if spare:
            for hold in range(1, 8):
                total = counts + ONE[hold]
                found[total] = found.get(total, 0) | _unplay(counts, bits, hold)
            continue
        for last in letters_of(counts):
            before = counts - ONE[last]
            part = bits >> offset(counts, last) & (1 << size(before)) - 1
            if part:
                found[counts] = found.get(counts, 0) | _unplay(before, part, last)
    return found


def count(words: Words, among: Words) -> int:
    """Return how many words of one set are in another, too."""
    return sum((words.get(counts, 0) & bits).bit_count() for counts, bits in among.items())
