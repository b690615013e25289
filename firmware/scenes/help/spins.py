"""Explain T-Spins and the value of a Back-to-Back (Guideline 8.1, 9)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.scenes.help.pages import PICTURE_Y, Pages, draw_cells, draw_well
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.sample import GHOST, draw_tetrimino

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_T = const(6)


class Scene(Pages):
    """Show the explanation page by page."""

    pages = (
        (b"T-SLOT|A GAP FOR A T:|THREE OF THE 4|CELLS AT THE|CORNERS OF ITS|MIDDLE TAKEN OR|BEYOND A WALL."),
        (
            b"T-SPIN|LET THE T LAND,|AND ROTATE IT|INTO A T-SLOT|BEFORE IT LOCKS|"
            b"DOWN. IT SCORES|EVEN WITHOUT A|LINE CLEAR."
        ),
        (b"MINI T-SPIN|IF ONE OF THE|TWO CORNERS|BESIDE ITS NOSE|IS FREE, IT IS A|MINI T-SPIN AND|SCORES LESS."),
        (
            b"POINT 5|A ROTATION TRIES|FIVE POINTS. BY|THE FIFTH IT IS|A FULL T-SPIN: A|"
            b"T GOES DEEP DOWN|FOR A T-SPIN|TRIPLE."
        ),
        (
            b"BACK-TO-BACK|A TETRIS OR SPIN|WITH LINES GETS|HALF AS MUCH|AGAIN AFTER|"
            b"ANOTHER. SINGLE,|DOUBLE OR TRIPLE|END THE CHAIN."
        ),
    )

    def draw_picture(self, canvas: "Canvas", at: int) -> None:
        if at == 0:
            self.draw_pair(canvas, b"OO...|O...O|OO.OO", b"O*...|O...O|O*.*O")
            draw_tetrimino(canvas, 42, PICTURE_Y + 24, _T, 2, GHOST)
        elif at == 1:
            self.draw_pair(canvas, b"OOt..|O.ttO|OOtOO", b"OO...|OtttO|OOtOO")
        elif at == 2:
            self.draw_pair(canvas, b".t...|ttt..|.OOOO|OOOOO", b"t....|tt...|tOOOO|OOOOO")
        elif at == 3:
            self.draw_pair(canvas, b"OOO..|OO.t.|OOttt|OO.OO|OO..O|OO.OO", b"OOO..|OO...|OO...|OOtOO|OOttO|OOtOO")
        else:
            self.draw_chain(canvas)

    def draw_pair(self, canvas: "Canvas", before: bytes, after: bytes) -> None:
        """Draw two Matrices of five columns, with an arrow from `before` to `after`."""
        rows = before.count(b"|") + 1
        y = PICTURE_Y + (44 - 5 * rows >> 1)
        for x, cells in ((2, before), (37, after)):
            draw_well(canvas, x, y, 5, rows)
            draw_cells(canvas, x, y, cells)
        y += 5 * rows >> 1
        canvas.fill(29, y, 6, 1, 1)
        canvas.fill(33, y - 1, 1, 3, 1)
        canvas.fill(32, y - 2, 1, 5, 1)

    def draw_chain(self, canvas: "Canvas") -> None:
        """Draw the example of 8.1 and its sum."""
        y = PICTURE_Y
        for line, points in (
            (b"TETRIS", 800),
            (b"T-SPIN DBL", 1800),
            (b"T-SPIN", 400),
            (b"TETRIS", 1200),
            (b"T-SPIN SGL", 1200),
        ):
            canvas.text(1, y, line, FONT_3X5)
            canvas.number(48, y, points, -1, 4, FONT_3X5, False)
            y += 7
        canvas.fill(41, y - 1, 23, 1, 1)
        canvas.number(41, y + 1, 5400, -1, 4, FONT_5X7, False)
