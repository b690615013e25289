"""The queue of button edges: how a frame hands over the presses that it does not take."""

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.device.edges import EdgeQueue
from tests.support.polling import read_edges

LEFT, RIGHT, A = 0, 1, 4


def make_queue(*edges: tuple[int, int]) -> EdgeQueue:
    """Return a queue with (button, pressed) at 100 ms, 101 ms and so on."""
    queue = EdgeQueue()
    for t_ms, (button, pressed) in enumerate(edges, 100):
        queue.append(button, pressed, t_ms)
    return queue


def test_a_full_queue_refuses_an_edge_until_it_is_cleared() -> None:
    queue = EdgeQueue(1)
    queue.append(LEFT, 1, 0)
    with pytest.raises(IndexError):
        queue.append(RIGHT, 1, 0)
    queue.clear()
    queue.append(RIGHT, 1, 9)
    assert read_edges(queue) == [(RIGHT, 1, 9)]


def test_a_frame_keeps_one_press_with_the_releases_around_it() -> None:
    queue = make_queue((LEFT, 0), (A, 1), (A, 0), (RIGHT, 1), (RIGHT, 0))
    queue.hold_back()
    assert read_edges(queue) == [(LEFT, 0, 100), (A, 1, 101), (A, 0, 102)]
    queue.advance()
    assert read_edges(queue) == [(RIGHT, 1, 103), (RIGHT, 0, 104)]
    queue.advance()
    assert read_edges(queue) == []


def test_an_edge_of_the_next_poll_comes_after_those_that_wait() -> None:
    queue = make_queue((A, 1), (RIGHT, 1))
    queue.hold_back()
    queue.advance()
    queue.append(LEFT, 1, 120)
    assert read_edges(queue) == [(RIGHT, 1, 101), (LEFT, 1, 120)]


def test_one_press_holds_nothing_back() -> None:
    queue = make_queue((LEFT, 0), (A, 1), (A, 0))
    queue.hold_back()
    assert queue.count == 3 and not queue.waiting


def test_edges_from_before_a_moment_count_from_it_on_also_those_that_wait() -> None:
    queue = make_queue((A, 1), (RIGHT, 1), (RIGHT, 0))
    queue.hold_back()
    queue.restamp(102)
    queue.advance()
    assert read_edges(queue) == [(RIGHT, 1, 102), (RIGHT, 0, 102)]


def test_a_moment_after_a_wrap_of_the_clock_is_later() -> None:
    queue = EdgeQueue()
    queue.append(A, 1, TICKS_PERIOD - 5)
    queue.restamp(3)
    assert read_edges(queue) == [(A, 1, 3)]
