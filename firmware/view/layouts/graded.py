"""Show a grade in place of the level (firmware/modes/README.md, 3.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.layouts.grades import find_digit, find_letter
from firmware.view.playfield import LEVEL_Y, SIDEBAR_LEFT

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Game

_PITCH = const(6)
_UPRIGHT_X = const(0)
_UPRIGHT_Y = const(78)
_UPRIGHT_PITCH = const(7)


def draw_grade(canvas: "Canvas", level: int) -> None:
    canvas.glyph(SIDEBAR_LEFT, LEVEL_Y, find_letter(level), FONT_5X7)
    canvas.glyph(SIDEBAR_LEFT + _PITCH, LEVEL_Y, find_digit(level), FONT_5X7)


def draw_upright(canvas: "Canvas", level: int) -> None:
    """Draw the grade of a level downward, beside large cells."""
    canvas.glyph(_UPRIGHT_X, _UPRIGHT_Y, find_letter(level), FONT_3X5)
    canvas.glyph(_UPRIGHT_X, _UPRIGHT_Y + _UPRIGHT_PITCH, find_digit(level), FONT_3X5)


def adapt(view: "Any", large: int) -> type:
    class Graded(view):  # type: ignore[misc]  # any view
        """Draw the grade over the level whenever the level changes."""

        label = view.label if large else b"GR"

        def draw_status(self, game: "Game") -> None:
            """Show score, grade and lines."""
            changed = game.level != self.level
            view.draw_status(self, game)
            if changed:
                if large:
                    draw_upright(self.canvas, game.level)
                else:
                    draw_grade(self.canvas, game.level)

    return Graded
