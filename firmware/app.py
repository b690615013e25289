"""Run scenes on a Device: the main loop of the handheld and of the simulator."""

from firmware.compat import const, ticks_add, ticks_diff
from firmware.device.edges import EdgeQueue
from firmware.scenes.play import Play

_FRAMES = const(3)  # sixty frames a second are three in 50 ms
_FRAMES_MS = const(50)


class App:
    """One frame at a time: edges in, one picture out.

    Every edge that was polled is in the picture of the same frame.  `seed` is 0..2**30-1.
    """

    def __init__(self, device, seed=None, level: int = 1, recording=None, recorder=None) -> None:
        self.device = device
        self.edges = EdgeQueue()
        self.running = True
        if seed is None:
            seed = device.clock.ticks_ms()
        self.scene = Play(device, seed, level, recording, recorder)

    def step(self) -> None:
        """Poll, update, draw and show once."""
        edges = self.edges
        edges.clear()
        now_ms = self.device.clock.ticks_ms()
        self.device.buttons.poll(edges)
        self.scene.update(edges, now_ms)
        self.scene.draw()
        self.device.display.show()


def run(app: App) -> None:
    """Step at sixty frames a second by absolute deadlines; a late frame is not made up for."""
    clock = app.device.clock
    start_ms = clock.ticks_ms()
    frame = 0
    while app.running:
        app.step()
        frame += 1
        if frame == _FRAMES:
            frame = 0
            start_ms = ticks_add(start_ms, _FRAMES_MS)
        if ticks_diff(clock.ticks_ms(), start_ms) > _FRAMES_MS:
            start_ms = clock.ticks_ms()
            frame = 0
        clock.wait_until(ticks_add(start_ms, frame * _FRAMES_MS // _FRAMES))
