"""Read and write messages and moves of the Tetris Bot Protocol, and find a move's place in a Matrix.

A message is one line with a JSON object. A move names a Tetrimino's centre, a Game the lower left cell of its box.
Bots use different facings for the same cells, so moves are compared by their cells.
"""

import json
from typing import Any, NamedTuple

from firmware.engine.matrix import HEIGHT, WIDTH, Matrix
from firmware.players.planner import PressPlanner
from sim.bots.places import Place, Places, cells_of

Message = dict[str, Any]

LETTERS = " IJLOSTZG"  # by cell code; G is garbage
ORIENTATIONS = ("north", "east", "south", "west")
SPINS = ("none", "mini", "full")

_I, _O, _GARBAGE = 1, 4, 8
_CENTRES = {_I: ((1, 2), (2, 2), (2, 1), (1, 1)), _O: ((1, 1), (1, 2), (2, 2), (2, 1))}
_CENTRE = ((1, 1),) * 4


class Move(NamedTuple):
    """A Tetrimino's resting place: its box as in a Game, and the spin of a Lock Down there."""

    piece: int
    facing: int
    x: int
    y: int
    spin: int

    def cells(self) -> frozenset[tuple[int, int]]:
        return cells_of(*self[:4])

    def as_json(self) -> Message:
        column, row = _CENTRES.get(self.piece, _CENTRE)[self.facing]
        location = {"type": LETTERS[self.piece], "orientation": ORIENTATIONS[self.facing]}
        return {"location": location | {"x": self.x + column, "y": self.y + row}, "spin": SPINS[self.spin]}

    def lock(self, matrix: Matrix) -> int:
        """Lock the Tetrimino down in a Matrix and remove full rows; return their number, or raise ValueError."""
        if not all(0 <= x < WIDTH and 0 <= y < HEIGHT and not matrix.rows[y][x] for x, y in self.cells()):
            raise ValueError(f"{LETTERS[self.piece]} cannot be played there")
        matrix.lock(self.piece, self.x, self.y, (self.piece - 1) * 16 + self.facing * 4)
        hits = bytearray(4)
        lines = matrix.mark_full(self.y, hits)
        matrix.collapse(hits, lines)
        return lines


def read_message(line: bytes) -> Message:
    """Return the message in a line; raise ValueError if the line is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"{show(line.decode(errors='replace'))} is not JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise ValueError(f"{show(message)} is not an object with a type")
    return message


def write_message(message: Message) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def show(value: object, most: int = 60) -> str:
    """Return a received value in at most `most` letters, without control characters."""
    text = ascii(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def read_piece(value: object) -> int:
    """Return the Tetrimino of a letter; raise ValueError for anything else."""
    if isinstance(value, str) and len(value) == 1 and value in LETTERS[1:8]:
        return LETTERS.index(value)
    raise ValueError(f"{show(value)} is not a piece")


def read_pieces(value: object) -> list[int]:
    """Return the Tetriminos of a list; raise ValueError for anything else."""
    if not isinstance(value, list):
        raise ValueError(f"{show(value)} is not a list of pieces")
    return [read_piece(piece) for piece in value]


def read_move(value: object) -> Move:
    """Return a move; raise ValueError for anything else."""
    location = value.get("location") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(location, dict):
        raise ValueError(f"{show(value)} is not a move")
    piece = read_piece(location.get("type"))
    orientation, spin = location.get("orientation"), value.get("spin", "none")
    if orientation not in ORIENTATIONS or spin not in SPINS:
        raise ValueError(f"{show(value)} has no such orientation or spin")
    facing = ORIENTATIONS.index(orientation)
    column, row = _CENTRES.get(piece, _CENTRE)[facing]
    x, y = location.get("x"), location.get("y")
    if type(x) is not int or type(y) is not int or not 0 <= x < WIDTH or not 0 <= y < HEIGHT:
        raise ValueError(f"{show(value)} is not within 10 columns and 40 rows")
    return Move(piece, facing, x - column, y - row, SPINS.index(spin))


def read_matrix(value: object) -> Matrix:
    """Return the Matrix of a `board`; raise ValueError for anything else."""
    if not isinstance(value, list) or len(value) != HEIGHT:
        raise ValueError("the board has not 40 rows")
    matrix = Matrix()
    for y, row in enumerate(value):
        if not isinstance(row, list) or len(row) != WIDTH:
            raise ValueError(f"row {y} of the board has not 10 cells")
        if any(row):
            matrix.set_row(y, bytes(8 if cell == "G" else read_piece(cell) if cell else 0 for cell in row))
    return matrix


def write_matrix(matrix: Matrix) -> list[list[str | None]]:
    return [[LETTERS[cell] if cell else None for cell in row] for row in matrix.rows]


def find_gap(matrix: Matrix, otherwise: int) -> int:
    """Return the column of the gap in the lowest row if that is garbage; more garbage will probably have it, too."""
    row = bytes(matrix.rows[0])
    return row.find(0) if row.count(_GARBAGE) == WIDTH - 1 else otherwise


def find_places(matrix: Matrix, piece: int, spins: int = 0) -> Places | None:
    """Return the places of a Tetrimino that comes into play, or None if it cannot enter."""
    planner = PressPlanner(1)
    planner.shadow.matrix = matrix
    return Places(planner.shadow, spins=spins) if planner.enter(piece) else None


def find_place(places: Places, move: Move) -> Place | None:
    """Return the place with the cells of a move, or None; prefer the move's spin, then the best spin."""
    wanted = move.cells()
    return max(
        (place for place in places if Move(places.piece, *place[:4]).cells() == wanted),
        key=lambda place: (place.spin == move.spin, place.spin),
        default=None,
    )
