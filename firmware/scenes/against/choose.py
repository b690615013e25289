"""Choose the pieces for the handheld, which always fills a row, or tries to fill one of the bottom five."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.engine.profiles import PROFILES
from firmware.modes.always_clear import CELLS, HEIGHT, LIES, AlwaysClear
from firmware.scenes.play_state import REST_MS
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre
from firmware.view.sample import draw_mini, draw_mino

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_PIECES = const(7)
_BYTES = const(10)  # bytes of a profile
_FALL_MS = const(40)
_FLASH_MS = const(120)
_FLASHES = const(8)
_TOP = const(66)  # of the Matrix
_FLOOR = const(126)
_RIGHT = const(51)

# How many rows from below count
ALL_ROWS = const(6)  # that the handheld aims at
FIVE_ROWS = const(5)

# States
_CHOOSING = const(0)
_FALLING = const(1)
_FLASHING = const(2)
_OVER = const(3)
_READING = const(4)

_RULES = (
    b"YOU CHOOSE EVERY",
    b"PIECE, THE",
    b"COMPUTER WHERE",
    b"IT FALLS.",
    b"IT TRIES TO FILL",
    b"ONE OF THE FIVE",
    b"ROWS BELOW THE",
    b"DOTTED LINE.",
    b"STOP IT, AND",
    b"YOU WIN.",
)

# Left and top of each piece of the choice, in rows of four and three.
_SPOTS = b"\x02\x0c\x12\x0c\x22\x0c\x32\x0c\x0a\x17\x1a\x17\x2a\x17"


class Scene:
    """Offer seven pieces and drop the chosen one; show the row that the handheld tries to fill, and how soon.

    subject: FIVE_ROWS for the challenge BLOCK IT, which a page explains first; else ALL_ROWS count.
    """

    kind = "menu"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        self.rows = FIVE_ROWS if subject == FIVE_ROWS else ALL_ROWS
        # winning.bin is in the folder firmware.
        self.file = open(__file__.rpartition("scenes")[0] + "winning.bin", "rb")
        self.game = AlwaysClear(self.file)
        self.at = 0
        self.begin()
        if self.rows == FIVE_ROWS:
            self.state = _READING

    def begin(self) -> None:
        self.game.restart()
        self.state = _CHOOSING
        self.fresh = self.whole = True
        self.filled = False
        self.row = self.until_ms = 0

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle this frame's edges and move the falling piece."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i], now_ms)
                if self.context.router.wanted:
                    return
        if self.state == _FALLING and ticks_diff(now_ms, self.until_ms) >= 0:
            self.until_ms = ticks_add(now_ms, _FALL_MS)
            self.fall(now_ms)
        elif self.state == _FLASHING and ticks_diff(now_ms, self.until_ms) >= 0:
            self.until_ms = ticks_add(now_ms, _FLASH_MS)
            self.row += 1
            self.context.canvas.invert(1, self.top(self.game.aim), 50, 5)
            if self.row == _FLASHES:
                self.state = _OVER
                self.until_ms = ticks_add(now_ms, REST_MS)
                self.fresh = True
        self.context.voice.update(now_ms)

    def press(self, button: int, now_ms: int) -> None:
        """Choose a piece, drop it, begin again or leave."""
        voice = self.context.voice
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            voice.tell_menu(MENU_BACK)
            self.file.close()
            self.context.go("against.menu")
        elif self.state == _OVER and ticks_diff(now_ms, self.until_ms) < 0:
            return  # a late press skips no result
        elif self.state >= _OVER:
            voice.tell_menu(MENU_CHOOSE)
            self.begin()
        elif self.state == _CHOOSING:
            if button <= controls.HARD_DROP:
                if button == controls.LEFT:
                    step = 6
                elif button == controls.RIGHT:
                    step = 1
                else:
                    step = 4 if self.at < 3 else 3
                self.at = (self.at + step) % _PIECES
                voice.tell_menu(MENU_MOVE)
            else:
                voice.tell_menu(MENU_CHOOSE)
                self.filled = self.game.choose(self.at)
                self.row = HEIGHT
                self.until_ms = now_ms
                self.state = _FALLING
            self.fresh = True

    def fall(self, now_ms: int) -> None:
        """Move the piece down by one row, or lock it at its place."""
        game = self.game
        if self.row > game.y:
            if self.row < HEIGHT:
                self.draw_piece(0)
            self.row -= 1
            self.draw_piece(8 + CELLS[self.at])
            return
        self.draw_piece(CELLS[self.at])
        game.place(self.filled)
        self.state = _CHOOSING
        self.fresh = True
        if self.filled:
            self.state = _FLASHING
            self.row = 0
            self.until_ms = now_ms

    def top(self, row: int) -> int:
        return _FLOOR - 5 - 5 * row

    def draw_piece(self, mino: int) -> None:
        """Draw the piece at row `self.row` by this kind of Mino; 0 removes it."""
        game = self.game
        at = LIES[game.which] * _BYTES
        for i in range(PROFILES[at + 1]):
            span = PROFILES[at + 2 + i]
            for y in range(self.row + (span & 15), self.row + (span >> 4)):
                if y < HEIGHT:
                    draw_mino(self.context.canvas, 1 + 5 * (game.x + i), self.top(y), mino)
                    if y == self.rows - 1 and not mino:
                        self.context.canvas.fill(1 + 5 * (game.x + i), self.top(y), 1, 1, 1)

    def draw(self) -> None:
        if not self.fresh:
            return
        self.fresh = False
        canvas = self.context.canvas
        game = self.game
        if self.whole:
            self.whole = False
            canvas.clear()
            if self.state == _READING:
                self.draw_rules(canvas)
                return
            centre(canvas, 1, b"BLOCK IT" if self.rows == FIVE_ROWS else b"YOU DEAL", FONT_5X7)
            for i in range(_PIECES):
                draw_mini(canvas, _SPOTS[2 * i], _SPOTS[2 * i + 1] + 1, CELLS[i])
            canvas.fill(0, _TOP, 1, _FLOOR - _TOP, 1)
            canvas.fill(_RIGHT, _TOP, 1, _FLOOR - _TOP, 1)
            canvas.fill(0, _FLOOR, _RIGHT + 1, 1, 1)
            # A dotted line marks the top of the rows that count.
            for x in range(1, _RIGHT, 5):
                canvas.fill(x, self.top(self.rows - 1), 1, 1, 1)
            canvas.text(1, 35, b"PIECES LEFT", FONT_3X5)
            canvas.text(1, 44, b"IT AIMS AT", FONT_3X5)
            self.shown_at = -1
        if self.shown_at != self.at:
            if self.shown_at >= 0:
                self.frame(0)
            self.shown_at = self.at
            self.frame(1)
        canvas.fill(52, 33, 11, 16, 0)
        canvas.number(52, 33, game.left, -1, 2, FONT_5X7, False)
        canvas.number(58, 42, game.aim + 1, -1, 1, FONT_5X7, False)
        canvas.fill(_RIGHT + 2, _TOP, 5, _FLOOR - _TOP, 0)
        canvas.tile(_RIGHT + 2, self.top(game.aim) + 1, 3, 3, b"\x04\x07\x04", 0)
        if self.state == _OVER:
            centre(canvas, 53, b"YOU BLOCKED IT" if game.aim >= self.rows else b"A ROW IS FULL", FONT_3X5)
            centre(canvas, 60, b"A RETRY  B BACK", FONT_3X5)

    def draw_rules(self, canvas: "Canvas") -> None:
        centre(canvas, 2, b"BLOCK IT", FONT_5X7)
        canvas.fill(0, 10, 64, 1, 1)
        y = 20
        for line in _RULES:
            centre(canvas, y, line, FONT_3X5)
            y += 9
        canvas.fill(0, 117, 64, 1, 1)
        centre(canvas, 121, b"A PLAY  B BACK", FONT_3X5)

    def frame(self, bit: int) -> None:
        """Draw (1) or clear (0) the frame around the chosen piece."""
        canvas = self.context.canvas
        x = _SPOTS[2 * self.shown_at] - 2
        y = _SPOTS[2 * self.shown_at + 1] - 1
        canvas.fill(x, y, 14, 1, bit)
        canvas.fill(x, y + 9, 14, 1, bit)
        canvas.fill(x, y, 1, 10, bit)
        canvas.fill(x + 13, y, 1, 10, bit)
