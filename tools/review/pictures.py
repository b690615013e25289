"""Draw the pictures of a review as SVG: a Matrix with a place, and the curve of a game."""

from typing import Any

from sim.bots.protocol import LETTERS, Move
from tools.markup import Markup, element, join
from tools.review.reasons import Outcome
from tools.review.report import Side

_CELL = 10
_LEAST_ROWS, _MOST_ROWS = 8, 24
_CURVE_HEIGHT = 100
_LEAST_SCALE = 5  # holes that the curve's height stands for, at least
_VISIBLE_ROWS = 20


def draw_matrix(rows: tuple[bytes, ...], move: Move, shown: int, label: str) -> Markup:
    """Return a Matrix of `shown` rows with a Tetrimino at its place, and crosses in the holes that it makes."""
    before, after = Outcome(rows), Outcome(rows, move)
    whole = [y for y, row in enumerate(after.filled) if all(row)]
    cells = move.cells()
    parts = [element("rect", class_="field", x=-1, y=-1, width=101, height=shown * _CELL + 1)]
    for y, row in enumerate(rows[:shown]):
        for x, cell in enumerate(row):
            if cell:
                parts.append(_draw_cell(x, _top(y, shown), class_=f"c{cell}"))
    for x, y in sorted(cells):
        if y < shown:
            parts.append(_draw_cell(x, _top(y, shown), class_=f"now c{move.piece}", rx=1))
    for x, y in sorted(after.holes - before.holes):
        if y < shown:
            at = f"M{x * _CELL + 2} {_top(y, shown) + 2}l5 5m0-5l-5 5"
            parts.append(element("path", class_="hole", d=at))
    parts += [element("path", class_="clear", d=f"M0 {_top(y, shown) + 4.5}H99") for y in whole if y < shown]
    box = f"-1 -1 101 {shown * _CELL + 1}"
    return element("svg", *parts, class_="matrix", viewBox=box, role="img", aria_label=label)


def _draw_cell(x: int, top: int, **how: Any) -> Markup:
    return element("rect", **how, x=x * _CELL, y=top, width=_CELL - 1, height=_CELL - 1)


def _top(y: int, shown: int) -> int:
    return (shown - 1 - y) * _CELL


def count_rows(rows: tuple[bytes, ...], *moves: Move) -> int:
    used = [y for y, row in enumerate(rows) if any(row)] + [y for move in moves for _x, y in move.cells()]
    return min(_MOST_ROWS, max(_LEAST_ROWS, max(used, default=0) + 3))


def draw_curve(side: Side) -> Markup:
    """Return the curve of a game: a bar for the cost of each placement, a line for the height of the stack."""
    count = len(side.costs)
    scale = max(_LEAST_SCALE, *side.costs)
    heights = [max((y + 1 for y, row in enumerate(one.rows) if any(row)), default=0) for one in side.positions]
    label = (
        f"Cost of each of {count} Tetriminos, at most {max(side.costs):.1f} holes; "
        f"height of the stack, at most {max(heights)} rows"
    )
    curve = element(
        "svg",
        *(element("g", *_draw_bars(side.costs, scale), class_="bars"), *_draw_rounds(side), _draw_heights(heights)),
        viewBox=f"0 0 {count} {_CURVE_HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=label,
    )
    marks = element("div", *_draw_marks(side), class_="marks")
    return join([element("div", curve, marks, class_="curve"), _write_legend(scale)])


def _draw_bars(costs: list[float], scale: float) -> list[Markup]:
    return [
        element("rect", x=at, y=_CURVE_HEIGHT * (1 - cost / scale), width=0.8, height=_CURVE_HEIGHT * cost / scale)
        for at, cost in enumerate(costs)
        if cost > 0
    ]


def _draw_heights(heights: list[int]) -> Markup:
    points = (
        f"{at + 0.4:.1f},{_CURVE_HEIGHT * (1 - min(1, height / _VISIBLE_ROWS)):.1f}"
        for at, height in enumerate(heights)
    )
    return element("polyline", points=" ".join(points))


def _draw_rounds(side: Side) -> list[Markup]:
    """Return a line at the beginning of each round but the first."""
    return [
        element("path", class_="round", d=f"M{at - 0.1} 0V{_CURVE_HEIGHT}")
        for at in range(1, len(side.positions))
        if side.positions[at].round != side.positions[at - 1].round
    ]


def _draw_marks(side: Side) -> list[Markup]:
    """Return the numbers below the curve that lead to the moments."""
    return [
        element(
            "a",
            str(at),
            class_="mark",
            style=f"left:{100 * (moment.position.number - 0.6) / len(side.costs):.2f}%",
            href=f"#{name_moment(side, at)}",
            aria_label=f"Moment {at}, Tetrimino {moment.position.number}",
        )
        for at, moment in enumerate(side.shown, 1)
    ]


def _write_legend(scale: float) -> Markup:
    return element(
        "p",
        *(element("span", "", class_="bar"), f" cost of each Tetrimino, up to {scale:.1f} holes "),
        *(element("span", "", class_="line"), f" height of the stack, up to {_VISIBLE_ROWS} rows. "),
        "Numbers lead to the moments.",
        class_="legend",
    )


def name_moment(side: Side, number: int) -> str:
    return f"player-{side.number + 1}-moment-{number}"


def list_pieces(pieces: tuple[int, ...]) -> str:
    return " ".join(LETTERS[piece] for piece in pieces) or "none"
