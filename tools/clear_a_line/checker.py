"""Check a strategy by playing every sequence of pieces on a board of cells.

Written apart from the solver and sharing nothing with it, so that nobody need trust the solver:
24 rows of cells, a piece falls from above until something is below it, and rows are looked at.

    python -m tools.clear_a_line check FILE
"""

from dataclasses import dataclass, field

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


@dataclass
class Count:
    """What replaying every sequence showed."""

    sequences: int = 0
    longest: int = 0
    above_five: int = 0  # sequences that complete none of the bottom five rows
    states: set[int] = field(default_factory=set)


def cells_of(piece: int, rotation: int, mirrored: bool = False) -> list[tuple[int, int]]:
    """Return the cells (x, y) of a piece in its box, y upward."""
    art = ART[PIECES[piece]][rotation]
    return [(i % 4, 3 - i // 4) for i in range(16) if art[i] == "#"]


_CELLS = [[cells_of(piece, rotation) for rotation in range(4)] for piece in range(7)]
_FULL = (1 << 10) - 1


def drop(board: list[int], piece: int, rotation: int, column: int, rows: int = 6) -> list[int]:
    """Return the board after a piece fell; raise Refused where it may not: off the board, or on a full column."""
    cells = [(x + column, y) for x, y in _CELLS[piece][rotation]]
    for x, _ in cells:
        if not 0 <= x < 10:
            raise Refused(f"piece {piece} turned {rotation} in column {column} leaves the board")
        if any(board[y] >> x & 1 for y in range(rows - 1, ROWS)):
            raise Refused(f"piece {piece} turned {rotation} in column {column} touches a full column")
    base = ROWS
    while all(y + base - 1 >= 0 and (y + base - 1 >= ROWS or not board[y + base - 1] >> x & 1) for x, y in cells):
        base -= 1
    after = list(board)
    for x, y in cells:
        after[y + base] |= 1 << x
    return after


def read(text: str) -> list[list[int]]:
    """Return the lines of a strategy in the text's format; raise Refused for one that is not."""
    lines = []
    for number, line in enumerate(text.splitlines()):
        try:
            numbers = [int(word) for word in line.split()]
        except ValueError:
            raise Refused(f"line {number + 1}: not numbers") from None
        if len(numbers) != 21:
            raise Refused(f"line {number + 1}: {len(numbers)} numbers, not 21")
        lines.append(numbers)
    for number, numbers in enumerate(lines):
        for i in range(7):
            if not (0 <= numbers[3 * i] < 4 and -1 <= numbers[3 * i + 2] < len(lines)):
                raise Refused(f"line {number + 1}: no such rotation or state")
    if not lines:
        raise Refused("an empty file")
    return lines


def check(lines: list[list[int]], rows: int = 6, most: int = 60) -> Count:
    """Play every sequence; raise Refused when one does not end with one of the bottom rows full, when it says so.

    A mirrored state (bit 16 of the next state) plays the mirror image of its moves: boards here are
    turned round instead.
    """
    count = Count()
    waiting = [(0, [0] * ROWS, 0)]
    while waiting:
        state, board, placed = waiting.pop()
        count.states.add(state)
        if placed >= most:
            raise Refused(f"no row is full after {most} pieces")
        moves = lines[state]
        for piece in range(7):
            rotation, column, following = moves[3 * piece : 3 * piece + 3]
            after = drop(board, piece, rotation, column, rows)
            full = [y for y in range(rows) if after[y] == _FULL]
            if following < 0:
                if not full:
                    raise Refused(f"state {state} says that piece {piece} fills a row, and it does not")
                count.sequences += 1
                count.longest = max(count.longest, placed + 1)
                count.above_five += full[0] >= 5
            elif full:
                raise Refused(f"state {state} goes on though piece {piece} filled a row")
            else:
                waiting.append((following, after, placed + 1))
    return count
