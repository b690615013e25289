"""Keep what a beam has found with so many Tetriminos locked down."""

from array import array

from firmware.compat import const
from firmware.players.ground import Ground

KEPT_ROWS = const(24)

_KEPT_ROWS = const(24)
_PATH = const(8)
_MOST_ROW = const(24)
_NEVER = const(-(1 << 29))
_NONE = const(-1)

NOBODY = const(255)  # the parent of what none led to


class Ply:
    """What was found with `number` Tetriminos locked down; each list has a number for each of it.

    values: what it was worth when it was found, NEVER once it is opened.  parents: which one of the ply before it came
    from.  places: by which place.  keys: equal where Matrix and Hold are.  holds.
    """

    def __init__(self, width: int) -> None:
        self.number = 0
        self.worst = 0
        self.values = [_NEVER] * width
        self.parents = bytearray(width)
        self.places = [0] * width
        self.keys = [_NONE] * width
        self.holds = bytearray(width)

    def clear(self) -> None:
        """Forget all."""
        values = self.values
        keys = self.keys
        for i in range(len(values)):
            values[i] = _NEVER
            keys[i] = _NONE
        self.worst = 0

    def find_best(self) -> int:
        """Return which one is worth most of those that were not opened, or -1 where there is none."""
        best = max(self.values)
        return self.values.index(best) if best > _NEVER else _NONE

    def take(self, value: int, parent: int, place: int, key: int, hold: int) -> int:
        """Take one in; return what the next one must be worth more than.

        An equal one, or where there is none the worst one, gives way.
        """
        keys = self.keys
        values = self.values
        if keys.count(key):
            i = keys.index(key)
            if value <= values[i]:
                return values[self.worst]
        else:
            i = self.worst
        values[i] = value
        self.parents[i] = parent
        self.places[i] = place
        keys[i] = key
        self.holds[i] = hold
        value = min(values)
        self.worst = values.index(value)
        return value

    def drop(self, i: int) -> int:
        """Forget one; return what the next one must be worth more than."""
        self.values[i] = _NEVER
        self.keys[i] = _NONE
        self.worst = i
        return _NEVER


class Opened:
    """What is kept of those of a ply that are opened.

    rows: 24 each, of which those from `tops` up are empty; cells: how many are taken.  paths: the last eight places on
    the way there, by the number of the Tetrimino modulo 8; gains: what they are worth; chains.  ages: how often garbage
    had risen.
    """

    def __init__(self, width: int) -> None:
        self.rows = array("H", bytes(2 * _KEPT_ROWS * width))
        self.cells = array("H", bytes(2 * width))
        self.tops = bytearray(width)
        self.paths = array("I", bytes(4 * _PATH * width))
        self.gains = [0] * width
        self.chains = bytearray(width)
        self.ages = bytearray(width)

    def follow_path(self, ply: Ply, i: int, before: "Opened") -> None:
        """Let the way to one of a ply be that to its parent, and its own place."""
        paths = self.paths
        at = i * _PATH
        parent = ply.parents[i] * _PATH
        for n in range(_PATH):
            paths[at + n] = before.paths[parent + n]
        paths[at + (ply.number - 1 & 7)] = ply.places[i]

    def keep(self, i: int, ground: Ground, gain: int, chain: bool, age: int) -> None:
        """Keep the Matrix of one, and what the way to it is worth."""
        rows = self.rows
        first = i * _KEPT_ROWS
        top = self.tops[i] = ground.top if ground.top < _KEPT_ROWS else _KEPT_ROWS
        for y in range(top):
            rows[first + y] = ground.rows[y]
        self.cells[i] = ground.cells
        self.gains[i] = gain
        self.chains[i] = chain
        self.ages[i] = age


def lift(places, rows: int) -> None:
    """Let places that are not found by dropping move up."""
    for i in range(len(places)):
        place = places[i]
        if place >> 14 & 7:
            y = (place >> 9 & 31) + rows
            places[i] = place & ~0x3E00 | (y if y < _MOST_ROW else _MOST_ROW) << 9
