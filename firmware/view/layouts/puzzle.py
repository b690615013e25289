"""Show a puzzle in play: its goal in place of the points, and the next step of a solution."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import SKYLINE
from firmware.engine.tables import SHAPES
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre
from firmware.view.playfield import LEVEL_Y, LINES_LABEL_Y, SIDEBAR_LEFT, SIDEBAR_WIDTH, PlayView

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Game

_TARGET = const(33)  # an outline, see view/minos.py
_BLINK_FRAMES = const(32)
_LIT_FRAMES = const(20)
_GOAL_X = const(20)
_GOAL_Y = const(13)
_LINE_PITCH = const(8)
_COLUMNS = const(16)  # letters of FONT_3X5 across the screen


class View(PlayView):
    """Show puzzle `number`, 0 for the first.

    heading: the task, up to three lines separated by bars. shown: whether the next step shows; it blinks if motion is
    on.
    """

    label = b"NO"

    def __init__(self, canvas: "Canvas", number: int) -> None:
        PlayView.__init__(self, canvas)
        self.number = number
        self.heading = b""
        self.shown = False
        self.target = 0  # the step whose cells are lit
        self.frames = 0

    def draw(self, game: "Any") -> bool:  # a PuzzleGame
        """Update the canvas; the target is drawn last, and removed before the picture changes."""
        if self._fresh:
            self.target = 0
        self.frames = (self.frames + 1) % _BLINK_FRAMES
        step = game.mode.step(game) if self.shown and game.piece else 0
        if self.motion_on and self.frames >= _LIT_FRAMES:
            step = 0
        if self.target and self.target != step:
            self.flip(self.target)
            self.target = 0
        busy = PlayView.draw(self, game)
        if step and not self.target:
            self.flip(step)
            self.target = step
        return busy

    def flip(self, step: int) -> None:
        """Invert the outlines of a step's cells: drawn twice they disappear. puzzle_file.py tells a step's bits."""
        shape = ((step >> 12) - 1) * 16 + (step & 3) * 4
        left = (step >> 2 & 15) - 3
        y = (step >> 6 & 63) - 3
        for row in range(4):
            minos = SHAPES[shape + row]
            for x in range(4):
                if minos >> x & 1 and y + row <= SKYLINE:
                    self.matrix.flip_mino(left + x, y + row, _TARGET)

    def _draw_labels(self, game: "Any") -> None:
        """Write the goal above the Matrix, the puzzle's words unless the Hold Queue is there, and its number."""
        canvas = self.canvas
        canvas.fill(SIDEBAR_LEFT, LINES_LABEL_Y, SIDEBAR_WIDTH, 5, 0)
        canvas.number(SIDEBAR_LEFT, LEVEL_Y, self.number + 1, -1, 2, FONT_5X7, False)
        goal = self.heading
        lines = goal.split(b"|")
        if self.show_hold:
            y = _GOAL_Y - 4 * len(lines)  # centred: on the line of the word HOLD it would look like part of it
            for line in lines:
                canvas.text(_GOAL_X, y, line, FONT_3X5)
                y += _LINE_PITCH
            return
        y = 1
        whole = goal.replace(b"|", b" ")
        if len(whole) <= _COLUMNS:
            lines = [whole]
        for line in (lines + game.mode.words.split(b"|")[1:])[:3]:
            centre(canvas, y, line, FONT_3X5)
            y += _LINE_PITCH

    def forget_queues(self) -> None:
        """Draw every queue Tetrimino at the next draw(), but no Hold Queue over the words."""
        PlayView.forget_queues(self)
        if not self.show_hold:
            self.hold = 0

    def draw_status(self, game: "Game") -> None:
        """Show no points: a puzzle is solved or not."""
        self.score = game.score
        self.lines = game.lines
        self.level = game.level

    def draw_rest(self, game: "Game", time: int) -> None:
        """Show no time: puzzles have no time limit."""
        self.time = time
        self.goal = game.goal
