"""Check each button by its edges: whether it exists, is the requested one, sticks or bounces."""

from firmware.compat import const, ticks_diff

UNTRIED = const(0)
GOOD = const(1)
ABSENT = const(2)  # no edge for seconds
OTHER = const(3)  # another button's edge came: two wires are swapped
TOUCHING = const(4)  # another button's came as well: two wires touch
STUCK = const(5)  # it went down and never up
BOUNCING = const(6)  # one press came as several

_BUTTONS = const(8)
_PATIENCE_MS = const(8000)
_STUCK_MS = const(3000)
_SETTLE_MS = const(120)  # after the last edge of a press
_BOUNCE_MS = const(30)  # no finger is as quick
_NONE = const(-1)


class Contacts:
    """Ask for the buttons of the mask `wired` one after the other; `down` are those that were down before.

    asked: the button that is waited for, 8 when all were.  verdict: one of the constants for each
    button.  other: for each button the one whose edge came.
    """

    def __init__(self, wired: int, down: int, now_ms: int) -> None:
        self.wired = wired
        self.down = down
        self.verdict = bytearray(_BUTTONS)
        self.other = bytearray(_BUTTONS)
        self.t_ms = [now_ms] * _BUTTONS  # the last edge of each
        self.asked = _NONE
        self.ask(now_ms)

    def ask(self, now_ms: int) -> None:
        """Wait for the next button that is there and not judged."""
        self.since_ms = now_ms
        self.pressed = False
        self.asked += 1
        while self.asked < _BUTTONS and (not self.wired >> self.asked & 1 or self.verdict[self.asked]):
            self.asked += 1

    def conclude(self, verdict: int, now_ms: int) -> None:
        """Note what is with the button that was asked for, and ask for the next."""
        self.verdict[self.asked] = verdict
        self.ask(now_ms)

    def take_edge(self, button: int, pressed: int, t_ms: int) -> None:
        """Weigh a press or a release of any button against the one that was asked for."""
        before_ms = self.t_ms[button]
        self.t_ms[button] = t_ms
        if pressed:
            self.down |= 1 << button
        else:
            self.down &= ~(1 << button)
        asked = self.asked
        if asked >= _BUTTONS:
            return
        if button != asked:
            if pressed and self.verdict[button] != STUCK:
                self.other[asked] = button
                self.verdict[asked] = TOUCHING if self.pressed else OTHER
                self.pressed = True
                self.since_ms = t_ms
        elif self.pressed and ticks_diff(t_ms, before_ms) < _BOUNCE_MS:
            self.verdict[asked] = BOUNCING
        elif pressed:
            if self.verdict[asked] == OTHER and self.pressed:
                self.verdict[asked] = TOUCHING
            self.pressed = True
        self.since_ms = t_ms

    def advance(self, now_ms: int) -> None:
        """Let time pass: judge what has settled, what is stuck and what is not there."""
        asked = self.asked
        if asked >= _BUTTONS:
            return
        for button in range(_BUTTONS):
            if self.down >> button & 1 and not self.verdict[button] and button != asked:
                if ticks_diff(now_ms, self.t_ms[button]) >= _STUCK_MS:
                    self.verdict[button] = STUCK
        if self.down >> asked & 1:
            if ticks_diff(now_ms, self.t_ms[asked]) >= _STUCK_MS:
                self.conclude(STUCK, now_ms)
        elif self.pressed:
            answered = self.other[asked] if self.verdict[asked] == OTHER else asked
            if not self.down >> answered & 1 and ticks_diff(now_ms, self.since_ms) >= _SETTLE_MS:
                self.conclude(self.verdict[asked] or GOOD, now_ms)
            elif ticks_diff(now_ms, self.since_ms) >= _STUCK_MS:
                self.conclude(self.verdict[asked] or STUCK, now_ms)
        elif ticks_diff(now_ms, self.since_ms) >= _PATIENCE_MS:
            self.conclude(ABSENT, now_ms)

    def good(self) -> bool:
        """Return whether nothing is wrong with any button that is there."""
        for button in range(_BUTTONS):
            if self.wired >> button & 1 and self.verdict[button] != GOOD:
                return False
        return True
