"""Poll buttons for their edges."""

from typing import Any

from firmware.device.edges import EdgeQueue


def poll(buttons: Any, capacity: int = 32) -> list[tuple[int, int, int]]:
    """Poll once; return button, whether it is pressed, and the time of each edge."""
    queue = EdgeQueue(capacity)
    buttons.poll(queue)
    return [(queue.button[i], queue.pressed[i], queue.t_ms[i]) for i in range(queue.count)]


def poll_untimed(buttons: Any) -> list[tuple[int, int]]:
    """Poll once; return the edges without their times."""
    return [(button, pressed) for button, pressed, _t_ms in poll(buttons)]
