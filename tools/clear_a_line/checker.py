"""Check a strategy by playing every sequence of pieces on a board of cells.

It is written apart from the solver and shares nothing with it, so that nobody must trust the solver. It has 24 rows of
cells, and a piece falls from above until something is below it. Then it looks for full rows.

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
    """Say in one line what is wrong with a strategy."""


@dataclass(frozen=True)
class Count:
    """The result of a replay: sequences of pieces, the longest, and those that fill none of the bottom five rows."""

    sequences: int
    longest: int
    above_five: int


Move = tuple[int, int, int, bool]  # rotation, column, state that follows or -1, whether it is mirrored from there


def cells_of(piece: int, rotation: int) -> list[tuple[int, int]]:
    """Return the cells (x, y) of a piece in its box, y upward."""
    art = ART[PIECES[piece]][rotation]
    return [(i % 4, 3 - i // 4) for i in range(16) if art[i] == "#"]


_CELLS = [[cells_of(piece, rotation) for rotation in range(4)] for piece in range(7)]
_FULL = (1 << 10) - 1


def rows_of(piece: int, rotation: int) -> tuple[int, list[int]]:
    """Return the box column of a piece's left cell, and its rows from the lowest up, that cell in bit 0."""
    cells = _CELLS[piece][rotation]
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    rows = [0] * (max(y for _, y in cells) - low + 1)
    for x, y in cells:
        rows[y - low] |= 1 << x - left
    return left, rows


_PIECE_ROWS = [[rows_of(piece, rotation) for rotation in range(4)] for piece in range(7)]


def drop(board: list[int], piece: int, rotation: int, column: int, rows: int = 6) -> list[int]:
    """Return the board after a piece fell; raise Refused where it may not: off the board, or on a full column."""
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
    base = min(height, ROWS - len(cells))  # through empty rows it falls
    while base and not any(map(and_, cells, board[base - 1 :])):
        base -= 1
    after = list(board)
    for i, row in enumerate(cells):
        after[base + i] |= row
    return after


def read(text: str) -> list[list[Move | None]]:
    """Return the moves of each line of a strategy in the text's format; raise Refused for one that is not."""
    lines = [line.split() for line in text.splitlines()]
    found: list[list[Move | None]] = []
    for number, words in enumerate(lines):
        try:
            numbers = [int(word) for word in words]
        except ValueError:
            raise Refused(f"line {number + 1}: not numbers") from None
        if len(numbers) != 21:
            raise Refused(f"line {number + 1}: {len(numbers)} numbers, not 21")
        if any(not 0 <= turn < 4 for turn in numbers[::3]) or any(not -1 <= n < len(lines) for n in numbers[2::3]):
            raise Refused(f"line {number + 1}: no such rotation or state")
        found.append([(*numbers[3 * i : 3 * i + 2], numbers[3 * i + 2], False) for i in range(7)])  # type: ignore[misc]
    if not found:
        raise Refused("an empty file")
    return found


def drops_of(piece: int) -> list[tuple[int, int]]:
    """Return (rotation, column) of every different drop of a piece, by rotation, then by column."""
    found = []
    shapes = set()
    for rotation in range(4):
        cells = _CELLS[piece][rotation]
        left, low = min(x for x, _ in cells), min(y for _, y in cells)
        shape = frozenset((x - left, y - low) for x, y in cells)
        if shape not in shapes:
            shapes.add(shape)
            found += [(rotation, x - left) for x in range(10 - max(x for x, _ in shape))]
    return found


def columns_of(piece: int, rotation: int, column: int) -> int:
    """Return as bits the columns of the board that a drop touches."""
    touched = 0
    for row in drop([0] * ROWS, piece, rotation, column):
        touched |= row
    return touched


def read_small(blob: bytes) -> list[list[Move | None]]:
    """Return the moves of each state of the handheld's file; None where the piece always fills a row.

    A line of text, then, little-endian: the number of states (2 bytes), the place of every eighth record (2 bytes
    each), and the records. A record has a bit for each piece with a move and the most pieces left. For each of those
    pieces follows ((following * 34 + drop) * 2 + mirrored) (2 bytes).
    """
    begin = blob.index(b"\n") + 1
    count = int.from_bytes(blob[begin : begin + 2], "little")
    records = begin + 2 + 2 * ((count + 7) // 8)
    found: list[list[Move | None]] = []
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
            following, drop_number = divmod(word // 2, 34)
            if following >= count or drop_number >= len(drops_of(piece)):
                raise Refused(f"state {state}: no such drop or state")
            moves.append((*drops_of(piece)[drop_number], following, bool(word & 1)))
        found.append(moves)
    if at != len(blob) or not found:
        raise Refused("the file does not end where its last record does")
    return found


def mirror(board: list[int]) -> list[int]:
    """Return a board turned round."""
    return [sum((row >> x & 1) << 9 - x for x in range(10)) for row in board]


_MIRRORED = [PIECES.index(name) for name in "ISZTJLO"]


class Replay:
    """Play every sequence of a strategy.

    eager: a piece that can fill a row does, whatever the state says, as on the handheld; else a
    state must say so itself. once: look at a position that comes up again only once.
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
        """Return the board after the first drop of the piece that fills a row."""
        missing = [_FULL & ~row for row in board[: self.rows]]
        for rotation, column, below in self.drops[piece]:
            if all(gaps & ~below for gaps in missing):
                continue  # it does not reach all that any row misses
            try:
                after = drop(board, piece, rotation, column, self.rows)
            except Refused:
                continue
            if _FULL in after[: self.rows]:
                return after
        return None

    def play(self, state: int = 0, mirrored: bool = False, board: list[int] | None = None, placed: int = 0) -> Count:
        """Play every sequence from a position; raise Refused when one does not end with a bottom row full."""
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
        found = Count(sequences, longest, above_five)
        if self.known is not None:
            self.known[key] = found
        return found
