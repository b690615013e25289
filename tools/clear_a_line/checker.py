"""Check a strategy by playing every sequence of pieces on a board of cells.

The checker shares no code with the solver, so that nobody must trust the solver. Its board has 24 rows of cells. A
piece falls until a cell is below it; then the checker looks for full rows.

    python -m tools.clear_a_line check FILE
"""

from dataclasses import dataclass
from operator import and_

ROWS = 24
ART = {
    "I": ["#...#...#...#...", "............####", "...#...#...#...#", "####............"],
    "Z": [".#..##..#.......", "........##...##.", ".......#..##..#.", ".##...##........"],
    "S": [".##.##..........", "....#...##...#..", "..........##.##.", "..#...##...#...."],
    "T": ["###..#..........", "....#...##..#...", "..........#..###", "...#..##...#...."],
    "L": ["###.#...........", "....#...#...##..", "...........#.###", "..##...#...#...."],
    "J": ["###...#.........", "....##..#...#...", ".........#...###", "...#...#..##...."],
    "O": ["##..##..........", "........##..##..", "..........##..##", "..##..##........"],
}
PIECES = "IZSTLJO"


class Refused(Exception):
    """Describe in one line an error of a strategy."""


@dataclass(frozen=True)
class Count:
    """The result of a replay.

    sequences: number of sequences of pieces.  longest: pieces in the longest one.  above_five: number of sequences that
    fill none of the bottom five rows.
    """

    sequences: int
    longest: int
    above_five: int


Move = tuple[int, int, int, bool]  # rotation, column, next state or -1, whether the next state is mirrored


def cells_of(piece: int, rotation: int) -> list[tuple[int, int]]:
    """Return the cells (x, y) of a piece in its box, y upward."""
    art = ART[PIECES[piece]][rotation]
    return [(i % 4, 3 - i // 4) for i in range(16) if art[i] == "#"]


_CELLS = [[cells_of(piece, rotation) for rotation in range(4)] for piece in range(7)]
_FULL = (1 << 10) - 1


def rows_of(piece: int, rotation: int) -> tuple[int, list[int]]:
    """Return the box column of a piece's leftmost cell, and its rows from the lowest up with that column in bit 0."""
    cells = _CELLS[piece][rotation]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    rows = [0] * (max(y for _, y in cells) - low + 1)
    for x, y in cells:
        rows[y - low] |= 1 << x - left
    return left, rows


_PIECE_ROWS = [[rows_of(piece, rotation) for rotation in range(4)] for piece in range(7)]


def drop(board: list[int], piece: int, rotation: int, column: int, rows: int = 6) -> list[int]:
    """Return the board after a drop; raise Refused if the piece leaves the board or touches a full column."""
    left, shape = _PIECE_ROWS[piece][rotation]
    left += column
    if left < 0 or any(row << left > _FULL for row in shape):
        raise Refused(f"piece {piece} turned {rotation} in column {column} leaves the board")
    cells = [row << left for row in shape]
    below = 0
    for row in cells:
        below |= row
    for row in board[rows - 1 :]:
        if row & below:
            raise Refused(f"piece {piece} turned {rotation} in column {column} touches a full column")
    height = ROWS
    while height and not board[height - 1]:
        height -= 1
    base = min(height, ROWS - len(cells))  # skip the empty rows
    while base and not any(map(and_, cells, board[base - 1 :])):
        base -= 1
    after = list(board)
    for i, row in enumerate(cells):
        after[base + i] |= row
    return after


def read(text: str) -> list[list[Move | None]]:
    """Return the moves of each line of a strategy in the text's format; raise Refused for an invalid line."""
    lines = [line.split() for line in text.splitlines()]
    states: list[list[Move | None]] = []
    for number, words in enumerate(lines):
        try:
            numbers = [int(word) for word in words]
        except ValueError:
            raise Refused(f"line {number + 1}: not numbers") from None
        if len(numbers) != 21:
            raise Refused(f"line {number + 1}: {len(numbers)} numbers, not 21")
        if any(not 0 <= turn < 4 for turn in numbers[::3]) or any(not -1 <= n < len(lines) for n in numbers[2::3]):
            raise Refused(f"line {number + 1}: no such rotation or state")
        states.append([(numbers[i], numbers[i + 1], numbers[i + 2], False) for i in range(0, 21, 3)])
    if not states:
        raise Refused("an empty file")
    return states


def drops_of(piece: int) -> list[tuple[int, int]]:
    """Return (rotation, column) of every different drop of a piece, by rotation, then by column."""
    drops = []
    shapes = set()
    for rotation in range(4):
        cells = _CELLS[piece][rotation]
        left, low = min(x for x, _ in cells), min(y for _, y in cells)
        shape = frozenset((x - left, y - low) for x, y in cells)
        if shape not in shapes:
            shapes.add(shape)
            drops += [(rotation, x - left) for x in range(10 - max(x for x, _ in shape))]
    return drops


def columns_of(piece: int, rotation: int, column: int) -> int:
    """Return the mask of the board's columns under a drop."""
    touched = 0
    for row in drop([0] * ROWS, piece, rotation, column):
        touched |= row
    return touched


def read_small(blob: bytes) -> list[list[Move | None]]:
    """Return the moves of each state of the handheld's file; None if the piece always fills a row.

    The file is a line of text, then little-endian: the number of states (2 bytes), the offset of every eighth record (2
    bytes each), and the records. A record begins with a mask of the pieces with a move (1 byte) and the most pieces
    left (1 byte). Then each piece with a move has (next state * 34 + drop) * 2 + mirrored (2 bytes).
    """
    begin = blob.index(b"\n") + 1
    count = int.from_bytes(blob[begin : begin + 2], "little")
    records = begin + 2 + 2 * ((count + 7) // 8)
    states: list[list[Move | None]] = []
    at = records
    for state in range(count):
        if state % 8 == 0:
            place = begin + 2 + state // 4
            if at - records != int.from_bytes(blob[place : place + 2], "little"):
                raise Refused(f"state {state} is not where the file says")
        moves: list[Move | None] = []
        mask = blob[at]
        at += 2
        for piece in range(7):
            if not mask >> piece & 1:
                moves.append(None)
                continue
            word = int.from_bytes(blob[at : at + 2], "little")
            at += 2
            next_state, drop_number = divmod(word // 2, 34)
            if next_state >= count or drop_number >= len(drops_of(piece)):
                raise Refused(f"state {state}: no such drop or state")
            moves.append((*drops_of(piece)[drop_number], next_state, bool(word & 1)))
        states.append(moves)
    if at != len(blob) or not states:
        raise Refused("the file does not end where its last record does")
    return states


def mirror(board: list[int]) -> list[int]:
    """Return a board mirrored left to right."""
    return [sum((row >> x & 1) << 9 - x for x in range(10)) for row in board]


_MIRRORED = [PIECES.index(name) for name in "ISZTJLO"]


class Replay:
    """Play every sequence of a strategy.

    eager: a piece that can fill a row does so, whatever the state's move, as on the handheld.
    once: play a repeated position only once.
    """

    def __init__(self, states: list[list[Move | None]], rows: int = 6, eager: bool = False, once: bool = False) -> None:
        self.states = states
        self.rows = rows
        self.eager = eager
        self.drops = [
            [(rotation, column, columns_of(piece, rotation, column)) for rotation, column in drops_of(piece)]
            for piece in range(7)
        ]
        self.known: dict[tuple[int, bool, tuple[int, ...]], Count] | None = {} if once else None

    def fills(self, piece: int, board: list[int]) -> list[int] | None:
        """Return the board after the first drop of the piece that fills a row, None if no drop does."""
        missing = [_FULL & ~row for row in board[: self.rows]]
        for rotation, column, below in self.drops[piece]:
            if all(gaps & ~below for gaps in missing):
                continue  # no row has all its gaps under the drop
            try:
                after = drop(board, piece, rotation, column, self.rows)
            except Refused:
                continue
            if _FULL in after[: self.rows]:
                return after
        return None

    def play(self, state: int = 0, mirrored: bool = False, board: list[int] | None = None, placed: int = 0) -> Count:
        """Play every sequence from a position; raise Refused if one does not end with a full bottom row."""
        board = board or [0] * ROWS
        key = (state, mirrored, tuple(board))
        if self.known is not None and key in self.known:
            return self.known[key]
        if placed > 60:
            raise Refused("no row is full after 60 pieces")
        sequences = longest = above_five = 0
        for piece in range(7):
            after = self.fills(piece, board) if self.eager else None
            move = None
            if after is None:
                move = self.states[state][_MIRRORED[piece] if mirrored else piece]
                if move is None:
                    raise Refused(f"state {state} knows no move for piece {piece}")
                rotation, column, _, _ = move
                if mirrored:
                    after = mirror(drop(mirror(board), _MIRRORED[piece], rotation, column, self.rows))
                else:
                    after = drop(board, piece, rotation, column, self.rows)
            full = [y for y in range(self.rows) if after[y] == _FULL]
            if move is None or move[2] < 0:
                if not full:
                    raise Refused(f"state {state} says that piece {piece} fills a row, and it does not")
                sequences += 1
                longest = max(longest, 1)
                above_five += full[0] >= 5
            elif full:
                raise Refused(f"state {state} goes on though piece {piece} filled a row")
            else:
                count = self.play(move[2], mirrored ^ move[3], after, placed + 1)
                sequences += count.sequences
                longest = max(longest, 1 + count.longest)
                above_five += count.above_five
        result = Count(sequences, longest, above_five)
        if self.known is not None:
            self.known[key] = result
        return result
