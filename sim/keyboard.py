"""Turn a PC's keys into the edges of eight buttons (Guideline 4.1).

Nothing here needs a window: keys are named as pygame names them, and whoever has one says
which key moved when.
"""

from __future__ import annotations

from collections import deque

from firmware.device.edges import EdgeQueue
from firmware.engine.controls import (
    HARD_DROP,
    HOLD,
    LEFT,
    PAUSE,
    RIGHT,
    ROTATE_CCW,
    ROTATE_CW,
    SOFT_DROP,
)

# Guideline, table 4.1, column Keyboard; "Control" and "Shift" are two keys each.
TABLE = {
    LEFT: ("K_LEFT", "K_KP4"),
    RIGHT: ("K_RIGHT", "K_KP6"),
    HARD_DROP: ("K_SPACE", "K_KP8"),
    SOFT_DROP: ("K_DOWN", "K_KP2"),
    ROTATE_CW: ("K_UP", "K_x", "K_KP1", "K_KP5", "K_KP9"),
    ROTATE_CCW: ("K_LCTRL", "K_RCTRL", "K_z", "K_KP3", "K_KP7"),
    HOLD: ("K_LSHIFT", "K_RSHIFT", "K_c", "K_KP0"),
    PAUSE: ("K_ESCAPE", "K_F1"),
}
# Besides: the handheld has no Enter, a PC's menus do.
MORE = {"K_RETURN": PAUSE, "K_KP_ENTER": PAUSE, "K_BACKSPACE": ROTATE_CCW}
# In menus a button is where a hand finds it: up is up, and what else a PC is used to.
AT_MENU = {"K_UP": HARD_DROP, "K_KP8": HARD_DROP, "K_SPACE": ROTATE_CW, "K_ESCAPE": ROTATE_CCW}


class Keyboard:
    """Be the buttons of a Device: the edges wait here, each with the time its key moved.

    at_menu: whether the keys are those of menus, from the next press on.
    """

    def __init__(self) -> None:
        self.at_menu = False
        self._controls = MORE | {key: control for control, keys in TABLE.items() for key in keys}
        self._held: dict[str, int] = {}
        self._edges: deque[tuple[int, bool, int]] = deque()

    def press(self, key: str, t_ms: int) -> None:
        """Take a key that went down; several keys of one control press it once."""
        control = self._controls.get(key)
        if self.at_menu:
            control = AT_MENU.get(key, control)
        if control is None or key in self._held:
            return
        if not self._is_held(control):
            self._edges.append((control, True, t_ms))
        self._held[key] = control

    def release(self, key: str, t_ms: int) -> None:
        """Take a key that went up; a control is released with the last of its keys."""
        if key in self._held:
            control = self._held.pop(key)
            if not self._is_held(control):
                self._edges.append((control, False, t_ms))

    def release_all(self, t_ms: int) -> None:
        """Let go of everything: the releases would go to another window."""
        for key in sorted(self._held):
            self.release(key, t_ms)

    def tap(self, control: int, t_ms: int) -> None:
        """Press and release a control that no key stands behind."""
        self._edges.append((control, True, t_ms))
        self._edges.append((control, False, t_ms))

    def poll(self, sink: EdgeQueue) -> None:
        """Append the edges since the last poll to `sink`; what finds no room waits."""
        while self._edges and sink.count < sink.capacity:
            sink.append(*self._edges.popleft())

    def _is_held(self, control: int) -> bool:
        return control in self._held.values()


class NoButtons:
    """Be the buttons of a Device that nobody touches."""

    def poll(self, sink: EdgeQueue) -> None:
        """Append nothing."""
