"""Print the edges of two buttons for five seconds; each button connects its pin to ground."""

import time

import board
from edge_queue import EdgeQueue, Keys

keys = Keys([board.GP6, board.GP7])
queue = EdgeQueue()
end = time.monotonic() + 5
while time.monotonic() < end:
    queue.clear()
    keys.poll(queue)
    for i in range(queue.count):
        print("button", queue.button[i], "down" if queue.pressed[i] else "up", "at", queue.t_ms[i])
    time.sleep(0.016)
