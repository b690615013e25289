"""Fake CircuitPython's `keypad`: a scanner that debounces pins of the workbench."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench import Pin, bench


@dataclass
class Event:
    key_number: int = 0
    pressed: bool = True
    timestamp: int = field(default_factory=lambda: bench.now_ms)


class EventQueue:
    """Transitions, oldest first; without room a new one is lost, as on the board."""

    def __init__(self, max_events: int) -> None:
        self._events: list[Event] = []
        self._max_events = max_events
        self.overflowed = False

    def __len__(self) -> int:
        return len(self._events)

    def get_into(self, event: Event) -> bool:
        """Move the oldest transition into `event`, or return False."""
        if not self._events:
            return False
        vars(event).update(vars(self._events.pop(0)))
        return True

    def note(self, event: Event) -> None:
        if len(self._events) < self._max_events:
            self._events.append(event)
        else:
            self.overflowed = True


class Keys:
    """Scan the pins every `interval` seconds; a key changes after `debounce_threshold` equal scans."""

    def __init__(
        self,
        pins: Sequence[Pin],
        *,
        value_when_pressed: bool,
        pull: bool = True,
        interval: float = 0.020,
        max_events: int = 64,
        debounce_threshold: int = 1,
    ) -> None:
        for pin in pins:
            pin.claim(self)
        if not pull:
            raise ValueError("the workbench has no resistors: use the pins' own")
        self.events = EventQueue(max_events)
        self._pins = pins
        self._value_when_pressed = value_when_pressed
        self._interval_ms = round(interval * 1000)
        self._threshold = debounce_threshold
        self._pressed = [False] * len(pins)
        self._changed_scans = [0] * len(pins)
        self._wait_ms = self._interval_ms
        bench.scanners.append(self)

    def scan(self) -> None:
        self._wait_ms -= 1
        if self._wait_ms:
            return
        self._wait_ms = self._interval_ms
        for key, pin in enumerate(self._pins):
            pressed = pin.level == self._value_when_pressed
            if pressed == self._pressed[key]:
                self._changed_scans[key] = 0
                continue
            self._changed_scans[key] += 1
            if self._changed_scans[key] >= self._threshold:
                self._changed_scans[key] = 0
                self._pressed[key] = pressed
                self.events.note(Event(key, pressed))
