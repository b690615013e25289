"""Show actions: the traces of a Lock Down, and notices that name achievements (Guideline 13.1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.matrix import SKYLINE
from firmware.engine.options import ALL_SPINS
from firmware.engine.phases import GAME_OVER
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import Canvas, text_width
from firmware.view.matrix import MatrixView
from firmware.view.minos import CELLS
from firmware.view.playfield import PlayView

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_BASE = const(127)  # the row of pixels below row 0
_TRAIL_PX = const(36)  # at most: every row of pixels takes time on the bus

# Frames after a Lock Down: the trail appears, the Tetrimino looks like Blocks, the trail disappears
_TRAILED = const(2)
_DARKENED = const(5)
_FADED = const(7)

# A notice: the words of bits 10 (events.SINGLE) to 16, one after the other, the highest first. Then comes what the
# action brought: an empty Matrix, a combo, points, and LEVEL UP.
WORDS: "tuple[Any, ...]" = (
    b"SINGLE",
    b"DOUBLE",
    b"TRIPLE",
    b"TETRIS",
    b"T-SPIN",
    bytearray(b"MINI T-SPIN"),  # or the letter of another Tetrimino (modes/README 23.2)
    b"BACK-TO-BACK",
    b"",
    b"LEVEL UP",
    bytearray(7),  # the points
    bytearray(b"COMBO  "),
    b"ALL CLEAR",
)
MINI = const(5)
LETTER = const(5)  # index of the letter in this word
_LETTERS = b"TIJLOSTZ"
_FIRST_WORD = const(10)
_SINGLE = const(1)
_ACTIONS = const(0x7F)
_PAGES = const(0xFF)
_LEVEL_UP = const(0x100)
POINTS = const(9)
COMBO = const(10)
_ALL_CLEAR = const(0x800)
_LEAST = const(50)  # points for an action; the drop of a Tetrimino brings fewer
_COMBO_DIGITS = const(5)  # before them stands COMBO
_ZERO = const(48)
_BLANK = const(32)
_PLUS = const(43)
_DULL = const(3)  # words that do not flash: Single, Double and Triple
_NO_PAGE = const(-1)
_PAGE_FRAMES = const(20)  # if another word follows
_LAST_PAGE_FRAMES = const(56)
_LAST_FLASH = const(32)
# In the place of the high score, beside the Hold Queue.
_NOTICE_X = const(16)
_NOTICE_Y = const(7)
_NOTICE_WIDTH = const(48)
_NOTICE_HEIGHT = const(9)


class Glow(MatrixView):
    """Show a Lock Down in the Matrix: the Tetrimino solid for a moment, and the trail of a Hard Drop.

    locked: 1 lights up locked Tetriminos; 2 adds a trail. Trails are inverted pixels: drawn twice they disappear.
    """

    def __init__(self, canvas: Canvas) -> None:
        MatrixView.__init__(self, canvas)
        self.locked = 0
        self._trail = bytearray(4)  # column, row, width, height

    def paint(self) -> None:
        """Draw the empty Matrix and forget the last picture."""
        MatrixView.paint(self)
        self.glow = self.locked = 0

    def draw(self, game: "Game", ghost: bool) -> bool:
        """Bring the canvas up to date as MatrixView does; after a Lock Down, show its next frame."""
        if game.phase == GAME_OVER:
            # Remove overlays first: the pixels below must not change.
            self.locked = 0
            if self.glow:
                self._fade()
                self.version = -1
        elif self.glow and self._age(game.matrix.version):
            MatrixView.draw(self, game, ghost)
            return True
        if self.locked and game.matrix.version != self.version:
            self._follow(game)
            if game.hit_count or game.lines != self.lines:
                self.glow = 0  # a Line Clear lights up by itself
                MatrixView.draw(self, game, ghost)
                self.glow = 1
                return True
        return MatrixView.draw(self, game, ghost)

    def flip_trail(self, x: int, y: int, width: int, height: int) -> None:
        """Invert stripes over `width` columns and at most `height` rows from row `y` up, none above row 19."""
        pitch = self.pitch
        if y + height > SKYLINE:
            height = SKYLINE - y
        height *= pitch
        if height > _TRAIL_PX:
            height = _TRAIL_PX
        bottom = _BASE - y * pitch
        x = self.left + x * pitch
        last = x + width * pitch - 1
        buffer = self.buffer
        for y in range(bottom - height, bottom):
            self.dirty[y] = 1
        for byte in range(x >> 3, (last >> 3) + 1):
            mask = 0x55
            if byte == x >> 3:
                mask &= 255 << (x & 7)
            if byte == last >> 3:
                mask &= 255 >> 7 - (last & 7)
            for i in range(1 + (bottom - height << 3) + byte, 1 + (bottom << 3) + byte, 8):
                buffer[i] ^= mask

    def _follow(self, game: "Game") -> None:
        """Light up the locked Tetrimino, and place its trail if it was dropped far enough."""
        self.glow = 1
        trail = self._trail
        trail[3] = 0
        if self.locked > 1 and self.piece:
            first = (self.piece << 4) + (game.facing << 2) - 16
            left = right = CELLS[first] & 3
            for i in range(first + 1, first + 4):
                x = CELLS[i] & 3
                if x < left:
                    left = x
                if x > right:
                    right = x
            top = CELLS[first + 3] >> 2 & 3
            y = game.y + top + 1
            left += game.x
            right += game.x
            # After a late frame the Tetrimino last drawn may not be the one that locked down.
            if self.y >= y and 0 <= y < SKYLINE and left >= 0 and right < 10:
                trail[0] = left
                trail[1] = y
                trail[2] = right - left + 1
                trail[3] = self.y - y + 1
        self.locked = 0

    def _age(self, version: int) -> bool:
        """Show the next frame after a Lock Down; changed Blocks end this. Return whether a trail came or went."""
        trail = self._trail[3]
        self.glow += 1
        if version != self.version:
            self.glow -= 1
            self._fade()
            return False  # this frame has more to draw
        if self.glow == _TRAILED:
            self._draw_trail()
        elif self.glow == _FADED:
            self._fade()
        else:
            if self.glow == _DARKENED and self.step < 0:
                self.version = -1
            return False
        return trail > 0

    def _fade(self) -> None:
        """Remove a visible trail."""
        if self.glow >= _TRAILED:
            self._draw_trail()
        self.glow = 0

    def _draw_trail(self) -> None:
        trail = self._trail
        if trail[3]:
            self.flip_trail(trail[0], trail[1], trail[2], trail[3])


class EffectsView(PlayView):
    """Show a game as PlayView does, with its Lock Downs and notices of achievements.

    A notice stands outside the Matrix at every level (Guideline 13.1.5), in place of the high score. It shows word
    after word for about a second. A Single has only its points, a race none.
    """

    matrix: Glow

    def __init__(self, canvas: Canvas, matrix: "MatrixView | None" = None) -> None:
        PlayView.__init__(self, canvas, matrix or Glow(canvas))
        self.spread = self.matrix.spread = True
        self._words = 0  # still to be shown
        self._page = _NO_PAGE  # the number of the word that shows
        self._left = 0  # frames left to show this word
        self._scored = -1  # the score that was told

    def draw(self, game: "Game") -> bool:
        """Bring the canvas up to date with `game`; draw the notice if there was little other work."""
        score = self.score
        step = self.matrix.step
        busy = PlayView.draw(self, game)
        if not busy and (self._words or self._page >= 0):
            self._announce(score == self.score and step == self.matrix.step)
        return busy

    def tell(self, happened: int, game: "Game") -> None:
        """Show the action, new level or Lock Down in the event bits of this frame (Guideline 13.1)."""
        if happened & events.LOCKED and self.motion_on:
            self.matrix.locked = 2 if happened & events.HARD_DROPPED else 1
        words = happened >> _FIRST_WORD & _ACTIONS
        if words > _SINGLE:
            self._words = words | self._words & _LEVEL_UP
            self._left = 0
            options = game.options
            WORDS[MINI][LETTER] = _LETTERS[self.matrix.piece if options.modern >= ALL_SPINS or options.spins else 0]
        if happened & events.LINES and game.hit_count == game.matrix.top:
            self._words |= _ALL_CLEAR
        if happened & events.ELIMINATED and game.statistics.combo > 0:
            self._count(COMBO, game.statistics.combo, _COMBO_DIGITS, _BLANK)
        points = game.score - self._scored
        if points >= _LEAST and self._scored >= 0 and not self.timed and not self._fresh:  # not of a new picture
            self._count(POINTS, points - points % _LEAST, 0, _PLUS)
        self._scored = game.score
        if happened & events.LEVEL_UP:
            self._words |= _LEVEL_UP

    def _count(self, page: int, number: int, first: int, sign: int) -> None:
        """Show word `page` with a number up to its end, a sign before it, and blanks from `first` on."""
        self._words |= 1 << page
        word = WORDS[page]
        for i in range(len(word) - 1, first - 1, -1):
            word[i] = _ZERO + number % 10 if number else sign
            if not number:
                sign = _BLANK
            number //= 10

    def _announce(self, calm: bool) -> None:
        """Show each word for its time, change words only in a `calm` frame, and flash words of great actions."""
        left = self._left = self._left - 1
        if self._words and left <= _LAST_PAGE_FRAMES - _PAGE_FRAMES:
            left = 0
        if left > 0:
            shown = _LAST_PAGE_FRAMES - left
            if self._page >= _DULL and self.motion_on and shown <= _LAST_FLASH and not shown & 7:
                self._flash()
            return
        if not calm:
            return  # one frame has no time for a word and also the score or a step of a Line Clear
        page = _NO_PAGE
        words = self._words & _PAGES or self._words
        while words >> page + 1:
            page += 1
        self._left = _LAST_PAGE_FRAMES
        self._page = page
        if page >= 0:
            self._words ^= 1 << page
        self._turn_page(page)

    def _turn_page(self, page: int) -> None:
        """Show word `page` as large as it fits in the notice area; below 0 show the high score."""
        canvas = self.canvas
        canvas.fill(_NOTICE_X, _NOTICE_Y, _NOTICE_WIDTH, _NOTICE_HEIGHT, 0)
        if page < 0:
            self.top = -1
            self.draw_best()
            return
        word = WORDS[page]
        font = FONT_5X7
        y = _NOTICE_Y + 1
        if text_width(word, font) >= _NOTICE_WIDTH:
            font = FONT_3X5
            y += 1
        canvas.text(_NOTICE_X + (_NOTICE_WIDTH + 1 - text_width(word, font) >> 1), y, word, font)

    def _flash(self) -> None:
        self.canvas.invert(_NOTICE_X, _NOTICE_Y, _NOTICE_WIDTH, _NOTICE_HEIGHT)

    def repaint(self, game: "Game") -> None:
        self._words = 0
        self._page = _NO_PAGE
        PlayView.repaint(self, game)

    def draw_best(self) -> None:
        """Show the high score while there is no notice."""
        if self._page < 0:
            PlayView.draw_best(self)


View = EffectsView
