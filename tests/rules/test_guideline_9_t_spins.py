"""Guideline 9: what is a T-Spin, what is a Mini T-Spin, and what is neither."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN
from tests.support.drill import Drill

NAMES = {NO_SPIN: "none", MINI_SPIN: "mini", FULL_SPIN: "full"}


@dataclass
class Example:
    """One example of 9.1: Blocks, where the T stands before its turn, and what the turn makes of it."""

    name: str
    art: str
    x: int
    y: int
    facing: str
    turn: str
    point: int
    end: tuple[int, int, str]
    spin: str
    lines: int


# The pictures of 9.1 are lost; each position here is rebuilt from its caption: facings, direction
# and rotation point, kind and lines.
# fmt: off
EXAMPLES = [
    Example(
        "T-Spin / E-S, point 1",
        (
            "##........\n"
            "#...#.....\n"
            "##.#......\n"
        ),
        1, 0, "E", "cw", 1, (1, 0, "S"), "full", 0,
    ),
    Example(
        "T-Spin / S-W, point 1",
        (
            "#.........\n"
            "...#......\n"
            "#.#.......\n"
        ),
        0, 0, "S", "cw", 1, (0, 0, "W"), "full", 0,
    ),
    Example(
        "T-Spin / N-W, point 5",
        (
            "......#...\n"
            "..........\n"
            ".....#.#..\n"
            ".......#..\n"
            ".....#.#..\n"
        ),
        4, 2, "N", "ccw", 5, (5, 0, "W"), "full", 0,
    ),
    Example(
        "T-Spin / N-E, point 5",
        (
            "...#......\n"
            "..........\n"
            "..#.#.....\n"
            "..#.......\n"
            "..#.#.....\n"
        ),
        3, 2, "N", "cw", 5, (2, 0, "E"), "full", 0,
    ),
    Example(
        "T-Spin Single / E-S, point 1",
        (
            "##........\n"
            "#...######\n"
            "##.#......\n"
        ),
        1, 0, "E", "cw", 1, (1, 0, "S"), "full", 1,
    ),
    Example(
        "T-Spin Single / N-W, point 5",
        (
            "......#...\n"
            "..........\n"
            ".....#.#..\n"
            "#####..###\n"
            ".....#.#..\n"
        ),
        4, 2, "N", "ccw", 5, (5, 0, "W"), "full", 1,
    ),
    Example(
        "T-Spin Double / E-S, point 1",
        (
            "##........\n"
            "#...######\n"
            "##.#######\n"
        ),
        1, 0, "E", "cw", 1, (1, 0, "S"), "full", 2,
    ),
    Example(
        "T-Spin Double / N-W, point 5",
        (
            "......#...\n"
            "..........\n"
            ".....#.#..\n"
            "#####..###\n"
            "######.###\n"
        ),
        4, 2, "N", "ccw", 5, (5, 0, "W"), "full", 2,
    ),
    Example(
        "T-Spin Triple / N-E, point 5",
        (
            "...#......\n"
            "..........\n"
            "###.######\n"
            "###..#####\n"
            "###.######\n"
        ),
        3, 2, "N", "cw", 5, (2, 0, "E"), "full", 3,
    ),
    Example(
        "Mini T-Spin / N-E, point 2, at the wall",
        (
            ".#........\n"
        ),
        0, 0, "N", "cw", 2, (-1, 0, "E"), "mini", 0,
    ),
    Example(
        "Mini T-Spin / N-E, point 2, between Blocks",
        (
            "...#......\n"
            "..........\n"
            "...#.#....\n"
        ),
        4, 0, "N", "cw", 2, (3, 0, "E"), "mini", 0,
    ),
    Example(
        "Mini T-Spin / N-E, point 2, over a hole",
        (
            ".#........\n"
            "..........\n"
        ),
        0, 1, "N", "cw", 2, (-1, 1, "E"), "mini", 0,
    ),
    Example(
        "Mini T-Spin Single / N-E, point 2, at the wall",
        (
            ".#########\n"
        ),
        0, 0, "N", "cw", 2, (-1, 0, "E"), "mini", 1,
    ),
    Example(
        "Mini T-Spin Single / N-E, point 2, between Blocks",
        (
            "...#......\n"
            "..........\n"
            "####.#####\n"
        ),
        4, 0, "N", "cw", 2, (3, 0, "E"), "mini", 1,
    ),
    Example(
        "Mini T-Spin / W-N, point 3",
        (
            "...#..#...\n"
            "..........\n"
        ),
        4, 0, "W", "cw", 3, (3, -1, "N"), "mini", 0,
    ),
    Example(
        "Mini T-Spin Single / W-N, point 3",
        (
            "...#..#...\n"
            "###...####\n"
        ),
        4, 0, "W", "cw", 3, (3, -1, "N"), "mini", 1,
    ),
]
# fmt: on


def stand(example: Example) -> Drill:
    """Return a Drill with the T where the example starts."""
    drill = Drill("T")
    drill.draw(example.art)
    placed = drill.game.place(6, example.x, example.y, "NESW".index(example.facing))
    assert placed, f"{example.name}: the T does not fit at its start"
    return drill


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_9_1_example(example: Example) -> None:
    drill = stand(example)
    game = drill.game
    assert game.turn(1 if example.turn == "cw" else 0) == example.point
    assert (game.x, game.y, "NESW"[game.facing]) == example.end
    assert NAMES[game.spin()] == example.spin
    game.lock_down()
    assert game.hit_count == example.lines


def test_9_a_t_that_is_dropped_into_a_slot_is_none() -> None:
    drill = Drill("T")
    drill.draw("#.#.......\n..........\n#.#.......\n")
    drill.game.place(6, 0, 8, 1)
    drill.game.turn(1)
    drill.draw("#.........\n..........\n#.#.......\n")
    drill.tap("hard")
    assert drill.game.spun == NO_SPIN


def test_9_hard_dropped_where_it_stands_after_the_turn_it_stays_a_t_spin() -> None:
    drill = stand(EXAMPLES[0])
    drill.tap("cw", "hard")
    assert drill.game.spun == FULL_SPIN


def test_9_only_a_t_spins() -> None:
    drill = Drill("L")
    drill.draw("#.........\n...#......\n#.#.......\n")
    drill.game.place(3, 0, 0, 2)
    drill.game.turn(1)
    drill.game.turned_last = True
    assert drill.game.spin() == NO_SPIN


def upgraded() -> Drill:
    """Return a T turned by point 5 to where, by corners alone, it is a Mini T-Spin."""
    drill = Drill("T")
    drill.draw("...#......\n..........\n..#.#.....\n..........\n..#.......")
    drill.game.place(6, 3, 2, 0)
    assert drill.game.turn(1) == 5
    return drill


@pytest.mark.parametrize("further", [0, 1])
def test_9_1_point_5_makes_a_mini_a_t_spin_for_further_rotations_too(further: int) -> None:
    drill = upgraded()
    for _ in range(further):
        assert drill.game.turn(1) == 1
    assert drill.game.spin() == FULL_SPIN
    drill.game.point_5_used = False
    assert drill.game.spin() == MINI_SPIN


@pytest.mark.parametrize("leave", ["move", "fall"])
def test_9_1_but_not_once_it_has_moved_or_fallen(leave: str) -> None:
    drill = upgraded()
    game = drill.game
    game.turn(1)
    if leave == "move":
        assert game.shift(1)
        assert game.shift(-1)
    else:
        game.sink(0)
    game.turn(0)
    game.turn(1)
    assert game.spin() == MINI_SPIN
