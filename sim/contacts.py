"""The buttons of a Device, pressed by keys, gamepads or a script."""

from collections import deque
from collections.abc import Callable, Hashable

from firmware.device.edges import EdgeQueue

NINTH = 8  # the button of what eight buttons share: the Target Mark, a half turn or REWIND
HOLD_POLLS = 3  # a pause takes so many frames to resume, pause again and restart


class Contacts:
    """The buttons of a Device: a queue of edges, each with the time when its contact moved.

    A contact is a key by its name, or a gamepad's button by the names of both. Several contacts of one control
    press it once.
    at_menu: whether the buttons lead through menus, where some keys have another control from the next press on.
    restarts: whether START begins the game again if it is held.
    """

    def __init__(self) -> None:
        self.at_menu = False
        self.restarts = False
        self._unseen: dict[Hashable, tuple[int, bool, int]] = {}
        self._polls = 0  # until the release of a contact closed by `hold` may follow
        self._held: dict[Hashable, int] = {}
        self._edges: deque[tuple[int, bool, int]] = deque()
        self._has_meaning: Callable[[], bool] = lambda: False

    def connect(self, has_meaning: Callable[[], bool]) -> None:
        """Pass on presses of the ninth button while `has_meaning` returns True: menus do not know it."""
        self._has_meaning = has_meaning

    def hold(self, contact: Hashable, control: int, t_ms: int, held_ms: int) -> None:
        """Close a contact as if `held_ms` ago; one that opens before the next poll does nothing.

        If it opens later, its control stays down for HOLD_POLLS polls: a short tap does as much as a long one.
        """
        count = len(self._edges)
        self.press(contact, control, max(0, t_ms - held_ms))
        if len(self._edges) > count:
            self._unseen[contact] = self._edges[-1]

    def press(self, contact: Hashable, control: int | None, t_ms: int) -> None:
        """Close a contact; a contact without a control (None) does nothing."""
        if control is None or contact in self._held:
            return
        if not self._is_held(control):
            self._edges.append((control, True, t_ms))
        self._held[contact] = control

    def release(self, contact: Hashable, t_ms: int) -> None:
        """Open a contact; a control is released with the last of its contacts."""
        if contact in self._held:
            control = self._held.pop(contact)
            press = self._unseen.pop(contact, None)
            if press is not None and press in self._edges:
                self._edges.remove(press)
            elif not self._is_held(control):
                self._edges.append((control, False, t_ms))

    def release_all(self, t_ms: int) -> None:
        """Open all contacts: their releases would go to another window."""
        for contact in list(self._held):
            self.release(contact, t_ms)

    def tap(self, control: int, t_ms: int) -> None:
        self._edges.append((control, True, t_ms))
        self._edges.append((control, False, t_ms))

    def poll(self, sink: EdgeQueue) -> None:
        self._polls = max(0, self._polls - 1)
        while self._edges and sink.count < sink.capacity:
            if self._edges[0] in self._unseen.values():
                self._polls = HOLD_POLLS
            elif self._polls and not self._edges[0][1]:
                return
            control, pressed, t_ms = self._edges.popleft()
            if control != NINTH or not pressed or self._has_meaning():
                sink.append(control, pressed, t_ms)

    def _is_held(self, control: int) -> bool:
        return control in self._held.values()


class NoButtons:
    """The buttons of a Device that nobody presses."""

    def poll(self, sink: EdgeQueue) -> None:
        """Append nothing."""
