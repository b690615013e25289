"""Play Tetress slowly but simply, written again from the rules: sets of coordinates, every rule written out.

It shares nothing with firmware/tetress. Its shapes are all the ways to join four cells of a plane, found by growing
them. A legal action is a set of four coordinates.
"""

SIZE = 11
LONGEST = 150

Cell = tuple[int, int]
Action = frozenset[Cell]


def neighbours(cell: Cell) -> list[Cell]:
    """Return the four adjacent coordinates; all coordinates have four."""
    r, c = cell
    return [((r + 1) % SIZE, c), ((r - 1) % SIZE, c), (r, (c + 1) % SIZE), (r, (c - 1) % SIZE)]


def grow(tokens: int) -> set[Action]:
    """Return all connected sets of `tokens` cells of the torus that include (0, 0)."""
    found = {frozenset({(0, 0)})}
    for _ in range(tokens - 1):
        found = {cells | {near} for cells in found for cell in cells for near in neighbours(cell) if near not in cells}
    return found


TETROMINOES = grow(4)
"""Condition 1: every tetromino that covers (0, 0); moved about, every tetromino there is."""


def is_tetromino(cells: Action) -> bool:
    """Return whether four coordinates form one of the 19 tetrominoes (condition 1)."""
    r, c = min(cells)
    return frozenset(((row - r) % SIZE, (column - c) % SIZE) for row, column in cells) in TETROMINOES


class Reference:
    """A game: Red and Blue are sets of coordinates."""

    def __init__(self) -> None:
        self.red: set[Cell] = set()
        self.blue: set[Cell] = set()
        self.turns = 0
        self.winner: str | None = None

    def whose(self) -> set[Cell]:
        """Return the tokens of the player to move: Red starts, and the players take turns."""
        return self.red if self.turns % 2 == 0 else self.blue

    def legal(self) -> set[Action]:
        """Return all legal PLACE actions of the player to move."""
        own = self.whose()
        first_action = self.turns < 2
        every = [(r, c) for r in range(SIZE) for c in range(SIZE)]
        empty = {cell for cell in every if cell not in self.red and cell not in self.blue}
        # A tetromino next to an own token covers an empty cell beside this token.
        starts = empty if first_action else {cell for cell in empty if any(near in own for near in neighbours(cell))}
        found = set()
        for r, c in starts:
            for shape in TETROMINOES:
                cells = frozenset(((r + row) % SIZE, (c + column) % SIZE) for row, column in shape)
                if cells <= empty:  # condition 2
                    found.add(cells)
        return found

    def play(self, cells: Action) -> None:
        self.whose().update(cells)
        occupied = self.red | self.blue
        full_rows = [r for r in range(SIZE) if all((r, c) in occupied for c in range(SIZE))]
        full_columns = [c for c in range(SIZE) if all((r, c) in occupied for r in range(SIZE))]
        for tokens in (self.red, self.blue):
            tokens -= {(r, c) for r, c in tokens if r in full_rows or c in full_columns}
        self.turns += 1
        if self.turns == LONGEST:
            ahead = len(self.red) - len(self.blue)
            self.winner = "red" if ahead > 0 else "blue" if ahead < 0 else "draw"
        elif not self.legal():
            self.winner = "red" if self.turns % 2 == 1 else "blue"
