"""Find the choices that leave the least heap in a match when they are made together.

First each choice is made alone, at each end of its values: the costly end is the one that leaves least. Then rows of
choices cover every pair of ends, because some cost more, or do not fit, beside others. From the tightest row on, the
choice is turned that takes most, again and again; one that does not fit is tried with each other one turned, too.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sim import progress
from tools.board import BoardError, firmware_image, prepared
from tools.board.bench import Bench
from tools.board.handheld import Handheld
from tools.board.heap_watch import HeapWatch
from tools.board.player import Player
from tools.markdown import lay_out

# The choices that may take memory in a match, each with its default and the other ends of its values. A match against
# two may cost more than one against three, because only then there is room for hints.
ENDS: dict[str, tuple[str, ...]] = {
    "OPPONENTS": ("3", "2", "1"),
    "LEVELS": ("HAWK", "SNAIL"),
    "TEAMS": ("NO", "TWO", "ALONE"),
    "TARGET": ("ALL", "ONE", "MARK"),
    "WINS": ("1", "5"),
    "ROWS": ("0", "5", "10"),
    "HOLES": ("YES", "NO"),
    "SENT": ("HOLES", "SOLID"),
    "SPEED UP": ("NO", "15"),
    "HANDICAP": ("NO", "/2", "X2"),
    "CO-OP": ("NO", "40"),
    "NEXT": ("6", "1"),
    "HOLD": ("ON", "OFF"),
    "GHOST": ("ON", "OFF"),
    "LOCK": ("EXTENDED", "INFINITE", "CLASSIC"),
    "modern": ("0", "7"),
    "rules": ("0", "1"),
    "VANISH": ("OFF", "INVIS", "FADES"),
    "BY EAR": ("OFF", "NEXT", "ALL"),
    "MUSIC": ("ON", "OFF"),
    "MOTION": ("ON", "OFF"),
    "CELLS": ("5 PX", "6 PX"),
    "BLOCKS": ("SOLID", "ICONS", "EDGES"),
    "BUTTONS": ("8", "6"),
    "1 KEY": ("OFF", "FAST"),
}
HEADS = ("choice", "alone", "free", "block", "kept")
SWITCH = "1 KEY=FAST"
_PLAY_S = 2.0
_ALWAYS = ("OPPONENTS", "LEVELS")  # their first end is not the game's default
Row = dict[str, str]


@dataclass(frozen=True, order=True)
class Room:
    """The least free bytes and the smallest largest block from START until two seconds into a match."""

    free: int
    block: int


def list_choices(row: Row) -> list[str]:
    """Return the choices of a row that differ from the game's defaults, as --set takes them."""
    return [f"{name}={value}" for name, value in row.items() if value != ENDS[name][0] or name in _ALWAYS]


class Starts:
    """Start matches with other choices on one handheld, and remember what each left."""

    def __init__(self, handheld: Handheld) -> None:
        self.rooms: dict[tuple[str, ...], Room | None] = {}
        self._handheld = handheld

    def measure(self, row: Row) -> Room | None:
        """Return what a match leaves with these choices; None if it is refused for lack of memory."""
        key = tuple(list_choices(row))
        if key not in self.rooms:
            self.rooms[key] = self._start(key)
        return self.rooms[key]

    def _start(self, choices: tuple[str, ...]) -> Room | None:
        handheld = self._handheld
        handheld.power_off()
        handheld.write_nvm(prepared.read_choices(choices))
        handheld.power_on()
        with HeapWatch(handheld) as watch:
            player = Player(handheld, watch.run)
            player.to_title()
            if SWITCH in choices:
                for line in ("", "VERSUS", "START"):
                    player.press_when_lit(line)
            else:
                player.open_versus()
                player.tap("A", after_s=0)
            watch.moments.clear()
            player.expect(lambda: player.is_loading or player.is_refused, 3)
            player.expect(lambda: player.is_ready, 8)
            player.run(_PLAY_S)
            player.check()
            if player.is_refused:
                return None
            return Room(watch.least_free.heap.free, watch.least_block.heap.largest_block)


def cover_pairs(ends: Mapping[str, tuple[str, ...]]) -> Iterator[Row]:
    names = list(ends)
    open_pairs = {
        ((one, first), (two, second))
        for one, two in itertools.combinations(names, 2)
        for first in ends[one]
        for second in ends[two]
    }
    while open_pairs:
        row = dict(min(open_pairs))
        for name in names:
            if name not in row:
                row[name] = max(ends[name], key=lambda end: _count(open_pairs, row | {name: end}))
        open_pairs = {pair for pair in open_pairs if not _has(row, pair)}
        yield {name: row[name] for name in names}


def _has(row: Row, pair: tuple[tuple[str, str], ...]) -> bool:
    return all(row.get(name) == end for name, end in pair)


def _count(pairs: set[tuple[tuple[str, str], tuple[str, str]]], row: Row) -> int:
    return sum(_has(row, pair) for pair in pairs)


def search(
    measure: Callable[[Row], Room | None], ends: dict[str, tuple[str, ...]]
) -> tuple[Row, Room, list[list[str]]]:
    """Return the row with the least room, that room, and a table of what each choice takes alone."""
    base = {name: values[0] for name, values in ends.items()}
    least = measure(base)
    if least is None:
        raise BoardError("the match is refused even with the first end of each choice")
    alone: dict[str, list[tuple[Room, str]]] = {}
    turns = [(name, end) for name, values in ends.items() for end in values[1:]]
    for name, end in progress.follow(turns, "one choice", len(turns), "matches"):
        room = measure(base | {name: end})
        if room is not None:
            alone.setdefault(name, [(least, base[name])]).append((room, end))
    costly = {name: min(rooms)[1] for name, rooms in alone.items()}
    pairs = {name: (base[name], min(rooms[1:])[1]) for name, rooms in alone.items()}
    rows = [base | costly, *(base | row for row in cover_pairs(pairs))]
    measured = [(measure(row), row) for row in progress.follow(rows, "pairs", len(rows), "matches")]
    best, row = min(((room, row) for room, row in measured if room is not None), key=_by_room)
    while found := min(
        (turned for turned in _turn(measure, row, ends) if turned[0] < best), default=None, key=_by_room
    ):
        best, row = found
    table = [
        [name, end, f"{room.free:,}", f"{room.block:,}", "yes" if row[name] == end else ""]
        for name, rooms in alone.items()
        for room, end in rooms[1:]
    ]
    return row, best, table


def _turn(
    measure: Callable[[Row], Room | None], row: Row, ends: dict[str, tuple[str, ...]]
) -> Iterator[tuple[Room, Row]]:
    """Yield the rows with one choice turned; if that is refused, those with any other one turned besides."""
    for name, values in ends.items():
        for end in values:
            turned = row | {name: end}
            room = measure(turned)
            if room is not None:
                yield room, turned
                continue
            for other in (each for each in ends if each != name):
                for value in ends[other]:
                    room = measure(turned | {other: value})
                    if room is not None:
                        yield room, turned | {other: value}


def _by_room(found: tuple[Room, Row]) -> Room:
    return found[0]


def find(uf2: Path) -> str:
    """Return as text the fattest choices, what they leave, and what each takes alone."""
    starts = Starts(Bench(uf2).switch_on(prepared.read_choices(())))
    row, room, table = search(starts.measure, ENDS)
    version = firmware_image.read_version(uf2)
    words = f"CircuitPython {version}, {len(starts.rooms)} matches. The fattest choices leave {room.free:,} bytes, "
    words += f"a block of {room.block:,}:\n--set " + " --set ".join(f"'{each}'" for each in list_choices(row))
    refused = sorted({name for key in starts.rooms if starts.rooms[key] is None for name in key})
    if refused:
        words += f"\nRefused for lack of memory somewhere beside: {', '.join(refused)}"
    return f"{words}\n\n{lay_out(HEADS, table)}"
