"""Hold a game of Tetress: its tokens, the turn, and every action played.

An action is legal when no token lies on its four cells and one of them is next to a token of the player's colour. Each
player's first action is free. Full rows and columns then lose all their tokens at once. A player without a legal action
loses. Action 150 always ends the game: then more tokens win.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.tetress.actions import find_actions
from firmware.tetress.shapes import CELLS

if TYPE_CHECKING:
    from typing import Any

LONGEST = const(150)  # actions
ACTIONS = const(2299)
WORDS = const(114)

# How a game ended, in `over`: the winner, or nobody; 0 while it lasts.
RED_WON = const(1)
BLUE_WON = const(2)
DRAWN = const(3)

# Why an action is illegal, as `find_fault` returns it; 0 for a legal one.
OCCUPIED = const(1)
APART = const(2)
TOO_LATE = const(3)

SIZE = const(11)
CELL_COUNT = const(121)
ROW = const(0x7FF)
_FREE_ACTIONS = const(2)  # actions that need no neighbour


def clear_lines(red: list[int], blue: list[int]) -> int:
    """Remove the tokens of all full rows and columns together; return the number of lines."""
    columns = ROW
    lines = 0
    for r in range(SIZE):
        n = red[r] | blue[r]
        columns &= n
        if n == ROW:
            lines += 1
    if not lines and not columns:
        return 0
    for r in range(SIZE):
        keep = 0 if red[r] | blue[r] == ROW else ~columns
        red[r] &= keep
        blue[r] &= keep
    while columns:
        columns &= columns - 1
        lines += 1
    return lines


def find_free_and_touch(red: list[int], blue: list[int], free: list[int], touch: list[int]) -> None:
    """Fill `free` with the empty cells, `touch` with the cells next to a token of `red`."""
    for r in range(SIZE):
        n = red[r]
        free[r] = ~(n | blue[r]) & ROW
        touch[r] = red[r - 1] | red[r - 10] | n >> 1 | n >> 10 | (n << 1 | n << 10) & ROW


class Game:
    """Play actions one after the other and find the legal ones.

    tokens: eleven rows of Red, eleven rows of Blue. played: the number of actions; its last bit is the colour to move.
    over: how the game ended. lines: how many the last action removed. free, touch, found: of the player to move, as in
    actions.py; `found` is valid after `find`.
    """

    def __init__(self) -> None:
        self.tokens = ([0] * SIZE, [0] * SIZE)
        self.free = [ROW] * SIZE
        self.touch = [ROW] * SIZE
        self.found = [0] * WORDS
        self.history = bytearray(2 * LONGEST)
        self.begin()

    def begin(self) -> None:
        """Clear the board for a new game."""
        for rows in self.tokens:
            for r in range(SIZE):
                rows[r] = 0
        self.played = 0
        self.over = 0
        self.lines = 0
        self.find()

    def action(self, i: int) -> int:
        """Return the number of the `i`-th action played."""
        return self.history[2 * i] | self.history[2 * i + 1] << 8

    def token(self, r: int, c: int) -> int:
        """Return 0 for an empty cell, 1 for a token of Red, 2 for one of Blue."""
        return self.tokens[0][r] >> c & 1 | (self.tokens[1][r] >> c & 1) << 1

    def count(self, colour: int) -> int:
        """Return the number of tokens of a colour on the board."""
        count = 0
        for n in self.tokens[colour]:
            while n:
                n &= n - 1
                count += 1
        return count

    def find(self) -> bool:
        """Find the legal actions of the player to move; return whether there are any."""
        colour = self.played & 1
        find_free_and_touch(self.tokens[colour], self.tokens[colour ^ 1], self.free, self.touch)
        if self.played < _FREE_ACTIONS:
            for r in range(SIZE):
                self.touch[r] = ROW
        found = self.found
        find_actions(self.free, self.touch, found)
        for n in found:
            if n:
                return True
        return False

    def list_actions(self, buffer: "Any") -> int:
        """Write the numbers of all legal actions, ascending, to `buffer` (at most 2299); return how many."""
        count = at = 0
        for n in self.found:
            if n:
                i = at // 6 * CELL_COUNT + at % 6 * 22
                while n:
                    if n & 1:
                        buffer[count] = i
                        count += 1
                    n >>= 1
                    i += 1
            at += 1
        return count

    def find_fault(self, action: int) -> int:
        """Return why the player to move may not play `action`; 0 if it is legal."""
        if self.over:
            return TOO_LATE
        shape = action // CELL_COUNT * 4
        cell = action % CELL_COUNT
        near = 0
        for i in range(shape, shape + 4):
            r = (cell // SIZE + (CELLS[i] >> 4)) % SIZE
            c = (cell % SIZE + (CELLS[i] & 15)) % SIZE
            if not self.free[r] >> c & 1:
                return OCCUPIED
            near |= self.touch[r] >> c & 1
        return 0 if near else APART

    def play(self, action: int) -> int:
        """Play an action, remove full lines and check for the end; return why it is illegal, or 0."""
        reason = self.find_fault(action)
        if reason:
            return reason
        self.history[2 * self.played] = action & 255
        self.history[2 * self.played + 1] = action >> 8
        rows = self.tokens[self.played & 1]
        shape = action // CELL_COUNT * 4
        cell = action % CELL_COUNT
        for i in range(shape, shape + 4):
            rows[(cell // SIZE + (CELLS[i] >> 4)) % SIZE] |= 1 << (cell % SIZE + (CELLS[i] & 15)) % SIZE
        self.lines = clear_lines(self.tokens[0], self.tokens[1])
        self.played += 1
        able = self.find()
        if self.played == LONGEST:
            ahead = self.count(0) - self.count(1)
            self.over = RED_WON if ahead > 0 else BLUE_WON if ahead < 0 else DRAWN
        elif not able:
            self.over = BLUE_WON if self.played & 1 == 0 else RED_WON
        return 0

    def is_blocked(self) -> bool:
        """Return whether the game ended because a player had no legal action."""
        return self.over != 0 and self.played < LONGEST

    def take_back(self, count: int) -> None:
        """Undo the last `count` actions by playing all before them again."""
        last = self.played - count
        self.begin()
        for i in range(last):
            self.play(self.action(i))
