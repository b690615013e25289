"""Tell the chance of an all-clear, all ways to it, the fewest ways that cover the queues, and the best set-up."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sim import pasted
from sim.terminal import Refusal, add_number, number_within, read_text_or_refuse
from tools.puzzles.clearing import Tile, Tiling
from tools.puzzles.fumen import read_fumen
from tools.puzzles.queues import (
    Element,
    Words,
    count,
    expand,
    find_orders,
    find_parts,
    find_queues,
    merge,
    read_queue,
    spread,
)
from tools.puzzles.solver import TooLongError
from tools.puzzles.text import FULL, LETTERS, WIDTH, PuzzleError, read_pieces, read_row

COMMANDS = {
    "percent": "tell the chance of an all-clear",
    "path": "list all ways to an all-clear, each with the share of the queues that it is for",
    "cover": "list the fewest ways that are enough for all queues that any way is for",
    "setup": "list the best places for the known Tetriminos, by the chance that they leave for the others",
}
MOST_LINES = 8
_MOST_WAYS = 20_000
_COVER_PATIENCE = 20_000
_MOST_COVERING = 2000  # ways among which the fewest are looked for
_SET_UPS = 3


class Way(NamedTuple):
    """Tetriminos in the rows of the Matrix before it, and the queues that they are for.  held: what Hold keeps."""

    tiles: tuple[Tile, ...]
    queues: Words
    held: int = 0


class Question:
    """A Matrix, the number of lines to clear, and what comes, first what is in Hold."""

    def __init__(self, masks: Iterable[int], patterns: list[list[Element]], hold: bool = True, lines: int = 0) -> None:
        """Take the fewest lines that Tetriminos can fill, if no number is given; raise Refusal if none can be."""
        masks = tuple(mask for mask in masks if mask != FULL)
        self.patterns = patterns
        self.hold = hold
        self.length = len(spread(patterns[0]))
        pieces = frozenset(piece for pattern in patterns for letters, _count in pattern for piece in letters)
        filled = sum(mask.bit_count() for mask in masks)
        for height in [lines] if lines else range(max(1, len(masks)), MOST_LINES + 1):
            self.needed, rest = divmod(WIDTH * height - filled, 4)
            if rest or height < len(masks):
                continue
            self.tiling = Tiling(height, pieces)
            self.start = self.tiling.pack(masks)
            if lines or self.needed <= self.length and self.tiling.is_tileable(self.start):
                break
        else:
            words = count_word(lines, "line") if lines else f"any number of lines up to {MOST_LINES}"
            raise Refusal(f"whole Tetriminos of this queue cannot fill {words} above {filled} Blocks")
        if self.needed > self.length:
            words = count_word(lines, "line")
            raise Refusal(f"{self.needed} Tetriminos are needed for {words}, and the queue has {self.length}")
        self.possible = merge(find_orders(pattern, self.needed, hold) for pattern in patterns)
        self.among = self.expand(patterns)
        self.total = count(self.among, self.among)

    def expand(self, patterns: list[list[Element]]) -> Words:
        """Return the queues of patterns, as far as they matter."""
        return merge(expand(pattern, self.needed + self.hold) for pattern in patterns)

    def find_queues(self, orders: Words) -> Words:
        """Return the queues that let one of these orders be played."""
        found = find_queues(orders, self.length > self.needed) if self.hold else orders
        return {counts: bits & found.get(counts, 0) for counts, bits in self.among.items()}

    def find_good(self) -> Words:
        """Return the queues with an all-clear."""
        return self.find_queues(self.tiling.find_orders(self.start, self.possible))

    def find_ways(self) -> list[Way]:
        """Return all ways, those for most queues first; raise Refusal if there are too many."""
        ways = []
        for tiles in self.tiling.find_tilings(self.start, 0, find_parts(self.possible)):
            orders = self.tiling.order(self.start, tiles, self.possible)
            queues = self.find_queues(orders) if orders else {}
            if any(queues.values()):
                ways.append(Way(tiles, queues))
                if len(ways) > _MOST_WAYS:
                    raise Refusal(f"there are more than {_MOST_WAYS:,} ways; take fewer Tetriminos")
        return sorted(ways, key=lambda way: -count(way.queues, way.queues))

    def find_set_ups(self) -> list[tuple[float, Way]]:
        """Return the chance and the places of all set-ups with the known Tetriminos, the best first.

        With Hold one of them stays there. The last Tetrimino that is needed is never placed.
        """
        if self.needed < 2:
            raise Refusal("one Tetrimino is enough, so there is nothing to set up")
        known: list[int] = []
        for letters, left in spread(self.patterns[0]):
            if left > 1 or len(letters) > 1:
                break
            known += letters
        placed = min(len(known) - self.hold, self.needed - 1)
        if len(self.patterns) > 1 or placed < 1:
            raise Refusal("a set-up needs one queue that begins with known Tetriminos, such as TIOS,*p3")
        rest = self.patterns[0][placed + self.hold :]
        states: dict[tuple[int, int], tuple[Tile, ...]] = {(self.start, known[0] if self.hold else 0): ()}
        for piece in known[self.hold : self.hold + placed]:
            after: dict[tuple[int, int], tuple[Tile, ...]] = {}
            for (here, held), tiles in states.items():
                position, cleared = self.tiling.settle(here)
                for played, kept in {(piece, held), (held, piece)} if held else {(piece, 0)}:
                    for cells in self.tiling.find_steps(position, played):
                        tile = self.tiling.lift(cells, cleared)
                        after[here | tile, kept] = (*tiles, (tile, played))
            states = after
        left = self.needed - placed
        asked: dict[int, Any] = {}
        found = []
        for (here, held), tiles in states.items():
            if held not in asked:
                pattern = [(frozenset([held]), 1), *rest] if held else rest
                among = expand(pattern, left + self.hold)
                asked[held] = among, find_orders(pattern, left, self.hold), len(spread(pattern)) > left
            among, possible, spare = asked[held]
            orders = self.tiling.find_orders(self.tiling.settle(here)[0], possible)
            good = find_queues(orders, spare) if self.hold else orders
            found.append((count(good, among) / count(among, among), Way(tiles, {}, held)))
        return sorted(found, key=lambda one: -one[0])

    def draw(self, way: Way) -> str:
        """Return the rows with the Tetriminos of a way, the highest first."""
        lines = self.tiling.lines
        cells = ["X" if self.start >> at & 1 else "." for at in range(WIDTH * lines)]
        for tile, piece in way.tiles:
            cells = [LETTERS[piece] if tile >> at & 1 else cell for at, cell in enumerate(cells)]
        return "\n".join("".join(cells[x * lines + y] for x in range(WIDTH)) for y in reversed(range(lines)))


def find_cover(ways: list[Way]) -> tuple[list[Way], bool]:
    """Return few ways for all queues that any is for, and whether no fewer are enough.

    The first way is for most queues, each other one for most of the rest.
    """
    keys = sorted({counts for way in ways for counts in way.queues})
    bits, at = dict.fromkeys(keys, 0), 0
    for counts in keys:
        bits[counts] = at
        at += max(way.queues.get(counts, 0).bit_length() for way in ways)
    sets = [sum(some << bits[counts] for counts, some in way.queues.items()) for way in ways]
    best = _cover_greedily(range(len(sets)), sets)
    least = _shrink(sets, best)
    return [ways[i] for i in _cover_greedily(least or best, sets)], least is not None


def _cover_greedily(chosen: Iterable[int], sets: list[int]) -> list[int]:
    """Return some of the chosen sets that have all members: each time the one with most of the rest."""
    found = []
    left = 0
    for i in chosen:
        left |= sets[i]
    while left:
        found.append(max(chosen, key=lambda i: (sets[i] & left).bit_count()))
        left &= ~sets[found[-1]]
    return found


def _shrink(sets: list[int], best: list[int]) -> list[int] | None:
    """Return the fewest sets that have all members, no more than `best`; None if the search takes too long."""
    every = 0
    useful: list[int] = []
    for i in sorted(range(len(sets)), key=lambda i: -sets[i].bit_count()):
        every |= sets[i]
        if all(sets[i] & ~sets[other] for other in useful):
            useful.append(i)
        if len(useful) > _MOST_COVERING:
            return None
    todo: list[tuple[int, tuple[int, ...]]] = [(every, ())]
    for _ in range(_COVER_PATIENCE):
        if not todo:
            return best
        left, chosen = todo.pop()
        if not left:
            best = list(chosen)
            continue
        once = twice = most = 0
        for i in useful:
            part = sets[i] & left
            twice |= once & part
            once |= part
            most = max(most, part.bit_count())
        if len(chosen) + -(-left.bit_count() // most) < len(best):
            rare = once & ~twice or left
            fits = [i for i in useful if sets[i] & (rare & -rare)]
            todo += [(left & ~sets[i], (*chosen, i)) for i in reversed(fits)]
    return None


def read_matrix(text: str) -> tuple[list[int], str, str]:
    """Return the rows of a file, a fumen or `rows/with/slashes`, the lowest first; its queue and Hold, or nothing."""
    queue = hold = ""
    if "@" in text or pasted.find(text, pasted.FUMEN):
        rows, queue, hold = read_fumen(text)
    elif set(text.upper()) <= set("X#/" + LETTERS):
        rows = text.upper().split("/")
    else:
        rows = read_text_or_refuse(Path(text)).split()
    masks = [read_row(row) for row in reversed(rows)]
    while masks and not masks[-1]:
        masks.pop()
    if len(masks) > MOST_LINES:
        raise PuzzleError(f"the Blocks take {len(masks)} rows, and {MOST_LINES} at most can be cleared")
    return masks, queue, hold


def add_commands(commands: Any) -> None:
    """Add the four commands to a parser."""
    for name, words in COMMANDS.items():
        command = commands.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.")
        words = "a file with its rows, a fumen, or the rows from the top with slashes: XXXX....XX/XXXXX...XX"
        command.add_argument("matrix", metavar="MATRIX", help=words)
        words = "what comes: letters, * for any, [IOT] for one of these, *p4 for four of a bag, [IOT]! for all of these"
        command.add_argument("queue", metavar="QUEUE", nargs="?", default="", help=words)
        command.add_argument("--hold", default="", help="the Tetrimino in Hold, or off to play without Hold")
        words = "lines to clear (default: the fewest that can be)"
        command.add_argument("--lines", type=number_within(1, MOST_LINES), default=0, metavar="N", help=words)
        if name != "percent":
            add_number(command, "--most", 1, _MOST_WAYS, _SET_UPS if name == "setup" else _MOST_WAYS, "ways to print")


def read_question(options: argparse.Namespace) -> Question:
    """Return the question of a command line; raise Refusal."""
    masks, queue, held = read_matrix(options.matrix)
    queue, held = options.queue or queue, (options.hold or held).upper()
    if not queue:
        raise PuzzleError("QUEUE is missing: letters, and * or *p4 for unknown Tetriminos")
    if held != "OFF" and len(read_pieces(held, "hold")) > 1:
        raise PuzzleError("Hold has one Tetrimino")
    patterns = read_queue(";".join(("" if held == "OFF" else held) + one for one in queue.split(";")))
    return Question(masks, patterns, held != "OFF", options.lines)


def run(options: argparse.Namespace) -> int:
    """Answer one of the four questions; raise Refusal."""
    try:
        _answer(options)
    except TooLongError as problem:
        raise Refusal(f"{problem}; take fewer Tetriminos or lines") from None
    return 0


def _answer(options: argparse.Namespace) -> None:
    question = read_question(options)
    needed, lines = question.needed, question.tiling.lines
    tell = {"percent": tell_chance, "path": tell_ways, "cover": tell_cover, "setup": tell_set_ups}[options.command]
    told = tell(question, getattr(options, "most", 0))
    first = next(told)
    numbers = count_word(lines, "line"), count_word(needed, "Tetrimino"), count_word(question.total, "queue")
    print(", ".join(numbers), first, *told, sep="\n")


def count_word(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1)}"


def tell_chance(question: Question, _most: int) -> Iterator[str]:
    good = question.find_good()
    found = count(good, good)
    yield f"{found / question.total:7.2%}  {count_word(found, 'queue')}"
    pattern = question.patterns[0]
    at = next((i for i, (letters, _count) in enumerate(pattern) if len(letters) > 1), None)
    if len(question.patterns) > 1 or at is None:
        return
    letters, number = pattern[at]
    for piece in sorted(letters):
        rest = [(letters - {piece}, number - 1)] if number > 1 else []
        among = question.expand([[*pattern[:at], (frozenset([piece]), 1), *rest, *pattern[at + 1 :]]])
        yield f"{count(good, among) / count(among, among):7.2%}  if {LETTERS[piece]} comes first"


def tell_ways(question: Question, most: int) -> Iterator[str]:
    ways = question.find_ways()
    good = merge(way.queues for way in ways)
    yield f"{count_word(len(ways), 'way')} for {count(good, good) / question.total:.2%}"
    for number, way in enumerate(ways[:most], 1):
        yield f"\n{number}. {count(way.queues, way.queues) / question.total:.2%}\n{question.draw(way)}"


def tell_cover(question: Question, most: int) -> Iterator[str]:
    ways = question.find_ways()
    chosen, proved = find_cover(ways) if ways else ([], True)
    yield f"{len(chosen)} of {count_word(len(ways), 'way')}{', and no fewer are enough' * (proved and bool(ways))}"
    good: Words = {}
    for number, way in enumerate(chosen[:most], 1):
        good = merge([good, way.queues])
        words = f"together {count(good, good) / question.total:.2%}"
        yield f"\n{number}. {count(way.queues, way.queues) / question.total:.2%}, {words}\n{question.draw(way)}"


def tell_set_ups(question: Question, most: int) -> Iterator[str]:
    found = question.find_set_ups()
    yield count_word(len(found), "set-up")
    for number, (chance, way) in enumerate(found[:most], 1):
        held = f", {LETTERS[way.held]} in Hold" if way.held else ""
        yield f"\n{number}. {chance:.2%}{held}\n{question.draw(way)}"
