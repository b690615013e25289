"""Turn Tetriminos by PyPI's `tetris`, in the interpreter that has it; __main__.py describes the lines."""

import sys

_ROWS = 24
_QUARTERS = (-1, 1, 2)


def answer() -> None:
    """Turn the Tetrimino of each line of stdin, and print where it lands."""
    # Here, because only the interpreter that --tetris names has this package.
    from tetris.board import Board
    from tetris.impl.rotation import TetrioSRS
    from tetris.types import Piece, PieceType

    system = TetrioSRS(Board.zeros((_ROWS, 10)))
    shown = ["0"] * _ROWS
    for line in sys.stdin:
        words = line.split()
        kind, facing = PieceType[words[0]], int(words[1])
        numbers = [int(word) for word in words[3:11]]
        for y, row in enumerate(words[11:]):  # its rows count from above
            if row != shown[y]:
                shown[y] = row
                for x in range(10):
                    system.board[_ROWS - 1 - y, x] = int(row) >> x & 1
        minos = system.shapes[kind][facing]
        top = _ROWS - 1 - max(numbers[1::2]) - min(row for row, _column in minos)
        left = min(numbers[::2]) - min(column for _row, column in minos)
        piece = Piece(type=kind, x=top, y=left, r=facing, minos=minos)
        system.rotate(piece, _QUARTERS[int(words[2])])
        cells = ((_ROWS - 1 - piece.x - row) * 10 + piece.y + column for row, column in piece.minos)
        print("-" if piece.r == facing else " ".join(map(str, sorted(cells))))
