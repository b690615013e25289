"""Turn pages with words and pictures: the base class of help pages."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.paging import PagedScene
from firmware.sound.effects import MENU_BACK
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width
from firmware.view.sample import draw_mino

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_TEXT_Y = const(15)
_PITCH = const(7)
_MINO_PX = const(5)
_CODES = b".IJLOSTZ#ijlostz"

PICTURE_Y = const(70)


def draw_cells(canvas: "Canvas", x: int, y: int, rows: bytes) -> None:
    """Draw rows of cells, separated by bars, from (`x`, `y`) on.

    `IJLOSTZ` are Blocks, `ijlostz` Minos in play, `#` garbage, `*` a lit cell.
    """
    for row in rows.split(b"|"):
        left = x
        for code in row:
            mino = 32 if code == 42 else _CODES.find(bytes((code,)))
            if mino > 0:
                draw_mino(canvas, left, y, mino)
            left += _MINO_PX
        y += _MINO_PX


def draw_well(canvas: "Canvas", x: int, y: int, columns: int, rows: int) -> None:
    """Draw walls and floor around cells whose top left is (`x`, `y`)."""
    canvas.fill(x - 1, y, 1, rows * _MINO_PX, 1)
    canvas.fill(x + columns * _MINO_PX, y, 1, rows * _MINO_PX, 1)
    canvas.fill(x - 1, y + rows * _MINO_PX, columns * _MINO_PX + 2, 1, 1)


class Pages(PagedScene):
    """Show one page at a time: left and right turn, A too, B goes back to the help.

    pages: for each page bytes with the title and at most seven lines of 16 characters, separated by bars.
    `draw_picture` has 45 rows of pixels from PICTURE_Y down.
    """

    pages: tuple[bytes, ...] = ()
    parent = "help.help"

    def __init__(self, context: "Context", subject: object = None) -> None:
        PagedScene.__init__(self, context, len(self.pages), subject if isinstance(subject, int) else 0)

    def draw_picture(self, canvas: "Canvas", at: int) -> None:
        """Draw the picture of page `at` below its text."""

    def press(self, button: int) -> None:
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            self.context.voice.tell_menu(MENU_BACK)
            self.context.go(self.parent, self.context.router.name)
        else:
            self.turn(1)

    def draw_page(self, canvas: "Canvas") -> None:
        lines = self.pages[self.at].split(b"|")
        title = lines[0]
        font = FONT_5X7 if text_width(title, FONT_5X7) < WIDTH else FONT_3X5
        centre(canvas, 2 + (7 - font[1] >> 1), title, font)
        canvas.fill(0, 10, WIDTH, 1, 1)
        y = _TEXT_Y
        for i in range(1, len(lines)):
            canvas.text(1, y, lines[i], FONT_3X5)
            y += _PITCH
        self.draw_picture(canvas, self.at)
        self.hint(b"< %d/%d >  B BACK" % (self.at + 1, self.count))
