"""Count down in a match that several persons play on one device; nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.countdown import Countdown

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue


class SharedCountdown(Countdown):
    """Let any person's press go on."""

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Take everybody's edges of this frame."""
        for queue in [edges] + self.scene.queues[1:]:
            if self.scene.cover is self:
                Countdown.update(self, queue, now_ms)
