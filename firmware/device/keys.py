"""Turn button contacts into timed edges with the board's own scanner."""

import keypad
import supervisor

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Any, EdgeQueue

_SETTLED_SCANS = const(5)  # equal ones debounce a contact; with fewer a bounce is a press
_BOUNCE_MS = const(6)  # a contact settles so much sooner or later than another: their edges have one time
_FRESH_MS = const(4)  # so much later a rotation from before a Hard Drop may still settle


class Keys:
    """Read buttons that connect their pin to ground. A button's number is its index in `pins`; None is no button.

    wired: a mask of the existing buttons. drops: a mask of those for a Hard Drop, as the settings say.
    """

    def __init__(self, pins: "list[Any]") -> None:
        numbers = bytearray()
        wired = []
        self.wired = 0
        for i in range(len(pins)):
            if pins[i] is not None:
                numbers.append(i)
                wired.append(pins[i])
                self.wired |= 1 << i
        self._numbers = numbers
        self._keys = keypad.Keys(
            wired, value_when_pressed=False, pull=True, interval=0.001, debounce_threshold=_SETTLED_SCANS
        )
        self._events = self._keys.events
        self._event = keypad.Event()
        self._waits: "bool | int" = False  # whether a Hard Drop in `_event` waits for the next poll
        self.drops = 0

    def poll(self, sink: "EdgeQueue") -> None:
        """Append every edge since the last poll to `sink`; edges without room stay in the scanner.

        A Hard Drop of this moment waits for the next poll, because a rotation before it may settle later.
        """
        events = self._events
        event = self._event
        since_ms = -_BOUNCE_MS
        while sink.count < sink.capacity and (self._waits or events.get_into(event)):
            t_ms = event.timestamp
            button = self._numbers[event.key_number]
            self._waits = (
                self.drops >> button & event.pressed
                and not (self._waits or events)
                and supervisor.ticks_ms() - t_ms < _FRESH_MS  # also if the clock has just wrapped: a frame late
            )
            if self._waits:
                return
            if not 0 <= t_ms - since_ms < _BOUNCE_MS:
                since_ms = t_ms
            sink.append(button, event.pressed, since_ms)
