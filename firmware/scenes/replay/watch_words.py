"""Write over a recording what several viewers share: figures of play, the question before a game is lost."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Game

# The question before a game in progress is lost
_ASK_Y = const(54)
_ASK_WIDTH = const(52)
_LEFT = const(3)
_RIGHT = const(49)
_QUESTION = b"A GAME IS|IN PROGRESS.|START AGAIN:|IT IS LOST|B KEEPS IT"


def write(canvas: "Canvas", y: int, lines: bytes, width: int) -> None:
    """Write small lines, separated by bars, each in the middle of the first `width` columns."""
    for line in lines.split(b"|"):
        canvas.text(width - text_width(line, FONT_3X5) >> 1, y, line, FONT_3X5)
        y += 8


def draw_frame(canvas: "Canvas") -> None:
    """Draw an empty box over the Matrix, with room for five lines."""
    canvas.fill(0, _ASK_Y - 4, _ASK_WIDTH, 47, 1)
    canvas.fill(1, _ASK_Y - 3, _ASK_WIDTH - 2, 45, 0)


def ask(canvas: "Canvas") -> None:
    """Ask over the Matrix whether to lose the game in progress."""
    draw_frame(canvas)
    write(canvas, _ASK_Y, _QUESTION, _ASK_WIDTH)


def show(canvas: "Canvas", game: "Game", attack: int = -1) -> None:
    """Show the figures of play of a game up to this moment over the Matrix; `attack` is that of a match."""
    # Imported late: most viewers never ask.
    from firmware.match import figures

    draw_frame(canvas)
    y = _ASK_Y
    values = figures.write(game, game.time_ms, figures.count(game) if attack < 0 else attack)
    for name in figures.NAMES:
        value = values.pop(0).replace(b"%", b"")  # the font has no such sign
        canvas.text(_LEFT, y, name, FONT_3X5)
        canvas.text(_RIGHT - text_width(value, FONT_3X5), y, value, FONT_3X5)
        y += 8
