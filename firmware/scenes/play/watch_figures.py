"""Show the figures of play over the Matrix of a recording that stands still; imported when they are wanted."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.figures import NAMES, list_values
from firmware.scenes.play.watch_words import draw_box
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Game

_TOP = const(54)
_LEFT = const(3)
_RIGHT = const(49)
_PITCH = const(8)


def show(canvas: "Canvas", game: "Game", attack: int, judged: bool = True) -> None:
    """Draw a box with the figures of a game up to this moment."""
    draw_box(canvas)
    values = list_values(game.statistics, game.time_ms, attack, judged)
    for i in range(len(NAMES)):
        y = _TOP + i * _PITCH
        canvas.text(_LEFT, y, NAMES[i], FONT_3X5)
        value = values[i].rstrip(b"%")  # the font has no such sign
        canvas.text(_RIGHT - text_width(value, FONT_3X5), y, value, FONT_3X5)
