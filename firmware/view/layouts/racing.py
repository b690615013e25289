"""Show a race against the clock: the pace in place of points, and the lead over the best time."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Game

_X = const(23)
_LABEL_Y = const(1)
_ONES_X = const(44)
_POINT_X = const(51)
_HUNDREDTHS_X = const(53)
_MOST = const(999)
_STRETCH = const(10)  # lines

_SPLIT_X = const(45)
_SPLIT_Y = const(8)
_SPLIT_HEIGHT = const(7)
_MOST_TENTHS = const(9999)
_ZERO = const(48)
_NONE = const(-1)


def adapt(view: "Any", large: int) -> type:
    """Return a view class for races; a view with large cells has no room and stays as it is."""
    if large:
        return view

    class Race(view):  # type: ignore[misc]  # any view
        """Draw Tetriminos a second, and at every tenth line the time won or lost against an even pace to the best time.

        pace: hundredths of a Tetrimino a second, as drawn. split_ms: the lead over the even pace at the last tenth
        line; stretch: the number of tenth lines so far.
        """

        pace = _NONE
        stretch = split_ms = 0

        def _repaint(self, game: "Game") -> None:
            """Draw the fixed parts, with a label for the pace."""
            view._repaint(self, game)
            self.canvas.text(_X, _LABEL_Y, b"PPS", FONT_3X5)
            self.canvas.fill(_POINT_X, 6, 1, 1, 1)
            self.pace = _NONE

        def _draw_status(self, game: "Game") -> None:
            """Show level and lines, no points."""
            self.score = game.score
            view._draw_status(self, game)

        def _draw_rest(self, game: "Game", time: int) -> None:
            """Show pace, goal and time."""
            time_ms = game.time_ms
            pace = min(_MOST, game.lock_downs * 100_000 // time_ms) if time_ms else 0
            was = self.pace
            if pace != was:
                self.pace = pace
                canvas = self.canvas
                canvas.number(_ONES_X, 0, pace // 100, was // 100, 1, FONT_5X7, True)
                canvas.number(_HUNDREDTHS_X, 0, pace % 100, was % 100 if was >= 0 else was, 2, FONT_5X7, True)
            stretch = game.lines // _STRETCH
            if stretch != self.stretch:
                self.stretch = stretch
                self.top = _NONE
                self.split_ms = self.best * game.lines // (game.goal + game.lines) - time_ms
            view._draw_rest(self, game, time)

        def _draw_best(self) -> None:
            """Show the best time, and after ten lines the time won or lost."""
            if not self.stretch or not self.best:
                view._draw_best(self)
            elif self.top < 0 and getattr(self, "_page", _NONE) < 0:  # no notice shows there
                self.top = 0
                tenths = min(_MOST_TENTHS, abs(self.split_ms) // 100)
                canvas = self.canvas
                canvas.fill(_X, _SPLIT_Y, 64 - _X, _SPLIT_HEIGHT, 0)
                canvas.text(_X, _SPLIT_Y + 1, b"AHEAD" if self.split_ms >= 0 else b"LATE", FONT_3X5)
                canvas.number(_SPLIT_X, _SPLIT_Y, tenths // 10, _NONE, 3, FONT_3X7, False)
                canvas.fill(_SPLIT_X + 12, _SPLIT_Y + 6, 1, 1, 1)
                canvas.glyph(_SPLIT_X + 14, _SPLIT_Y, _ZERO + tenths % 10, FONT_3X7)

    return Race
