"""Explain how to play (Guideline 1.3, 2.6)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.scenes.help.pages import PICTURE_Y, Pages, draw_cells, draw_well
from firmware.view.art import FONT_3X5
from firmware.view.sample import GHOST, PLAIN, draw_mini, draw_tetrimino

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_I = const(1)
_L = const(3)
_O = const(4)
_S = const(5)
_T = const(6)
_WELL_X = const(7)
_WELL_Y = const(71)
_BASE_Y = const(113)

_BAG = b"\x06\x03\x01\x07\x04\x02\x05"
# x of each of the seven Tetriminos, and y below PICTURE_Y of the lower edge of its box
_SEVEN = b"\x16\x2c\x18\x0d\x2d\x0d\x16\x1d\x03\x1d\x03\x0d\x2d\x1d"


class Scene(Pages):
    """Show the basics page by page."""

    pages = (
        b"TETRIMINOS|SEVEN SHAPES OF|FOUR MINOS FALL|INTO THE MATRIX,|10 CELLS WIDE|AND 20 HIGH.",
        b"AIM|MOVE, ROTATE AND|DROP THEM TO|FILL WHOLE ROWS.|THE GHOST PIECE|SHOWS WHERE ONE|WILL REST.",
        (
            b"LINE CLEAR|A ROW FULL OF|BLOCKS CLEARS|AND SCORES. THE|BLOCKS ABOVE|"
            b"COLLAPSE. MORE|LINES AT A TIME|SCORE MORE."
        ),
        (
            b"LOCK DOWN|HALF A SECOND|AFTER IT LANDS A|TETRIMINO LOCKS|DOWN. EACH MOVE|"
            b"OR ROTATION|STARTS THE TIME|ANEW, 15 TIMES."
        ),
        (
            b"DROPS|SOFT DROP FALLS|FASTER WHILE IT|IS HELD. HARD|DROP FALLS AND|"
            b"LOCKS DOWN AT|ONCE. BOTH SCORE|FOR EACH LINE."
        ),
        (
            b"HOLD QUEUE|HOLD KEEPS THE|TETRIMINO FOR|LATER AND BRINGS|BACK THE ONE IN|"
            b"THE HOLD QUEUE,|ONCE BEFORE EACH|LOCK DOWN."
        ),
        b"NEXT QUEUE|IT SHOWS WHICH|ONES COME. THEY|ARE DEALT FROM|BAGS OF SEVEN,|EACH WITH ALL|SHAPES.",
        (
            b"LEVELS|A LEVEL HAS A|GOAL: LINES TO|CLEAR. ON THE|NEXT LEVEL THEY|"
            b"FALL FASTER, AND|EVERY ACTION|SCORES MORE."
        ),
        (b"GAME OVER|BLOCK OUT: A NEW|ONE FINDS ITS|PLACE TAKEN.|LOCK OUT: ONE|LOCKS DOWN ALL|ABOVE THE|SKYLINE."),
    )

    def draw_picture(self, canvas: "Canvas", at: int) -> None:
        (
            self.draw_seven,
            self.draw_aim,
            self.draw_line,
            self.draw_landed,
            self.draw_drops,
            self.draw_hold,
            self.draw_queue,
            self.draw_levels,
            self.draw_over,
        )[at](canvas)

    def draw_seven(self, canvas: "Canvas") -> None:
        for i in range(7):
            draw_tetrimino(canvas, _SEVEN[2 * i], PICTURE_Y + _SEVEN[2 * i + 1], i + 1, 0, PLAIN)

    def draw_aim(self, canvas: "Canvas") -> None:
        """Draw a Tetrimino above a place that it fits."""
        draw_well(canvas, _WELL_X, _WELL_Y, 10, 8)
        draw_cells(canvas, _WELL_X, _WELL_Y + 25, b"JJ.......I|JZZOO...SI|JIZOOZ.SSI")
        draw_tetrimino(canvas, _WELL_X + 25, _WELL_Y + 5, _T, 2, PLAIN)
        draw_tetrimino(canvas, _WELL_X + 25, _WELL_Y + 30, _T, 2, GHOST)

    def draw_line(self, canvas: "Canvas") -> None:
        """Draw two full rows that light up, and Blocks above."""
        draw_well(canvas, _WELL_X, _WELL_Y, 10, 8)
        draw_cells(canvas, _WELL_X, _WELL_Y + 15, b"..OO......|.LOO....SS|LLLJJJZSST|**********|**********")

    def draw_landed(self, canvas: "Canvas") -> None:
        """Draw a landed Tetrimino, and a bar for the rest of its Lock Down Timer."""
        draw_well(canvas, _WELL_X, _WELL_Y, 10, 8)
        draw_cells(canvas, _WELL_X, _WELL_Y + 25, b"L.......OO|LLL...IZOO|JJJZZ.ISSZ")
        draw_tetrimino(canvas, _WELL_X + 10, _WELL_Y + 30, _S, 0, PLAIN)
        canvas.fill(_WELL_X + 10, _WELL_Y + 7, 30, 4, 1)
        canvas.fill(_WELL_X + 25, _WELL_Y + 8, 14, 2, 0)

    def draw_drops(self, canvas: "Canvas") -> None:
        draw_well(canvas, _WELL_X, _WELL_Y, 10, 8)
        draw_cells(canvas, _WELL_X, _WELL_Y + 30, b"JJ..SS..OO|JZZSSI..OO")
        for y in range(2, 28, 2):
            canvas.fill(_WELL_X + 30, _WELL_Y + y, 10, 1, 1)
        draw_tetrimino(canvas, _WELL_X + 25, _WELL_Y + 35, _O, 0, PLAIN)

    def draw_hold(self, canvas: "Canvas") -> None:
        """Draw two Tetriminos that change places."""
        y = PICTURE_Y + 12
        canvas.text(7, y - 8, b"HOLD", FONT_3X5)
        canvas.fill(4, y, 20, 16, 1)
        canvas.fill(5, y + 1, 18, 14, 0)
        draw_mini(canvas, 8, y + 5, _T)
        draw_tetrimino(canvas, 44, y + 8, _L, 0, PLAIN)
        for i in range(2):
            canvas.fill(28, y + 4 + 7 * i, 9, 1, 1)
            for j in range(1, 3):
                x = 28 + j if i else 36 - j
                canvas.fill(x, y + 4 + 7 * i - j, 1, 2 * j + 1, 1)

    def draw_queue(self, canvas: "Canvas") -> None:
        """Draw the seven Tetriminos of a bag."""
        for i in range(7):
            row = i // 4
            draw_mini(canvas, 4 + i % 4 * 15 + row * 7, PICTURE_Y + 10 + row * 14, _BAG[i])

    def draw_levels(self, canvas: "Canvas") -> None:
        """Draw fifteen steps that become steeper."""
        canvas.fill(0, _BASE_Y, 64, 1, 1)
        for level in range(15):
            height = 2 + (level * level + 4 * level) * 38 // 252
            canvas.fill(2 + 4 * level, _BASE_Y - height, 3, height, 1)

    def draw_over(self, canvas: "Canvas") -> None:
        """Draw a Tetrimino that has no room between the Blocks and the Skyline."""
        draw_well(canvas, _WELL_X, _WELL_Y, 10, 8)
        for x in range(_WELL_X, _WELL_X + 50, 4):
            canvas.fill(x, _WELL_Y + 14, 2, 1, 1)
        draw_cells(canvas, _WELL_X, _WELL_Y + 15, b"..ZZOO....|..SZZO.II.|.SSLTTT.JJ|.SLLLTOOJ.|TT.IIIIOOJ")
        draw_tetrimino(canvas, _WELL_X + 15, _WELL_Y + 15, _T, 0, PLAIN)
