"""The plans of computer players: which presses lead to a place, and when (planner.py)."""

import pytest

from firmware.engine import controls
from firmware.players.planner import PressPlanner
from tests.support.drill import Drill

I, T = 1, 6  # noqa: E741 - Tetriminos


def read(planner: PressPlanner) -> list[tuple[int, int, int]]:
    """Return button, pressed and time of each edge."""
    edges = zip(planner.edges, planner.moments_ms, strict=True)
    return [(edge >> 1, edge & 1, time_ms) for edge, time_ms in edges][: planner.count]


def test_a_button_is_down_for_half_of_a_press() -> None:
    planner = PressPlanner(101)
    planner.begin()
    left, drop = controls.LEFT, controls.HARD_DROP
    for button in (left, drop):
        planner.press(button)
    assert read(planner) == [(left, 1, 0), (left, 0, 50), (drop, 1, 101), (drop, 0, 151)]
    planner.drop()
    assert read(planner) == [(drop, 1, 0), (drop, 0, 50)] and planner.time_ms == 101


@pytest.mark.parametrize("given", range(5))
def test_giving_up_a_plan_only_releases_pressed_buttons(given: int) -> None:
    planner = PressPlanner(100)
    planner.begin()
    left, soft = controls.LEFT, controls.SOFT_DROP
    for button, pressed in ((soft, 1), (left, 1), (left, 0), (soft, 0)):
        planner.note(button, pressed, planner.count * 10)
    planner.give_up(given)
    rest = {0: [], 1: [(soft, 0, 30)], 2: [(left, 0, 20), (soft, 0, 30)], 3: [(soft, 0, 30)], 4: []}
    assert read(planner)[given:] == rest[given]


def test_a_plan_has_at_most_48_edges() -> None:
    planner = PressPlanner(100)
    for i in range(60):
        planner.note(controls.LEFT, 1, i)
    assert planner.count == 48 and planner.moments_ms[47] == 47


@pytest.mark.parametrize("x", [0, 9])
def test_an_i_turns_the_other_way_where_only_that_is_possible(x: int) -> None:
    heights = (15, 17, 17, 19, 18, 16, 18, 16, 16, 17)
    lines = ["".join(".#"[y < height] for height in heights) for y in range(18, -1, -1)]
    planner = PressPlanner(100)
    assert planner.plan(Drill("I", "\n".join(lines)).game, 1 | x << 5)
    assert next(button for button, pressed, _ms in read(planner) if pressed) == controls.ROTATE_CCW


@pytest.mark.parametrize(("passed_ms", "rows", "fallen_ms"), [(99, 0, 0), (100, 1, 100), (250, 2, 250)])
def test_a_tetrimino_falls_while_it_is_moved(passed_ms: int, rows: int, fallen_ms: int) -> None:
    planner = PressPlanner(100)
    planner.begin()
    planner.shadow.matrix = Drill().game.matrix
    assert planner.shadow.place(T, 3, 10, 0)
    planner.interval_us, planner.time_ms = 100_000, passed_ms
    planner.sink()
    assert (planner.shadow.y, planner.fallen_ms) == (10 - rows, fallen_ms)
    planner.time_ms = 9000
    planner.sink()
    assert planner.shadow.y == planner.shadow.ghost_y


@pytest.mark.parametrize(("piece", "y"), [(I, 17), (T, 18)])
def test_held_tetrimino_enters_one_row_below_its_first_row(piece: int, y: int) -> None:
    planner = PressPlanner(100)
    planner.shadow.matrix = Drill().game.matrix
    assert planner.enter(piece) and (planner.shadow.x, planner.shadow.y) == (3, y)
