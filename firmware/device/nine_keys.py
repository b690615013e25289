"""Read nine buttons."""

from firmware.compat import TYPE_CHECKING, const
from firmware.device.keys import Keys

if TYPE_CHECKING:
    from firmware.contracts import Callable, EdgeQueue

_NINTH = const(8)


class NineKeys(Keys):
    """Read nine buttons; presses of the ninth only while `has_meaning` says so, because menus do not know it."""

    has_meaning: "Callable[[], bool] | None" = None

    def connect(self, has_meaning: "Callable[[], bool]") -> None:
        """Pass on presses of the ninth button while `has_meaning` returns True."""
        self.has_meaning = has_meaning

    def poll(self, sink: "EdgeQueue") -> None:
        """Append every edge since the last poll to `sink`; edges without room stay in the scanner."""
        Keys.poll(self, sink)
        if self.has_meaning and self.has_meaning():
            return
        kept = 0  # also look at presses that have waited: they may have met another scene
        for i in range(sink.count):
            if sink.button[i] != _NINTH or not sink.pressed[i]:  # a release always: or it would stay pressed
                sink.button[kept] = sink.button[i]
                sink.pressed[kept] = sink.pressed[i]
                sink.t_ms[kept] = sink.t_ms[i]
                kept += 1
        sink.count = kept
