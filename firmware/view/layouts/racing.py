"""Show a race against the clock: the pace in place of points, and the lead over the best game."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_X = const(23)
_LABEL_Y = const(1)
_ONES_X = const(44)
_POINT_X = const(51)
_HUNDREDTHS_X = const(53)
_MOST = const(999)

_SPLIT_X = const(45)
_SPLIT_Y = const(8)
_SPLIT_HEIGHT = const(7)
_LEAD_X = const(37)  # in large cells
_LEAD_WIDTH = const(27)
_MOST_TENTHS = const(9999)
_ZERO = const(48)
_NONE = const(-1)


def adapt(view: "Any", large: int) -> type:
    return adapt_large(view) if large else adapt_small(view)


def adapt_small(view: "Any") -> type:
    """Return a class of a view with small cells for races."""

    class Race(view):  # type: ignore[misc]  # any view
        """Draw Tetriminos a second, and at every tenth line the time won or lost against the best game.

        pace: hundredths of a Tetrimino a second, as drawn. splits: the best game's times at each tenth line; where they
        are not known, an even pace to the best time counts. split_ms: the lead at the last tenth line, if `has_lead`;
        stretch: the number of tenth lines so far.
        """

        top: int
        pace = stretch = _NONE
        has_lead = False
        split_ms = 0
        splits: list[int] = []

        def repaint(self, game: "Game") -> None:
            """Draw the fixed parts, with a label for the pace."""
            view.repaint(self, game)
            self.canvas.text(_X, _LABEL_Y, b"PPS", FONT_3X5)
            self.canvas.fill(_POINT_X, 6, 1, 1, 1)
            self.pace = _NONE

        def draw_status(self, game: "Game") -> None:
            """Show level and lines, no points."""
            self.score = game.score
            view.draw_status(self, game)
            note_lead(self, game)

        def draw_rest(self, game: "Game", time: int) -> None:
            time_ms = game.time_ms
            pace = min(_MOST, game.lock_downs * 100_000 // time_ms) if time_ms else 0
            was = self.pace
            if pace != was:
                self.pace = pace
                canvas = self.canvas
                canvas.number(_ONES_X, 0, pace // 100, was // 100, 1, FONT_5X7, True)
                canvas.number(_HUNDREDTHS_X, 0, pace % 100, was % 100 if was >= 0 else was, 2, FONT_5X7, True)
            view.draw_rest(self, game, time)

        def draw_best(self) -> None:
            """Show the best time, and after ten lines the time won or lost."""
            if not self.has_lead:
                view.draw_best(self)
            elif self.top < 0 and getattr(self, "_page", _NONE) < 0:  # no notice shows there
                self.top = 0
                canvas = self.canvas
                canvas.fill(_X, _SPLIT_Y, 64 - _X, _SPLIT_HEIGHT, 0)
                canvas.text(_X, _SPLIT_Y + 1, b"AHEAD" if self.split_ms >= 0 else b"LATE", FONT_3X5)
                draw_seconds(canvas, _SPLIT_X, _SPLIT_Y, self.split_ms)

    return Race


def adapt_large(view: "Any") -> type:
    """Return a class of the view with large cells for races."""

    class LargeRace(view):  # type: ignore[misc]  # the view is chosen when it is needed
        """Draw the time won or lost at the last tenth line in place of points: - is ahead of the best game, + behind.

        splits, split_ms, has_lead, stretch: as of Race.
        """

        top: int
        stretch = _NONE
        has_lead = False
        split_ms = 0
        splits: list[int] = []

        def draw_status(self, game: "Game") -> None:
            """Show level and lines, and the lead if there is no notice."""
            note_lead(self, game)
            view.draw_status(self, game)

        def draw_score(self, game: "Game") -> None:
            """Show the score up to the tenth line, then the lead."""
            if not self.has_lead:
                view.draw_score(self, game)
            elif self.top < 0:
                self.top = 0
                canvas = self.canvas
                canvas.fill(_LEAD_X, 0, _LEAD_WIDTH, _SPLIT_HEIGHT, 0)
                canvas.fill(_LEAD_X, 3, 3, 1, 1)
                if self.split_ms < 0:
                    canvas.fill(_LEAD_X + 1, 2, 1, 3, 1)
                draw_seconds(canvas, _LEAD_X + 5, 0, self.split_ms)

    return LargeRace


def note_lead(view: "Any", game: "Game") -> None:
    """Note the lead of a game that has just passed a tenth line; a resumed game has none before the next one."""
    mode: "Any" = game.mode  # a race's
    stretch = game.lines // mode.stretch
    was = view.stretch
    if stretch != was:
        view.stretch = stretch
        view.has_lead = was >= 0 and view.best > 0
        view.top = _NONE
        if 0 < stretch <= len(view.splits):
            best_ms = view.splits[stretch - 1]
        else:
            best_ms = view.best * game.lines // (game.goal + game.lines)
        view.split_ms = best_ms - game.time_ms


def draw_seconds(canvas: "Any", x: int, y: int, time_ms: int) -> None:
    """Draw the amount of a time, up to 999.9 s."""
    tenths = min(_MOST_TENTHS, abs(time_ms) // 100)
    canvas.number(x, y, tenths // 10, _NONE, 3, FONT_3X7, False)
    canvas.fill(x + 12, y + 6, 1, 1, 1)
    canvas.glyph(x + 14, y, _ZERO + tenths % 10, FONT_3X7)
