"""Hold the router's grid: its places, and which of them are near a pad."""

from typing import Any

from tools.hardware import kicad, layout

STEP = 2.54 / 8  # of the grid: whole steps lead from each pin of the Pico to the middle between two pins
LEFT, TOP = 41.11 % STEP, 2.37 % STEP  # the grid runs through the Pico's pins
COLUMNS, ROWS = int(layout.WIDTH / STEP), int(layout.HEIGHT / STEP)
SIZE = COLUMNS * ROWS

Node = int  # layer * SIZE + row * COLUMNS + column; layer 0 is the front
Box = tuple[float, float, float, float]


def locate(node: Node) -> tuple[float, float]:
    row, column = divmod(node % SIZE, COLUMNS)
    return LEFT + column * STEP, TOP + row * STEP


def list_cells(box: Box, around: float, is_round: bool = False) -> list[int]:
    """Return the places of the grid that are nearer to a box than `around`."""
    import numpy

    x0, y0, x1, y1 = box
    if is_round:  # measured from the middle: a circle has no corners
        around += (x1 - x0) / 2
        x0 = x1 = (x0 + x1) / 2
        y0 = y1 = (y0 + y1) / 2
    columns = numpy.arange(COLUMNS) * STEP + LEFT
    rows = numpy.arange(ROWS) * STEP + TOP
    dx = numpy.maximum(numpy.maximum(x0 - columns, columns - x1), 0)
    dy = numpy.maximum(numpy.maximum(y0 - rows, rows - y1), 0)
    near = dy[:, None] ** 2 + dx[None, :] ** 2 < (around - 1e-9) ** 2
    return [int(cell) for cell in numpy.flatnonzero(near)]


def measure_pad(pad: Any) -> tuple[Box, bool]:
    """Return what a pad fills, and whether it is round."""
    return kicad.measure_box(pad), pad.GetShape() == kicad.load().PAD_SHAPE_CIRCLE


def list_shifts(reach: float) -> list[int]:
    """Return the differences from a node to those nearer than `reach`."""
    most = int(reach / STEP) + 1
    span = range(-most, most + 1)
    return [dy * COLUMNS + dx for dy in span for dx in span if (dx * dx + dy * dy) ** 0.5 * STEP < reach - 1e-9]
