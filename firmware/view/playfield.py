"""Lay out a game in play: the Matrix, the Next and Hold Queues and the status display."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import Canvas
from firmware.view.matrix import MatrixView
from firmware.view.minos import MINIS
from firmware.view.wide import LARGEST_COUNT, LARGEST_LEVEL, LARGEST_SCORE

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_FLOOR_Y = const(127)
SIDEBAR_LEFT = const(53)
SIDEBAR_WIDTH = const(11)
LEVEL_LABEL_Y = const(87)
LEVEL_Y = const(94)
LINES_LABEL_Y = const(106)
_LINES_Y = const(113)
_QUEUE = const(6)
_NEXT_Y = const(28)
_NEXT_PITCH = const(9)
_NEXT_BYTE = const(6)  # a mini Tetrimino starts at bit 5 of this byte of a row: x 53
_HOLD_Y = const(8)
_HOLD_BYTE = const(0)  # x 5
_MINI_HEIGHT = const(6)
_DIMMED = const(8)  # + piece
_NOTHING_SHOWN = const(255)
_TENTHS = const(8)  # minutes and seconds move this far left if tenths follow
_LONGEST_MS = const(5999999)  # 99:59.9


class PlayView:
    """Show a game on the canvas and redraw only the changes.

    show_ghost: whether the Ghost Piece shows. next_count: Tetriminos shown of the Next Queue, 1..6. motion_on: whether
    anything flashes or moves by itself. best: the high score in points or lines, or if `timed` a time in ms; 0 shows
    none. show_hold: whether the game has a Hold Queue. Call reset() after changing one of these, after drawing anything
    else, and at a new game. draw() and tell() allocate nothing.

    Nothing ever covers time and goal. Races, timed games and games with a limit show tenths of a second.

    label: what stands above the level, at label_at.
    spread: if much changes at once, leave less important parts to the next calls of draw().
    """

    label = b"LV"
    label_at = (SIDEBAR_LEFT, LEVEL_LABEL_Y)
    wide: "Any"

    def __init__(self, canvas: Canvas, matrix: "MatrixView | None" = None) -> None:
        """Draw on `canvas`; a view with other cells brings its own `matrix`."""
        self.show_ghost = True
        self.show_hold = True
        self.motion_on = True
        self.best = 0
        self.timed = False
        self.spread = False
        self.next_count = _QUEUE
        self.canvas = canvas
        self.matrix = matrix or MatrixView(canvas)
        self.top = -1
        self.score = -1
        self.level = -1
        self.lines = -1
        self.goal = -1
        self.time = -1
        self.unit_ms = 1000  # of the time
        self.wide = None
        self.next = bytearray(_QUEUE)
        self.hold = _NOTHING_SHOWN
        self.message = ""
        self._fresh = True

    def reset(self) -> None:
        """Repaint everything at the next draw()."""
        self._fresh = True

    def draw(self, game: "Game") -> bool:
        """Bring the canvas up to date with `game`, an engine.game.Game; return whether there was much work."""
        spread = self.spread and not self._fresh
        if self._fresh:
            self.repaint(game)
        if self.matrix.draw(game, self.show_ghost) and spread:
            return True
        if game.next != self.next:
            self._draw_next(game.next)
            if spread:
                return True
        hold = game.hold + _DIMMED if game.held else game.hold
        if hold != self.hold:
            self.hold = hold
            self._draw_mini(_HOLD_BYTE, _HOLD_Y, game.hold, game.held)
        changed = game.score != self.score or game.lines != self.lines or game.level != self.level
        if changed:
            self.draw_status(game)
        unit_ms = self.unit_ms
        time = game.time_ms
        if game.limit_ms:
            time = game.limit_ms - time + unit_ms - 1
        time = (time if time < _LONGEST_MS else _LONGEST_MS) // unit_ms
        if changed or time != self.time or game.goal != self.goal:
            self.draw_rest(game, time)
        return False

    def tell(self, happened: int, game: "Game") -> None:
        """Ignore the event bits of this frame; see effects for a view that shows them."""

    def draw_message(self, message: str) -> None:
        """Draw a framed panel over the Matrix, a line for each word; at most 7 capitals a word.

        The panel is for a paused game: call reset() before it continues. Drawing the same message again costs nothing.
        """
        if message != self.message:
            self.message = message
            # Imported late: a running game needs no message.
            from firmware.view.message import draw  # residents: STAY

            draw(self.canvas, self.matrix, message)

    def _draw_labels(self, game: "Game") -> None:
        """Draw the labels and separators of time and goal; the next draw() shows their values again."""
        canvas = self.canvas
        canvas.text(0, 17, b"LEFT" if game.limit_ms else game.mode.goal_name, FONT_3X5)
        x = 51
        if self.unit_ms < 1000:
            canvas.fill(57, 22, 1, 1, 1)
            x -= _TENTHS
        canvas.fill(x, 18, 1, 1, 1)
        canvas.fill(x, 21, 1, 1, 1)
        self.goal = self.time = -1

    def repaint(self, game: "Game") -> None:
        self._fresh = False
        canvas = self.canvas
        canvas.clear()
        self.matrix.motion_on = self.motion_on
        self.matrix.paint()
        for i in range(11):
            canvas.fill(5 * i, _FLOOR_Y, 2, 1, 1)
        if self.show_hold:
            canvas.text(1, 1, b"HOLD", FONT_3X5)
        canvas.text(SIDEBAR_LEFT, LEVEL_LABEL_Y, self.label, FONT_3X5)
        canvas.text(SIDEBAR_LEFT, LINES_LABEL_Y, b"LN", FONT_3X5)
        self.unit_ms = 100 if self.timed or game.limit_ms else 1000
        self._draw_labels(game)
        self.score = self.level = self.lines = self.top = -1
        self.message = ""
        self.forget_queues()

    def forget_queues(self) -> None:
        """Draw every queue Tetrimino at the next draw()."""
        self.hold = _NOTHING_SHOWN
        for i in range(_QUEUE):
            self.next[i] = _NOTHING_SHOWN

    def _draw_next(self, queue: bytearray) -> None:
        """Show the Tetriminos of the Next Queue that changed place."""
        shown = self.next
        for i in range(_QUEUE):
            piece = queue[i]
            if shown[i] != piece:
                shown[i] = piece
                if i < self.next_count:
                    self._draw_mini(_NEXT_BYTE, _NEXT_Y + i * _NEXT_PITCH, piece, False)

    def _draw_mini(self, byte: int, y: int, piece: int, dimmed: bool) -> None:
        """Draw a queue Tetrimino from bit 5 of `byte` of row `y` on, or nothing for piece 0.

        Dimmed, it shows every other pixel.
        """
        buffer = self.canvas.buffer
        dirty = self.canvas.dirty
        i = 1 + (y << 3) + byte
        mask = 255 if piece else 0
        if dimmed:
            mask = 0x55
        at = (piece - 1) * (_MINI_HEIGHT * 2) if piece else 0
        for row in range(_MINI_HEIGHT):
            buffer[i] = buffer[i] & 31 | MINIS[at] & mask
            buffer[i + 1] = MINIS[at + 1] & mask
            if dimmed:
                mask ^= 255
            i += 8
            at += 2
            dirty[y + row] = 1

    def draw_status(self, game: "Game") -> None:
        """Show the changed digits of score, level and lines.

        firmware/view/wide.py shows values too large for their fields, here and in `draw_rest`.
        """
        canvas = self.canvas
        best = game.score if game.score > self.best or self.timed else self.best
        largest = max(game.lines, game.goal)
        if self.wide or best > LARGEST_SCORE or largest > LARGEST_COUNT or game.level > LARGEST_LEVEL:
            if not self.wide:
                # Imported late: few games last so long.
                from firmware.view import wide

                self.wide = wide
            self.wide.draw_status(self, game)
        if game.score != self.score:
            canvas.number(23, 0, game.score, self.score, 7, FONT_5X7, False)
            self.score = game.score
        if game.lines != self.lines:
            canvas.number(SIDEBAR_LEFT, _LINES_Y, game.lines, self.lines, 3, FONT_3X7, False)
            self.lines = game.lines
        if game.level != self.level:
            canvas.number(SIDEBAR_LEFT, LEVEL_Y, game.level, self.level, 2, FONT_5X7, False)
            self.level = game.level

    def draw_rest(self, game: "Game", time: int) -> None:
        """Show the high score, the goal and the time."""
        self.draw_best()
        if game.goal != self.goal:
            if game.mode.goal_name and not game.limit_ms:
                if game.goal > LARGEST_COUNT or self.goal > LARGEST_COUNT:
                    self.wide.draw_goal(self, game)
                if game.goal <= LARGEST_COUNT:
                    self.canvas.number(18, 16, game.goal, self.goal, 3, FONT_3X7, False)
            self.goal = game.goal
        if time != self.time:
            x = 39 if self.unit_ms == 1000 else 39 - _TENTHS
            self._draw_time(time, self.time, self.unit_ms < 1000, x, 16, FONT_5X7)
            self.time = time

    def draw_best(self) -> None:
        """Show the high score or the best time, if there is one."""
        canvas = self.canvas
        best = self.best
        if not best:
            return
        if best < self.score and not self.timed:
            best = self.score
        was = self.top
        if best == was:
            return
        if was < 0:
            canvas.text(23, 9, b"TOP", FONT_3X5)
        self.top = best
        if self.timed:
            self._draw_time(best // 100, -1, True, 41, 8, FONT_3X7)
            canvas.fill(49, 10, 1, 1, 1)
            canvas.fill(49, 12, 1, 1, 1)
            canvas.fill(59, 14, 1, 1, 1)
        elif best > LARGEST_SCORE:
            self.wide.draw_score(canvas, 8, best, was)
        else:
            canvas.number(37, 8, best, was, 7, FONT_3X7, False)

    def _draw_time(self, time: int, was: int, in_tenths: bool, x: int, y: int, font: bytes) -> None:
        """Draw a time as m:ss, or in tenths as m:ss.t: only digits that differ from `was`."""
        canvas = self.canvas
        was_dark = was < 0
        pitch = font[0] + 1
        if in_tenths:
            canvas.number(x + pitch * 4 + 4, y, time % 10, -1 if was_dark else was % 10, 1, font, True)
            time //= 10
            was //= 10
        if time != was:
            canvas.number(x + pitch * 2 + 2, y, time % 60, -1 if was_dark else was % 60, 2, font, True)
            canvas.number(x, y, time // 60, -1 if was_dark else was // 60, 2, font, False)
