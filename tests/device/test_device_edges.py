"""The queue of button edges: how a frame hands over the presses that it does not take."""

from firmware.compat import TICKS_PERIOD
from firmware.device.edges import EdgeQueue

LEFT, RIGHT, A = 0, 1, 4


def make_queue(*edges: tuple[int, int]) -> EdgeQueue:
    """Return a queue with (button, pressed) at 100 ms, 101 ms and so on."""
    queue = EdgeQueue()
    for t_ms, (button, pressed) in enumerate(edges, 100):
        queue.append(button, pressed, t_ms)
    return queue


def read(queue: EdgeQueue) -> list[tuple[int, int, int]]:
    return [(queue.button[i], queue.pressed[i], queue.t_ms[i]) for i in range(queue.count)]


def test_a_frame_keeps_one_press_with_the_releases_around_it() -> None:
    queue = make_queue((LEFT, 0), (A, 1), (A, 0), (RIGHT, 1), (RIGHT, 0))
    queue.hold_back()
    assert read(queue) == [(LEFT, 0, 100), (A, 1, 101), (A, 0, 102)]
    queue.advance()
    assert read(queue) == [(RIGHT, 1, 103), (RIGHT, 0, 104)]
    queue.advance()
    assert read(queue) == []


def test_an_edge_of_the_next_poll_comes_after_those_that_wait() -> None:
    queue = make_queue((A, 1), (RIGHT, 1))
    queue.hold_back()
    queue.advance()
    queue.append(LEFT, 1, 120)
    assert read(queue) == [(RIGHT, 1, 101), (LEFT, 1, 120)]


def test_one_press_holds_nothing_back() -> None:
    queue = make_queue((LEFT, 0), (A, 1), (A, 0))
    queue.hold_back()
    assert queue.count == 3 and not queue.waiting


def test_edges_from_before_a_moment_count_from_it_on_also_those_that_wait() -> None:
    queue = make_queue((A, 1), (RIGHT, 1), (RIGHT, 0))
    queue.hold_back()
    queue.restamp(102)
    queue.advance()
    assert read(queue) == [(RIGHT, 1, 102), (RIGHT, 0, 102)]


def test_a_moment_after_a_wrap_of_the_clock_is_later() -> None:
    queue = EdgeQueue()
    queue.append(A, 1, TICKS_PERIOD - 5)
    queue.restamp(3)
    assert read(queue) == [(A, 1, 3)]
