"""Show a game in large cells, with the rest as far as it fits.

Seven rows of pixels above the Matrix show Hold, two Next and the score. Three columns beside it show time, goal, level
and lines, with their digits stacked.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.view.art import FONT_3X5, FONT_3X7
from firmware.view.canvas import Canvas
from firmware.view.effects import COMBO, LETTER, MINI, POINTS, WORDS, EffectsView
from firmware.view.large_cells import LargeMatrix
from firmware.view.minos import MINIS
from firmware.view.wide import LARGEST_SCORE

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_FLOOR_Y = const(127)
# Hold and the Next Queue of PlayView, and their places here
_HOLD_Y = const(8)
_NEXT_Y = const(28)
_NEXT_PITCH = const(9)
_HOLD_X = const(0)
_NEXT_X = const(13)
_NEXT_WIDTH = const(12)
_NEXT_COUNT = const(2)
_MINI_HEIGHT = const(6)

_SCORE_X = const(37)

# Numbers beside the Matrix: x, the pitch of digits, then the tops of their first digits
_UPRIGHT_X = const(0)
_UPRIGHT_PITCH = const(7)
_MINUTES_Y = const(9)
_COLON_Y = const(23)
_SECONDS_Y = const(26)
_GOAL_Y = const(49)
_LEVEL_Y = const(78)
_LINES_Y = const(107)
_LARGEST = const(999)
_DIGITS = const(3)
_ZERO = const(48)

# The words of effects, cut to the score's width, and their continuations
_SPIN_WORD = bytearray(b"T-SPIN")
_COMBO_WORD = bytearray(b"CMB   ")
_WORDS: "tuple[Any, ...]" = (
    b"SINGLE",
    b"DOUBLE",
    b"TRIPLE",
    b"TETRIS",
    _SPIN_WORD,
    b" MINI",
    b"-BACK",
    b"BACK-TO",
    b"LVL UP",
    WORDS[POINTS],
    _COMBO_WORD,
    b"ALL CLR",
)
_T_SPIN = const(0x10)
_BACK_TO = const(0x80)
_NOTICE_X = const(36)
_NOTICE_WIDTH = const(28)
_NOTICE_HEIGHT = const(7)
_WIDE_SCORE_X = const(24)


class LargeView(EffectsView):
    """Show a game in large cells, with Hold, two Next, score, time, goal, level and lines.

    Everything else is as in EffectsView. A notice replaces the score, one word after the other.
    """

    label = b"L"
    label_at = (_UPRIGHT_X, _LEVEL_Y - _UPRIGHT_PITCH)

    def __init__(self, canvas: Canvas) -> None:
        EffectsView.__init__(self, canvas, LargeMatrix(canvas))

    def _draw_labels(self, game: "Game") -> None:
        """Draw the fixed parts: the line between Hold and Next, and the labels of the numbers."""
        canvas = self.canvas
        if self.show_hold:
            canvas.fill(_NEXT_X - 1, 0, 1, 1, 1)
            canvas.fill(_NEXT_X - 1, 4, 1, 3, 1)
        for i in range(11):
            canvas.fill(3 + 6 * i, _FLOOR_Y, 2, 1, 1)
        canvas.fill(_UPRIGHT_X, _COLON_Y, 1, 1, 1)
        canvas.fill(_UPRIGHT_X + 2, _COLON_Y, 1, 1, 1)
        if game.mode.goal_name and not game.limit_ms:
            canvas.text(_UPRIGHT_X, _GOAL_Y - _UPRIGHT_PITCH, b"G", FONT_3X5)
        canvas.text(_UPRIGHT_X, _LEVEL_Y - _UPRIGHT_PITCH, b"L", FONT_3X5)
        for i in range(3):
            canvas.fill(_UPRIGHT_X, _LINES_Y - _UPRIGHT_PITCH + 2 * i, 3, 1, 1)

    def repaint(self, game: "Game") -> None:
        self._fresh = False
        self.canvas.clear()
        self.matrix.motion_on = self.motion_on
        self.matrix.paint()
        self._draw_labels(game)
        self.message = ""
        self._words = 0
        self._page = -1
        self.score = self.level = self.lines = self.goal = self.time = self.top = -1
        self.forget_queues()

    def _draw_mini(self, byte: int, y: int, piece: int, dimmed: bool) -> None:
        """Draw a queue Tetrimino beside the score; the first two of the Next Queue fit there."""
        x = _HOLD_X
        if y != _HOLD_Y:
            i = (y - _NEXT_Y) // _NEXT_PITCH
            if i >= _NEXT_COUNT or i and self.top > LARGEST_SCORE:
                return
            x = _NEXT_X + i * _NEXT_WIDTH
        shift = x & 7
        keep = ~(0x7FF << shift)
        mask = 0x555 if dimmed else 0x7FF if piece else 0
        at = (piece - 1) * (_MINI_HEIGHT * 2) if piece else 0
        buffer = self.canvas.buffer
        i = 1 + (x >> 3)
        for row in range(_MINI_HEIGHT):
            pixels = ((MINIS[at] >> 5 | MINIS[at + 1] << 3) & mask) << shift
            buffer[i] = buffer[i] & keep | pixels & 255
            buffer[i + 1] = buffer[i + 1] & keep >> 8 | pixels >> 8
            self.canvas.dirty[row] = 1
            if dimmed:
                mask ^= 0x7FF
            i += 8
            at += 2

    def draw_status(self, game: "Game") -> None:
        """Show level and lines, and the score if there is no notice."""
        if game.level != self.level:
            self._draw_count(_LEVEL_Y, game.level, self.level)
            self.level = game.level
        if game.lines != self.lines:
            self._draw_count(_LINES_Y, game.lines, self.lines)
            self.lines = game.lines
        self.score = game.score
        if self._page < 0:
            self.draw_score(game)

    def draw_score(self, game: "Game") -> None:
        if game.score != self.top:
            if self.top > LARGEST_SCORE or game.score > LARGEST_SCORE:
                # Imported late, here and below: few games last so long.
                from firmware.view.wide import draw_large_score

                draw_large_score(self, game.score)
            if game.score != self.top:
                self.canvas.number(_SCORE_X, 0, game.score, self.top, 7, FONT_3X7, False)
                self.top = game.score

    def draw_rest(self, game: "Game", time: int) -> None:
        """Show the goal, and the time as minutes and seconds; the high score does not fit."""
        if game.goal != self.goal:
            if game.mode.goal_name and not game.limit_ms:
                self._draw_count(_GOAL_Y, game.goal, self.goal)
            self.goal = game.goal
        was = self.time
        if time != was:
            self.time = time
            self._draw_pair(_MINUTES_Y, time // 60, was // 60)
            self._draw_pair(_SECONDS_Y, time % 60, was % 60 if was >= 0 else -1)

    def _draw_pair(self, y: int, value: int, was: int) -> None:
        """Draw two stacked digits from `y` down, if they differ from `was`; -1 if none were drawn."""
        self._draw_digit(y, value // 10, was // 10)
        self._draw_digit(y + _UPRIGHT_PITCH, value % 10, was % 10 if was >= 0 else -1)

    def _draw_count(self, y: int, count: int, was: int) -> None:
        """Show a count downward from `y`, in place of `was`."""
        if count > _LARGEST or was > _LARGEST:
            from firmware.view.wide import draw_large_count

            draw_large_count(self, y, count)
        else:
            self.draw_upright(y, count, was, _DIGITS)

    def draw_upright(self, y: int, value: int, was: int, digits: int) -> None:
        """Draw `value` downward from `y` in `digits` places, where it differs from `was`, -1 for none."""
        unit = 1
        while unit * 10 <= value:
            unit *= 10
        old = 0 if was < 0 else 1
        while old and old * 10 <= was:
            old *= 10
        for _ in range(digits):
            self._draw_digit(y, value // unit % 10 if unit else -1, was // old % 10 if old else -1)
            unit //= 10
            old //= 10
            y += _UPRIGHT_PITCH

    def _draw_digit(self, y: int, digit: int, was: int) -> None:
        """Draw a digit in place of another, -1 for none."""
        if digit == was:
            return
        if digit < 0:
            self.canvas.fill(_UPRIGHT_X, y, 3, 5, 0)
        else:
            self.canvas.glyph(_UPRIGHT_X, y, _ZERO + digit, FONT_3X5)

    def tell(self, happened: int, game: "Game") -> None:
        """Split long words in two."""
        EffectsView.tell(self, happened, game)
        _SPIN_WORD[0] = WORDS[MINI][LETTER]
        _COMBO_WORD[4] = WORDS[COMBO][5]
        _COMBO_WORD[5] = WORDS[COMBO][6]
        if happened & events.MINI_T_SPIN:
            self._words |= _T_SPIN
        if happened & events.BACK_TO_BACK:
            self._words |= _BACK_TO

    def _turn_page(self, page: int) -> None:
        """Show word `page` in place of the score; below 0 show the score."""
        left = _WIDE_SCORE_X if self.top > LARGEST_SCORE else _NOTICE_X
        self.canvas.fill(left, 0, _NOTICE_X + _NOTICE_WIDTH - left, _NOTICE_HEIGHT, 0)
        if page < 0:
            self.score = self.top = -1  # the next draw() shows the score again
        else:
            self.canvas.text(_SCORE_X, 1, _WORDS[page], FONT_3X5)

    def _flash(self) -> None:
        self.canvas.invert(_NOTICE_X, 0, _NOTICE_WIDTH, _NOTICE_HEIGHT)


View = LargeView
