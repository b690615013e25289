"""Count down in a match of several people on one device; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.countdown import Countdown

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue, MatchPlay


class SharedCountdown(Countdown):
    """Let a press of any person end the countdown."""

    scene: "MatchPlay"

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Look for a press of the other people first."""
        for queue in self.scene.queues[1:]:
            for i in range(queue.count):
                if queue.pressed[i]:
                    self.scene.play_on(queue.t_ms[i])
                    return
        Countdown.update(self, edges, now_ms)
