"""Poll buttons for their edges, and read queues of edges."""

from typing import Any

from firmware.device.edges import EdgeQueue

Edge = tuple[int, int, int]  # button or control, whether it is pressed, and the time


def read_edges(queue: EdgeQueue) -> list[Edge]:
    return [(queue.button[i], queue.pressed[i], queue.t_ms[i]) for i in range(queue.count)]


def read_untimed(queue: EdgeQueue) -> list[tuple[int, int]]:
    return [edge[:2] for edge in read_edges(queue)]


def poll(buttons: Any, capacity: int = 32) -> list[Edge]:
    queue = EdgeQueue(capacity)
    buttons.poll(queue)
    return read_edges(queue)


def poll_untimed(buttons: Any) -> list[tuple[int, int]]:
    """Poll once; return the edges without their times."""
    return [edge[:2] for edge in poll(buttons)]
