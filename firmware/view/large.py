"""Show a game in large cells, and around them what there is room for.

Above the Matrix are seven rows of pixels for Hold, two Next and the score, beside it three columns for
time, goal, level and lines, whose digits stand one below the other.
"""

from firmware.compat import const
from firmware.view.art import FONT_3X5, FONT_3X7, MINIS
from firmware.view.canvas import Canvas
from firmware.view.effects import EffectsView
from firmware.view.large_cells import LargeMatrix

_FLOOR_Y = const(127)
# Where PlayView has Hold and the Next Queue, and where they are here
_HOLD_Y = const(8)
_NEXT_Y = const(28)
_NEXT_PITCH = const(9)
_HOLD_X = const(0)
_NEXT_X = const(13)
_NEXT_WIDTH = const(12)
_NEXT_COUNT = const(2)
_MINI_HEIGHT = const(6)

_SCORE_X = const(37)
_LARGEST_SCORE = const(9999999)

# Numbers beside the Matrix: x, then the tops of their first digits
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
_LONGEST_S = const(5999)  # 99:59
_ZERO = const(48)

# The words of effects, cut to the width of the score: a page for each bit, the highest first
_PAGES = (b"SINGLE", b"DOUBLE", b"TRIPLE", b"TETRIS", b"T-SPIN", b" MINI", b"-BACK", b"BACK-TO", b"LVL UP")
_ACTIONS = const(0x7F)
_T_SPIN = const(0x10)
_MINI = const(0x20)
_BACK_TO_BACK = const(0x40)
_BACK_TO = const(0x80)
_GREAT = const(0x178)
_NOTICE_FRAMES = const(64)
_PAGE_FRAMES = const(20)


class LargeView(EffectsView):
    """Show a game in large cells, with Hold, two Next, score, time, goal, level and lines.

    Everything else is as in EffectsView. A notice takes the place of the score, a word after the other.
    """

    def __init__(self, canvas: Canvas) -> None:
        EffectsView.__init__(self, canvas, LargeMatrix(canvas))
        self._page = 0

    def _draw_labels(self, game) -> None:
        """Draw what stands still: what parts Hold from Next, where no Tetrimino reaches, and what the numbers are."""
        canvas = self.canvas
        canvas.fill(_NEXT_X - 1, 0, 1, 1, 1)
        canvas.fill(_NEXT_X - 1, 4, 1, 3, 1)
        for i in range(11):
            canvas.fill(3 + 6 * i, _FLOOR_Y, 2, 1, 1)
        canvas.fill(_UPRIGHT_X, _COLON_Y, 1, 1, 1)
        canvas.fill(_UPRIGHT_X + 2, _COLON_Y, 1, 1, 1)
        if not game.limit_ms:
            canvas.text(_UPRIGHT_X, _GOAL_Y - _UPRIGHT_PITCH, b"G", FONT_3X5)
        canvas.text(_UPRIGHT_X, _LEVEL_Y - _UPRIGHT_PITCH, b"L", FONT_3X5)
        for i in range(3):
            canvas.fill(_UPRIGHT_X, _LINES_Y - _UPRIGHT_PITCH + 2 * i, 3, 1, 1)

    def _repaint(self, game) -> None:
        """Draw what never changes and forget what else was shown."""
        self._fresh = False
        self.canvas.clear()
        self.matrix.motion_on = self.motion_on
        self.matrix.paint()
        self._draw_labels(game)
        self.message = ""
        self._words = 0
        self.score = self.level = self.lines = self.goal = self.time = self.top = -1
        self._forget_queues()

    def _draw_mini(self, byte: int, y: int, piece: int, dimmed: bool) -> None:
        """Draw a queue Tetrimino beside the score; the first two of the Next Queue have a place there."""
        x = _HOLD_X
        if y != _HOLD_Y:
            i = (y - _NEXT_Y) // _NEXT_PITCH
            if i >= _NEXT_COUNT or i and self.top > _LARGEST_SCORE:
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

    def _draw_status(self, game) -> None:
        """Show level and lines, and where no notice is the score."""
        if game.level != self.level:
            self._draw_count(_LEVEL_Y, game.level, self.level)
            self.level = game.level
        if game.lines != self.lines:
            self._draw_count(_LINES_Y, game.lines, self.lines)
            self.lines = game.lines
        self.score = game.score
        if not self._words:
            if self.top > _LARGEST_SCORE or game.score > _LARGEST_SCORE:
                # Imported late, here and below: few games last so long.
                from firmware.view.wide import draw_large_score

                draw_large_score(self, game.score)
            if game.score != self.top:
                self.canvas.number(_SCORE_X, 0, game.score, self.top, 7, FONT_3X7, False)
                self.top = game.score

    def _draw_rest(self, game, tenths: int) -> None:
        """Show the goal, and the time as minutes and seconds; the high score has no room."""
        if game.goal != self.goal:
            if not game.limit_ms:
                self._draw_count(_GOAL_Y, game.goal, self.goal)
            self.goal = game.goal
        now = tenths // 10 if tenths // 10 < _LONGEST_S else _LONGEST_S
        was = self.time // 10 if self.time // 10 < _LONGEST_S else _LONGEST_S
        self.time = tenths
        if now != was:
            self._draw_pair(_MINUTES_Y, now // 60, was // 60)
            self._draw_pair(_SECONDS_Y, now % 60, was % 60 if was >= 0 else -1)

    def _draw_pair(self, y: int, value: int, was: int) -> None:
        """Draw two digits downward from `y`, as far as they differ from `was`; -1 is a dark field."""
        self._draw_digit(y, value // 10, was // 10)
        self._draw_digit(y + _UPRIGHT_PITCH, value % 10, was % 10 if was >= 0 else -1)

    def _draw_count(self, y: int, count: int, was: int) -> None:
        """Show a count downward from `y`, in place of `was`."""
        if count > _LARGEST or was > _LARGEST:
            from firmware.view.wide import draw_large_count

            draw_large_count(self, y, count)
        else:
            self._draw_upright(y, count, was, _DIGITS)

    def _draw_upright(self, y: int, value: int, was: int, digits: int) -> None:
        """Draw `value` downward from `y` in a field of `digits`, where it differs from `was`; -1 is a dark field."""
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

    def _announce(self, game) -> None:
        """Show a notice in place of the score, a third of a second for each page of it; a great one flashes."""
        canvas = self.canvas
        words = self._words & _ACTIONS or self._words
        pages = words
        if words & _BACK_TO_BACK:
            pages |= _BACK_TO
        if words & _MINI:
            pages |= _T_SPIN
        self._left -= 1
        shown = _NOTICE_FRAMES - 1 - self._left
        flash = self.motion_on and words & _GREAT
        if shown == 0:
            self._page = 9
        if shown % _PAGE_FRAMES == 0:
            page = self._page - 1
            while page >= 0 and not pages >> page & 1:
                page -= 1
            self._page = page
            left = 24 if self.top > _LARGEST_SCORE else 36  # as far as a wide score goes
            canvas.fill(left, 0, 64 - left, 7, 0)
            if page >= 0:
                canvas.text(_SCORE_X, 1, _PAGES[page], FONT_3X5)
                if flash:
                    canvas.invert(36, 0, 28, 7)
                return
            self._words ^= words
            self._left = _NOTICE_FRAMES
            self.score = self.top = -1
        elif shown % _PAGE_FRAMES == 8 and flash:
            canvas.invert(36, 0, 28, 7)


View = LargeView
