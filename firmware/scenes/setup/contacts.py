"""Check each button by its edges: is it missing, swapped with another one, stuck or bouncing?"""

from firmware.compat import const, ticks_diff

UNTRIED = const(0)
GOOD = const(1)
ABSENT = const(2)  # no edge came for seconds
OTHER = const(3)  # an edge of another button came instead: two wires are swapped
TOUCHING = const(4)  # an edge of another button came, too: two wires touch
STUCK = const(5)  # the button went down and never up
BOUNCING = const(6)  # one press came as several presses

_EIGHT = const(8)
_PATIENCE_MS = const(8000)
_STUCK_MS = const(3000)
_SETTLE_MS = const(120)  # after the last edge of a press
_BOUNCE_MS = const(30)  # edges closer together do not come from a finger
_NONE = const(-1)


class Contacts:
    """Ask for the buttons of the mask `wired` one after the other; the buttons of the mask `down` are already down.

    count: 8, or 9 if the mask has a ninth. asked: the button to press now, `count` at the end. verdict: one of the
    constants for each button. other: for each button, the other button whose edge came.
    """

    def __init__(self, wired: int, down: int, now_ms: int) -> None:
        self.wired = wired
        self.down = down
        self.count = count = _EIGHT + (wired >> _EIGHT)
        self.verdict = bytearray(count)
        self.other = bytearray(count)
        self.t_ms = [now_ms] * count  # the time of each button's last edge
        self.asked = _NONE
        self.ask(now_ms)

    def ask(self, now_ms: int) -> None:
        """Ask for the next existing button without a verdict."""
        self.since_ms = now_ms
        self.pressed = False
        self.asked += 1
        while self.asked < self.count and (not self.wired >> self.asked & 1 or self.verdict[self.asked]):
            self.asked += 1

    def conclude(self, verdict: int, now_ms: int) -> None:
        """Set the verdict of the asked button, and ask for the next one."""
        self.verdict[self.asked] = verdict
        self.ask(now_ms)

    def take_edge(self, button: int, pressed: int, t_ms: int) -> None:
        """Compare a press or release of any button with the asked button."""
        before_ms = self.t_ms[button]
        self.t_ms[button] = t_ms
        if pressed:
            self.down |= 1 << button
        else:
            self.down &= ~(1 << button)
        asked = self.asked
        if asked >= self.count:
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
        """Advance to `now_ms`; find verdicts for settled, stuck and absent buttons."""
        asked = self.asked
        if asked >= self.count:
            return
        for button in range(self.count):
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
        """Return whether all existing buttons are GOOD."""
        for button in range(self.count):
            if self.wired >> button & 1 and self.verdict[button] != GOOD:
                return False
        return True
