"""Edges of one time are ordered by what they mean: releases, rotations, Hold, moves, drops."""

import itertools

import pytest

from firmware.device.chords import Chords, HalfTurns
from firmware.device.edges import EdgeQueue
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from tests.support.polling import read_edges, read_untimed

MEANING = [ROTATE_CW, HOLD, LEFT, SOFT_DROP, HARD_DROP, PAUSE]
T_MS = 1000


def fill(edges: list[tuple[int, int]], t_ms: int = T_MS) -> EdgeQueue:
    queue = EdgeQueue()
    for button, pressed in edges:
        queue.append(button, pressed, t_ms)
    return queue


@pytest.mark.parametrize("presses", list(itertools.permutations([ROTATE_CW, HOLD, LEFT, SOFT_DROP, HARD_DROP])))
def test_presses_of_one_time_are_in_the_order_of_their_meaning(presses: tuple[int, ...]) -> None:
    queue = fill([(button, 1) for button in presses])
    assert [button for button, _pressed in read_untimed(queue)] == sorted(presses, key=MEANING.index)


@pytest.mark.parametrize("press", MEANING)
def test_releases_of_one_time_come_first(press: int) -> None:
    assert read_untimed(fill([(press, 1), (RIGHT, 0)])) == [(RIGHT, 0), (press, 1)]


def test_equal_meanings_stay_in_the_order_of_their_edges() -> None:
    for pair in ([ROTATE_CW, ROTATE_CCW], [ROTATE_CCW, ROTATE_CW], [RIGHT, LEFT]):
        assert read_untimed(fill([(button, 1) for button in pair])) == [(button, 1) for button in pair]


def test_a_press_shorter_than_a_scan_is_not_released_before_it_goes_down() -> None:
    assert read_untimed(fill([(HARD_DROP, 1), (HARD_DROP, 0)])) == [(HARD_DROP, 1), (HARD_DROP, 0)]


def test_edges_of_other_times_keep_their_places() -> None:
    queue = EdgeQueue()
    for button, t_ms in ((HARD_DROP, 5), (LEFT, 6), (ROTATE_CW, 6), (HOLD, 7)):
        queue.append(button, 1, t_ms)
    assert read_edges(queue) == [(HARD_DROP, 1, 5), (ROTATE_CW, 1, 6), (LEFT, 1, 6), (HOLD, 1, 7)]


@pytest.mark.parametrize("mapping", [Chords, HalfTurns])
def test_remapped_buttons_are_ordered_by_their_controls(mapping: type[Chords]) -> None:
    """The button of UP turns, and that of A drops."""
    masks = bytearray(1 << button for button in range(8))
    masks[ROTATE_CW], masks[HARD_DROP] = masks[HARD_DROP], masks[ROTATE_CW]
    told = mapping(masks).translate(fill([(ROTATE_CW, 1), (HARD_DROP, 1)]), T_MS)
    assert read_untimed(told) == [(ROTATE_CW, 1), (HARD_DROP, 1)]


def test_a_half_turn_comes_before_a_drop_of_the_same_scan() -> None:
    """Its two rotations stay together, after the release of a rotation that is held."""
    mapping = HalfTurns(bytes(1 << button for button in range(8)) + b"\0")
    mapping.translate(fill([(ROTATE_CW, 1)], 900), 900)
    told = mapping.translate(fill([(HARD_DROP, 1), (8, 1)]), T_MS)
    assert read_untimed(told) == [(ROTATE_CW, 0), (ROTATE_CW, 1), (ROTATE_CCW, 1), (HARD_DROP, 1)]
