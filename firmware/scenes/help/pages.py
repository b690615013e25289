"""Turn pages: the base of the help's words and pictures."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, text_width
from firmware.view.lines import centre
from firmware.view.sample import draw_mino

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_TEXT_Y = const(15)
_PITCH = const(7)
_FOOT_Y = const(121)
_MINO_PX = const(5)
_CODES = b".IJLOSTZ#ijlostz"

PICTURE_Y = const(70)
PICTURE_HEIGHT = const(45)


def draw_cells(canvas: "Canvas", x: int, y: int, rows: bytes) -> None:
    """Draw rows of cells parted by bars, from (`x`, `y`) on: `IJLOSTZ` Blocks, small letters in play, `*` lit."""
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


class Pages:
    """Show one page at a time: left and right turn, A too, B goes back to the help.

    pages: bytes, the title and at most seven lines of 16 glyphs, parted by bars.  `draw_picture`
    has 45 rows of pixels from PICTURE_Y down.
    """

    kind = "menu"
    pages: tuple[bytes, ...] = ()
    parent = "help.help"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        self.at = subject if isinstance(subject, int) else 0
        self.fresh = True

    def draw_picture(self, canvas: "Canvas", at: int) -> None:
        """Draw what page `at` shows below its text."""

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Take the edges of this frame."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Turn a page, or leave; after the last page comes the first."""
        count = len(self.pages)
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            self.context.voice.tell_menu(2)
            self.context.go(self.parent, self.context.router.name)
            return
        step = count - 1 if button == controls.LEFT or button == controls.HARD_DROP else 1
        self.at = (self.at + step) % count
        self.context.voice.tell_menu(0)
        self.fresh = True

    def draw(self) -> None:
        """Draw the page once."""
        if not self.fresh:
            return
        self.fresh = False
        canvas = self.context.canvas
        canvas.clear()
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
        canvas.fill(0, _FOOT_Y - 4, WIDTH, 1, 1)
        centre(canvas, _FOOT_Y, b"< %d/%d >  B BACK" % (self.at + 1, len(self.pages)), FONT_3X5)
