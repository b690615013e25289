"""Keep the Blocks: ten columns, twenty visible rows and the Buffer Zone (Guideline 2.4, 10)."""

from firmware.compat import const
from firmware.engine.tables import SHAPES

WIDTH = const(10)
HEIGHT = const(40)
SKYLINE = const(20)
NEAR_ROW = const(16)  # Blocks in this row, counted from 1, are near a Top Out
GARBAGE_CELL = const(8)
EDGE = const(3)  # column x is bit x + 3 of a row's mask, so that a box may hang over the left wall
WALLS = const(0xE007)
_SOLID = const(0xFFFF)
UNCLEARABLE = const(0x1FFFF)  # solid to a Tetrimino, but never a full row


class Matrix:
    """Hold forty rows of Blocks, with one mask for each row to find collisions.

    rows: 40 bytearrays of 10 cell codes, row 0 the lowest. masks: 46 integers. Bit x + 3 is set if column x is taken;
    bits 0-2 and 13-15 are the walls. The last six masks are solid: 40-42 are the ceiling above the Top Out Line; 43-45
    are the floor, indexed as -3 to -1. top: every row from `top` up is empty. version: grows whenever a Block changes,
    which tells a view to redraw.
    """

    def __init__(self) -> None:
        self.rows = [bytearray(WIDTH) for _ in range(HEIGHT)]
        self.masks = [WALLS] * HEIGHT + [_SOLID] * 6
        self.top = 0
        self.version = 0

    def clear(self) -> None:
        empty = b"\0\0\0\0\0\0\0\0\0\0"  # a literal: modes clear within a frame, which must not allocate
        while self.top:
            self.top -= 1
            self.set_row(self.top, empty)

    def set_row(self, y: int, cells: "bytes | bytearray") -> None:
        """Put ten cell codes into row `y`, 0..39, to set up a position."""
        row = self.rows[y]
        mask = WALLS
        for x in range(WIDTH):
            row[x] = cells[x]
            if cells[x]:
                mask |= 1 << x + EDGE
        self.masks[y] = mask
        if mask != WALLS and y >= self.top:
            self.top = y + 1
        self.version += 1

    def lock(self, piece: int, x: int, y: int, shape: int) -> None:
        """Turn a Tetrimino into Blocks.

        `shape` is the index of its first row mask in SHAPES, (x, y) the lower left cell of its box. Every Mino must lie
        on an empty cell of the 40 rows.
        """
        masks = self.masks
        top = self.top
        for row in range(y, y + 4):
            minos = SHAPES[shape]
            shape += 1
            if minos:
                masks[row] |= minos << x + EDGE
                cells = self.rows[row]
                if minos & 1:
                    cells[x] = piece
                if minos & 2:
                    cells[x + 1] = piece
                if minos & 4:
                    cells[x + 2] = piece
                if minos & 8:
                    cells[x + 3] = piece
                if row >= top:
                    top = row + 1
        self.top = top
        self.version += 1

    def mark_full(self, y: int, hits: bytearray) -> int:
        """Write the full rows among `y` to `y` + 3 to `hits`, lowest first; return their number."""
        masks = self.masks
        count = 0
        for row in range(y if y > 0 else 0, y + 4 if y < HEIGHT - 4 else HEIGHT):
            if masks[row] == _SOLID:
                hits[count] = row
                count += 1
        return count

    def collapse(self, hits: bytearray, count: int) -> None:
        """Remove the first `count` rows of the ascending list `hits` and let the rows above fall."""
        rows = self.rows
        masks = self.masks
        while count:
            count -= 1
            y = hits[count]
            row = rows.pop(y)
            for x in range(WIDTH):
                row[x] = 0
            rows.append(row)
            masks.pop(y)
            masks.insert(HEIGHT - 1, WALLS)
            self.top -= 1
        self.version += 1

    def raise_row(self, gap: int) -> bool:
        """Push all rows up by one and fill the lowest with garbage except column `gap`.

        `gap` is 0..9, or 10 for a Solid Line, which cannot be cleared. Return False if a Block was pushed above the Top
        Out Line; this ends the game (Guideline 10, 5; B1.3.1).
        """
        topped_out = self.masks[HEIGHT - 1] != WALLS
        row = self.rows.pop()
        mask = _SOLID
        for x in range(WIDTH):
            row[x] = GARBAGE_CELL
        if gap < WIDTH:
            row[gap] = 0
            mask ^= 1 << gap + EDGE
        else:
            mask = UNCLEARABLE
        self.rows.insert(0, row)
        self.masks.pop(HEIGHT - 1)
        self.masks.insert(0, mask)
        if self.top < HEIGHT:
            self.top += 1
        self.version += 1
        return not topped_out
