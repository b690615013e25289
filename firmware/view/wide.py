"""Show numbers that outgrow their fields in an endless game: in smaller digits, or in two lines.

A view calls these functions before it draws normal values. They draw the large ones and note them in the view.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_3X7

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Game
    from firmware.view.layouts.large import LargeView
    from firmware.view.playfield import PlayView

LARGEST_SCORE = const(9999999)
LARGEST_COUNT = const(999)  # of lines, and goal
LARGEST_LEVEL = const(99)

_SIDEBAR_LEFT = const(53)
_LEVEL_Y = const(93)
_LINES_Y = const(112)
_LARGE_PITCH = const(7)
_TEN_THOUSAND = const(10000)


def draw_status(view: "PlayView", game: "Game") -> None:
    """Show score, lines and level if too large for their fields; clear the fields afterwards."""
    canvas = view.canvas
    score = game.score
    if score != view.score and (score > LARGEST_SCORE or view.score > LARGEST_SCORE):
        view.score = draw_score(canvas, 0, score, view.score)
    lines = game.lines
    if lines > LARGEST_COUNT:
        if lines != view.lines:
            was = view.lines
            if was <= LARGEST_COUNT:
                canvas.fill(_SIDEBAR_LEFT, _LINES_Y, 11, 15, 0)
                was = -1
            draw_thousands(canvas, _LINES_Y, lines, was, FONT_3X7)
            view.lines = lines
    elif view.lines > LARGEST_COUNT:
        canvas.fill(_SIDEBAR_LEFT, _LINES_Y, 11, 15, 0)
        view.lines = -1
    level = game.level
    if level == view.level:
        return
    form = (level > LARGEST_LEVEL) + (level > LARGEST_COUNT)
    was = view.level
    if form != (was > LARGEST_LEVEL) + (was > LARGEST_COUNT):
        canvas.fill(_SIDEBAR_LEFT, _LEVEL_Y, 11, 11, 0)
        view.level = was = -1
    if form:
        if form == 1:
            canvas.number(_SIDEBAR_LEFT, _LEVEL_Y + 1, level, was, 3, FONT_3X7, False)
        else:
            draw_thousands(canvas, _LEVEL_Y, level, was, FONT_3X5)
        view.level = level


def draw_score(canvas: "Canvas", y: int, score: int, was: int) -> int:
    """Show a score of up to ten digits in place of `was`; return the new shown value, -1 for a dark field."""
    if was <= LARGEST_SCORE or score <= LARGEST_SCORE:
        canvas.fill(23, y, 41, 7, 0)
        was = -1
    if score <= LARGEST_SCORE:
        return -1
    canvas.number(25, y, score, was, 10, FONT_3X7, False)
    return score


def draw_thousands(canvas: "Canvas", y: int, count: int, was: int, font: bytes) -> None:
    """Show the thousands of a count above its last three digits."""
    was_dark = was < 0
    canvas.number(_SIDEBAR_LEFT, y, count // 1000, -1 if was_dark else was // 1000, 3, font, False)
    canvas.number(_SIDEBAR_LEFT, y + font[1] + 1, count % 1000, -1 if was_dark else was % 1000, 3, font, True)


def draw_goal(view: "PlayView", game: "Game") -> None:
    """Show a goal above 999 over its label; restore the label afterwards."""
    canvas = view.canvas
    was = view.goal
    if (was > LARGEST_COUNT) != (game.goal > LARGEST_COUNT):
        view.goal = was = -1
        canvas.fill(0, 16, 29, 7, 0)
        canvas.text(0, 17, b"G" if game.goal > LARGEST_COUNT else b"GOAL", FONT_3X5)
    if game.goal > LARGEST_COUNT:
        canvas.number(9, 16, game.goal, was, 5, FONT_3X7, False)


def draw_large_score(view: "PlayView", score: int) -> None:
    """Show a score of up to ten digits at the top of the large view, in place of the second Next."""
    was = view.top
    if was <= LARGEST_SCORE or score <= LARGEST_SCORE:
        view.canvas.fill(24, 0, 40, 7, 0)
        view.top = was = -1
        view.forget_queues()
    if score > LARGEST_SCORE and score != was:
        view.canvas.number(25, 0, score, was, 10, FONT_3X7, False)
        view.top = score


def draw_large_count(view: "LargeView", y: int, count: int) -> None:
    """Show a count with stacked digits from `y` down in the large view, if it is or was above 999.

    The digits replace the count's letter, which returns with a repaint. From ten thousand on they count thousands.
    """
    if count <= LARGEST_COUNT:
        view.reset()
        return
    top = y - _LARGE_PITCH
    view.canvas.fill(0, top, 4, 3 * _LARGE_PITCH + 5, 0)
    if count < _TEN_THOUSAND:
        view.draw_upright(top, count, -1, 4)
    else:
        view.draw_upright(top, count // 1000, -1, 3)
        view.canvas.text(0, y + 2 * _LARGE_PITCH, b"K", FONT_3X5)
