"""The queue of edges between the buttons and a frame."""

import pytest

from firmware.device.edges import EdgeQueue


def test_edges_keep_their_order_and_time() -> None:
    queue = EdgeQueue()
    queue.append(3, True, 5)
    queue.append(3, False, (1 << 29) - 1)
    assert queue.count == 2 and (queue.button[0], queue.pressed[0], queue.t_ms[0]) == (3, 1, 5)
    assert (queue.button[1], queue.pressed[1], queue.t_ms[1]) == (3, 0, (1 << 29) - 1)


def test_full_queue_refuses_until_it_is_cleared() -> None:
    queue = EdgeQueue(1)
    queue.append(0, True, 0)
    with pytest.raises(IndexError):
        queue.append(1, True, 0)
    queue.clear()
    assert queue.count == 0
    queue.append(1, True, 9)
    assert queue.button[0] == 1
