"""Find every place that the Tetrimino in play can reach, and the shortest presses to it."""

from array import array

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import LEFT, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.engine.manipulation import Manipulation

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

COLUMN = const(5)  # shifts of a place's key: its group of facings, then its column, then its row from above
GROUP = const(9)

_STATES = const(640)
_PLACES = const(120)
_PRESSES = const(64)
_SEEN = const(256)  # bytes with a bit for each of 2,048 numbers
OFFSET = const(3)  # columns and rows of a box begin at -3
_LOW = const(31)
_KICK = const(2)
_O = const(4)
_T = const(6)
_TWINS = const(0xA2)  # bits of the Tetriminos I, S and Z: the opposite facing covers the same cells
_MOVES = bytes((LEFT, RIGHT, ROTATE_CW, ROTATE_CCW, SOFT_DROP))
_NONE = const(255)
_NOWHERE: "Any" = None


class Reachable(Manipulation):
    """Search breadth first from the Tetrimino in play; a state is facing << 9 | (x + 3) << 5 | y + 3.

    spins: whether Soft Drop, slides and spins count, too. done: whether the search has ended. count: the number of
    places. keys: of each place, ordered by facing, column from the left and row from above. Facings with equal cells
    are one group. landings: the state of each place, its Tetrimino at rest. presses: the `length` presses of the last
    `plan`, the last one first. rows: for a Soft Drop, the row + 3 where it ends.
    """

    def __init__(self) -> None:
        # Do not call Manipulation.__init__, which clears the game's Matrix.
        self.matrix = _NOWHERE
        self.piece = self.facing = self.x = self.y = self.ghost_y = 0
        self.a = self.b = self.c = self.d = self.base = 0
        self.turn_by: "Any" = None
        self.options: "Any" = None
        self.spins = self.turned_last = self.point_5_used = False
        self.done = True
        self.count = self.length = self.at = self.states = 0
        self.state = array("H", bytes(2 * _STATES))
        self.parent = array("H", bytes(2 * _STATES))
        self.move = bytearray(_STATES)
        self.seen = bytearray(_SEEN)
        self.taken = bytearray(_SEEN)
        self.keys = array("H", bytes(2 * _PLACES))
        self.landings = array("H", bytes(2 * _PLACES))
        self.origin = array("H", bytes(2 * _PLACES))
        self.last = bytearray(_PLACES)
        self.presses = bytearray(_PRESSES)
        self.rows = bytearray(_PRESSES)

    def begin(self, game: "Game", spins: bool) -> None:
        """Begin with the Tetrimino in play, which turns by the rules of its game."""
        self.matrix = game.matrix
        self.options = game.options
        self.turn_by = type(game).turn
        self.spins = spins
        self.count = self.at = self.states = 0
        self.done = False
        for i in range(_SEEN):
            self.seen[i] = self.taken[i] = 0
        self.place(game.piece, game.x, game.y, game.facing)
        self.reach(0, _NONE)

    def search(self, steps: int) -> None:
        """Try every press in the next `steps` states."""
        while steps and not self.done:
            steps -= 1
            at = self.at
            if at == self.states:
                self.done = True
                return
            self.at = at + 1
            state = self.state[at]
            for i in range(5 if self.spins else 4):
                self.place(self.piece, (state >> 5 & 15) - OFFSET, (state & _LOW) - OFFSET, state >> 9)
                move = _MOVES[i]
                if self.press(move):
                    self.reach(at, move)

    def press(self, move: int) -> bool:
        if move <= RIGHT:
            return self.shift(1 if move == RIGHT else -1)
        if move != SOFT_DROP:
            return self.turn_by(self, 1 if move == ROTATE_CW else 0) > 0
        rows = self.y - self.ghost_y
        if not rows:
            return False
        # The rows above the Blocks are empty: one Soft Drop crosses them, as far as no kick reaches down from there.
        above = self.y - self.matrix.top - _KICK
        self.sink(min(above, rows) if above > 0 else 1)
        return True

    def reach(self, origin: int, move: int) -> None:
        """Keep the state if it is new, and the place of its Hard Drop; for a spin keep the press that makes it."""
        y = self.y + OFFSET
        number = self.states
        state = self.facing << 9 | self.x + OFFSET << 5 | y
        is_new = y <= _LOW and number < _STATES and not self.seen[state >> 3] >> (state & 7) & 1
        if is_new:
            self.seen[state >> 3] |= 1 << (state & 7)
            self.state[number] = state
            self.parent[number] = origin
            self.move[number] = move
            self.states = number + 1
        if self.spins and self.turned_last and self.y == self.ghost_y and self.spin():
            self.keep(origin, move)
        elif is_new:
            self.keep(number, _NONE)

    def keep(self, origin: int, last: int) -> None:
        """Keep the place of a Hard Drop from a state; after the press `last` of a spin it replaces a plain place."""
        columns = (self.a | self.b | self.c | self.d) >> OFFSET
        column = 0
        while not columns >> column & 1:
            column += 1
        facing = self.facing
        if self.piece == _O:
            facing = 0
        elif _TWINS >> self.piece & 1:
            facing &= 1
        key = facing << GROUP | column << COLUMN | _LOW - self.ghost_y - self.base
        at = self.count
        if self.taken[key >> 3] >> (key & 7) & 1:
            if last == _NONE:
                return
            at = 0
            while self.keys[at] != key:
                at += 1
            if self.last[at] != _NONE:
                return
        elif at == _PLACES:
            return
        else:
            self.count = at + 1
            self.taken[key >> 3] |= 1 << (key & 7)
        self.keys[at] = key
        self.landings[at] = self.facing << 9 | self.x + OFFSET << 5 | self.ghost_y + OFFSET
        self.origin[at] = origin
        self.last[at] = last

    def find(self, least: int, end: int) -> int:
        """Return the number of the place with the lowest key from `least` to below `end`, or -1."""
        found = -1
        for i in range(self.count):
            key = self.keys[i]
            if least <= key < end:
                found = i
                end = key
        return found

    def plan(self, place: int) -> None:
        """Write the presses to a place, without its Hard Drop, to `presses`."""
        presses = self.presses
        at = self.origin[place]
        length = 0
        if self.last[place] != _NONE:
            presses[0] = self.last[place]
            length = 1
        while self.move[at] != _NONE and length < _PRESSES:
            presses[length] = self.move[at]
            self.rows[length] = self.state[at] & _LOW
            length += 1
            at = self.parent[at]
        self.length = length
