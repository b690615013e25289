"""Hold the lines of a beam after a given number of Lock Downs."""

from array import array

from firmware.compat import const
from firmware.players.ground import Ground
from firmware.players.weights import NEVER

KEPT_ROWS = const(24)

_PATH = const(8)
_MOST_ROW = const(24)
_NONE = const(-1)

NOBODY = const(255)  # the parent of an entry without one


class Ply:
    """Hold lines of `number` Lock Downs, as parallel lists.

    values: the value when found, NEVER once opened. parents: the index of the line before in its ply. places: the last
    place. keys: equal for equal Matrix and Hold. holds: the held piece.
    """

    def __init__(self, width: int) -> None:
        self.number = 0
        self.worst = 0
        self.values = [NEVER] * width
        self.parents = bytearray(width)
        self.places = [0] * width
        self.keys = [_NONE] * width
        self.holds = bytearray(width)

    def clear(self) -> None:
        values = self.values
        keys = self.keys
        for i in range(len(values)):
            values[i] = NEVER
            keys[i] = _NONE
        self.worst = 0

    def find_best(self) -> int:
        """Return the best index not yet opened, or -1 if there is none."""
        best = max(self.values)
        return self.values.index(best) if best > NEVER else _NONE

    def insert_line(self, value: int, parent: int, place: int, key: int, hold: int) -> int:
        """Add an entry; return the value that the next one must exceed.

        It replaces a worse entry with the same key, else the worst entry.
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
        """Remove an entry; return the value that the next one must exceed."""
        self.values[i] = NEVER
        self.keys[i] = _NONE
        self.worst = i
        return NEVER


class OpenedPly:
    """Hold the Matrix and the path of each entry of a ply.

    rows: 24 for each entry, empty from `tops` up; cells: the number of Blocks. paths: the last eight places, by the
    Tetrimino's number modulo 8. gains: the path's value; chains: its Back-to-Back, and from bit 1 up its combo. ages:
    how often garbage had risen.
    """

    def __init__(self, width: int) -> None:
        self.rows = array("H", bytes(2 * KEPT_ROWS * width))
        self.cells = array("H", bytes(2 * width))
        self.tops = bytearray(width)
        self.paths = array("I", bytes(4 * _PATH * width))
        self.gains = [0] * width
        self.chains = bytearray(width)
        self.ages = bytearray(width)

    def follow_path(self, ply: Ply, i: int, before: "OpenedPly") -> None:
        """Set the path of an entry: its parent's path and its own place."""
        paths = self.paths
        at = i * _PATH
        parent = ply.parents[i] * _PATH
        for n in range(_PATH):
            paths[at + n] = before.paths[parent + n]
        paths[at + (ply.number - 1 & 7)] = ply.places[i]

    def keep(self, i: int, ground: Ground, gain: int, chain: int, age: int) -> None:
        """Keep the Matrix of an entry and the value of its path."""
        rows = self.rows
        first = i * KEPT_ROWS
        top = self.tops[i] = ground.top if ground.top < KEPT_ROWS else KEPT_ROWS
        for y in range(top):
            rows[first + y] = ground.rows[y]
        self.cells[i] = ground.cells
        self.gains[i] = gain
        self.chains[i] = chain & 255
        self.ages[i] = age


def raise_places(places: "list[int] | array[int]", rows: int) -> None:
    """Move places up by `rows`, except those found by dropping."""
    for i in range(len(places)):
        place = places[i]
        if place >> 14 & 7:
            y = (place >> 9 & 31) + rows
            places[i] = place & ~0x3E00 | (y if y < _MOST_ROW else _MOST_ROW) << 9
