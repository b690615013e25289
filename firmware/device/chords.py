"""Turn button edges into control edges: remapped buttons and chords of two."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.device.edges import MOST_EDGES, EdgeQueue

if TYPE_CHECKING:
    from firmware.contracts import Blob

_BUTTONS = const(8)
_WINDOW_MS = const(35)  # the buttons of a chord go down within two frames
_NONE = const(255)


class Chords:
    """Map buttons to controls by one mask of buttons for each control; mask 0 is a control without a button.

    If a chord's button also has its own control, its press waits 35 ms for the other button. A release within this time
    passes on press and release at once. A button still held after a chord does nothing until released.
    """

    def __init__(self, masks: "Blob", capacity: int = MOST_EDGES) -> None:
        """Copy the masks; `capacity` is the largest number of edges in one poll."""
        self.queue = EdgeQueue(2 * capacity + _BUTTONS)
        self.masks = bytes(masks)
        self.single = bytearray(_BUTTONS)  # the control of each button alone
        self.partners = 0  # buttons that are part of a chord
        self.t_ms = [0] * _BUTTONS  # when the waiting buttons went down
        self.down = self.waiting = self.used = self.pressed = 0  # not by `forget`: a board's stack is small
        for button in range(_BUTTONS):
            self.single[button] = _NONE
        for control in range(len(self.masks)):
            mask = self.masks[control]
            if mask & mask - 1:
                self.partners |= mask
            for button in range(_BUTTONS):
                if mask == 1 << button:
                    self.single[button] = control

    def forget(self) -> None:
        """Forget which buttons are down, whenever the edges before were not for this mapping."""
        self.down = 0
        self.waiting = 0
        self.used = 0  # buttons still held after they pressed a chord
        self.pressed = 0  # a mask of controls

    def translate(self, edges: EdgeQueue, now_ms: int) -> EdgeQueue:
        """Return the control edges for these button edges; valid until the next call."""
        self.queue.clear()
        for i in range(edges.count):
            t_ms = edges.t_ms[i]
            if self.waiting:
                self.expire(t_ms)
            if edges.pressed[i]:
                self.press(edges.button[i], t_ms)
            else:
                self.release(edges.button[i], t_ms)
        if self.waiting:
            self.expire(now_ms)
        return self.queue

    def press(self, button: int, t_ms: int) -> None:
        bit = 1 << button
        self.down |= bit
        if self.partners & bit:
            for control in range(len(self.masks)):
                mask = self.masks[control]
                if mask & bit and mask & mask - 1 and mask & self.down == mask and not mask & self.used:
                    self.waiting &= ~mask
                    self.used |= mask
                    self.tell(control, True, t_ms)
                    return
            if self.single[button] != _NONE:
                self.waiting |= bit
                self.t_ms[button] = t_ms
        elif self.single[button] != _NONE:
            self.tell(self.single[button], True, t_ms)

    def release(self, button: int, t_ms: int) -> None:
        bit = 1 << button
        self.down &= ~bit
        if self.waiting & bit:
            self.waiting &= ~bit
            self.tell(self.single[button], True, t_ms)
        if self.used & bit:
            self.used &= ~bit
            for control in range(len(self.masks)):
                mask = self.masks[control]
                if mask & bit and mask & mask - 1:
                    self.tell(control, False, t_ms)
        if self.single[button] != _NONE:
            self.tell(self.single[button], False, t_ms)

    def expire(self, now_ms: int) -> None:
        """Press the buttons whose wait for a partner is over."""
        for button in range(_BUTTONS):
            if self.waiting >> button & 1 and ticks_diff(now_ms, self.t_ms[button]) >= _WINDOW_MS:
                self.waiting &= ~(1 << button)
                self.tell(self.single[button], True, ticks_add(self.t_ms[button], _WINDOW_MS))

    def tell(self, control: int, pressed: bool, t_ms: int) -> None:
        """Pass on an edge of a control if its state changed."""
        if (self.pressed >> control & 1) != pressed:
            self.pressed ^= 1 << control
            self.queue.append(control, pressed, t_ms)
