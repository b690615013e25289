"""Turn button edges into control edges: remapped buttons, chords of two, and half turns (modes/README.md, 5.2)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.device.edges import MOST_EDGES, EdgeQueue

if TYPE_CHECKING:
    from firmware.contracts import Blob

_BUTTONS = const(8)  # as many controls; one more is a half turn, in matches it moves the Target Mark
_CW = const(4)  # as in firmware/engine/controls.py
_CCW = const(5)
WINDOW_MS = const(35)  # the buttons of a chord go down within two frames
_NONE = const(255)


class Chords:
    """Map buttons to controls by one mask of buttons for each control; mask 0 is a control without a button.

    With nine masks a ninth button presses the ninth control; with eight it does nothing.
    The press of a chord's button waits up to 35 ms for the other button, also if it is short. Then it counts once: for
    the chord, or for the button's own control. A press of any other button ends the wait, so that presses keep their
    order. Of edges of one time those of a chord's buttons come first: a press between the two would part the chord.
    A button still held after a chord does nothing until released.
    """

    def __init__(self, masks: "Blob") -> None:
        self.queue = EdgeQueue(2 * MOST_EDGES + _BUTTONS)
        self.masks = bytes(masks)
        self.single = bytearray(_BUTTONS + 1)  # the control of each button alone
        self.partners = 0  # buttons that are part of a chord
        self.since_ms = 0  # when the last waiting button went down
        self.down = self.waiting = self.used = self.pressed = 0  # not by `forget`: a board's stack is small
        for button in range(_BUTTONS):
            self.single[button] = _NONE
        self.single[_BUTTONS] = _BUTTONS if len(self.masks) > _BUTTONS else _NONE
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
        first = 0
        while first < edges.count:
            t_ms = edges.t_ms[first]
            end = first
            while end < edges.count and edges.t_ms[end] == t_ms:
                end += 1
            if self.waiting:
                self.expire(t_ms)
            for partner in (1, 0):
                for i in range(first, end):
                    button = edges.button[i]
                    if self.partners >> button & 1 != partner:
                        continue
                    if edges.pressed[i]:
                        self.press(button, t_ms)
                    else:
                        self.release(button, t_ms)
            first = end
        if self.waiting:
            self.expire(now_ms)
        return self.queue

    def press(self, button: int, t_ms: int) -> None:
        bit = 1 << button
        if self.partners & bit:
            for control in range(len(self.masks)):
                other = self.masks[control] & ~bit
                if other and self.masks[control] & bit and self.waiting & other == other:
                    self.waiting &= ~other
                    self.used |= bit | self.down & other
                    self.down |= bit
                    self.tell(control, True, t_ms)
                    if control < _BUTTONS and other & ~self.down:
                        self.tell(control, False, t_ms)  # one button alone holds no chord: a held pause restarts
                    return
        self.settle(self.since_ms)  # its own time: edges of one time may be put in another order
        self.down |= bit
        if self.partners & bit:
            self.waiting |= bit
            self.since_ms = t_ms
        elif self.single[button] != _NONE:
            self.tell(self.single[button], True, t_ms)

    def release(self, button: int, t_ms: int) -> None:
        """Handle a button that went up; a press that waits stays a press."""
        bit = 1 << button
        self.down &= ~bit
        if self.waiting & bit:
            if self.single[button] == _NONE:
                self.waiting &= ~bit
            return
        if self.used & bit:
            self.used &= ~bit
            for control in range(len(self.masks)):
                mask = self.masks[control]
                if mask & bit and mask & mask - 1:
                    self.tell(control, False, t_ms)
        if self.single[button] != _NONE:
            self.tell(self.single[button], False, t_ms)

    def expire(self, now_ms: int) -> None:
        """End the wait for a partner after 35 ms."""
        if ticks_diff(now_ms, self.since_ms) >= WINDOW_MS:
            self.settle(ticks_add(self.since_ms, WINDOW_MS))

    def settle(self, t_ms: int) -> None:
        """Press the own control of the button that waits; release it if the button is up again."""
        for button in range(_BUTTONS):
            if self.waiting >> button & 1 and self.single[button] != _NONE:
                self.waiting &= ~(1 << button)
                self.tell(self.single[button], True, t_ms)
                if not self.down >> button & 1:
                    self.tell(self.single[button], False, t_ms)

    def tell(self, control: int, pressed: bool, t_ms: int) -> None:
        """Pass on an edge of a control if its state changed."""
        if (self.pressed >> control & 1) != pressed:
            self.pressed ^= 1 << control
            self.queue.append(control, pressed, t_ms)


class HalfTurns(Chords):
    """Map buttons to nine controls: one presses both rotation controls at once for a half turn."""

    def tell(self, control: int, pressed: bool, t_ms: int) -> None:
        """Pass on an edge of a control; pass on an edge of the ninth as edges of both rotation controls."""
        if control < _BUTTONS:
            Chords.tell(self, control, pressed, t_ms)
        elif (self.pressed >> control & 1) != pressed:
            self.pressed ^= 1 << control
            if pressed:  # a rotation control that is held would press nothing
                Chords.tell(self, _CW, False, t_ms)
                Chords.tell(self, _CCW, False, t_ms)
            Chords.tell(self, _CW, pressed, t_ms)
            Chords.tell(self, _CCW, pressed, t_ms)
