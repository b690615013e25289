"""Count down in a match that several persons play on one device; nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.countdown import Countdown

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue


class SharedCountdown(Countdown):
    """Let any person's press go on."""

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Look for a press of anybody else first."""
        for queue in self.scene.queues[1:]:
            for i in range(queue.count):
                if queue.pressed[i]:
                    self.scene.play_on(queue.t_ms[i])
                    return
        Countdown.update(self, edges, now_ms)
