"""Turn contacts at the pins of a Raspberry Pi into timed edges.

Blinka's keypad scans in a thread, and its events have no time. Linux notes the time of each change in the interrupt, on
the clock of time.monotonic_ns(). So an edge has the time when its contact moved, however late the game reads it.
"""

import errno
from collections import deque
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from firmware.device.edges import EdgeQueue
from firmware.device.wiring import BUTTONS, PREFIX
from sim.blinka.pins import find_line, refuse_rights
from sim.clock import RealClock
from sim.terminal import Refusal

_SETTLE_NS = 5_000_000  # a contact bounces for less; the first change counts, at its own time
_MOST_EVENTS = 1024  # that Linux keeps while the game is busy


class Contact:
    """Follow one button.

    closed: whether its contact is, since `moved_ns`.  pressed: what was reported last, as of `since_ns`.
    """

    def __init__(self, closed: bool, now_ns: int) -> None:
        self.closed = closed
        self.pressed = False
        self.moved_ns = now_ns
        self.since_ns = now_ns - _SETTLE_NS

    def is_due(self, moment_ns: int) -> bool:
        """Return whether the contact is not as it was reported, and no longer bounces."""
        return self.closed != self.pressed and moment_ns - self.since_ns >= _SETTLE_NS


class Buttons:
    """Read buttons that connect their pin to ground; `pins` has one for each button, or None for no button.

    wired: a mask of the existing buttons.
    """

    def __init__(self, pins: Sequence[Any], clock: RealClock) -> None:
        self._gpiod = import_module("gpiod")
        self._clock = clock
        self._edges: deque[tuple[int, bool, int]] = deque()
        self._numbers: dict[int, int] = {}  # buttons by line
        chip = ""
        for number, pin in enumerate(pins):
            if pin is not None:
                chip, line = find_line(pin)
                self._numbers[line] = number
        self.wired = sum(1 << number for number in self._numbers.values())
        self._request = self._request_lines(chip)
        now_ns = clock.moment_ns()
        values = self._request.get_values(list(self._numbers))
        self._contacts = {
            line: Contact(value == self._gpiod.line.Value.ACTIVE, now_ns)
            for line, value in zip(self._numbers, values, strict=True)
        }

    def poll(self, sink: EdgeQueue) -> None:
        """Append every edge since the last poll to `sink`; edges without room wait."""
        if self._request.wait_edge_events(0):
            for event in self._request.read_edge_events(_MOST_EVENTS):
                contact = self._contacts[event.line_offset]
                self._report_due(event.line_offset, event.timestamp_ns)
                contact.closed = event.event_type is event.Type.RISING_EDGE
                contact.moved_ns = event.timestamp_ns
                self._report_due(event.line_offset, event.timestamp_ns)
        for line in self._contacts:
            self._report_due(line, self._clock.moment_ns())
        while self._edges and sink.count < sink.capacity:
            sink.append(*self._edges.popleft())

    def close(self) -> None:
        self._request.release()

    def _report_due(self, line: int, moment_ns: int) -> None:
        """Queue an edge if the contact of `line` is due."""
        contact = self._contacts[line]
        if contact.is_due(moment_ns):
            contact.pressed = contact.closed
            contact.since_ns = contact.moved_ns
            self._edges.append((self._numbers[line], contact.pressed, self._clock.ticks_at(contact.moved_ns)))

    def _request_lines(self, chip: str) -> Any:
        """Return the request of all lines; refuse if one is in use."""
        line = self._gpiod.line
        settings = self._gpiod.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.Edge.BOTH,
            bias=line.Bias.PULL_UP,
            active_low=True,
            event_clock=line.Clock.MONOTONIC,
        )
        try:
            return self._gpiod.request_lines(
                chip, {tuple(self._numbers): settings}, consumer="skyline", event_buffer_size=_MOST_EVENTS
            )
        except PermissionError:
            raise refuse_rights(chip, "gpio") from None
        except OSError as problem:
            if problem.errno != errno.EBUSY:
                raise Refusal(f"cannot read the buttons at {chip}: {problem.strerror}") from None
            raise Refusal(self._word_busy(chip)) from None

    def _word_busy(self, chip: str) -> str:
        """Return the line that names a busy pin and its user."""
        with self._gpiod.Chip(chip) as opened:
            for offset, number in self._numbers.items():
                info = opened.get_line_info(offset)
                if info.used:
                    user = info.consumer or "another program"
                    return f"{PREFIX}{BUTTONS[number]}: {user} uses pin D{offset}; end it, or wire another pin"
        return "a pin of the buttons was in use; try again"
