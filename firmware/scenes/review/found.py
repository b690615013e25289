"""Keep the worst moments of a reviewed game while one of them is practised."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from collections.abc import Callable

_PLAN = const(7)
_RECORD_BYTES = const(448)  # the most that firmware/save/suspended.py writes


class Moment:
    """Hold one judged Tetrimino.

    number: its number from 0 on. time_ms: when it came into play. cost, own_plan, best_plan, count: as in
    firmware/players/judge.py. record: the game at this time, by firmware/save/suspended.py.
    """

    def __init__(self) -> None:
        self.number = self.time_ms = self.cost = self.count = 0
        self.own_plan = [0] * _PLAN
        self.best_plan = [0] * _PLAN
        self.record = bytearray(_RECORD_BYTES)


class Found:
    """Stand for the session's last recording, and add its worst moments.

    watcher: the scene that shows the recording. variant: whose rules Practice uses. at: the moment shown.

    This module imports nothing, because an object keeps the module of its class in memory.
    """

    def __init__(self, last: "Callable[[], bytes]", watcher: str, variant: int, moments: list[Moment]) -> None:
        self.last = last
        self.watcher = watcher
        self.variant = variant
        self.moments = moments
        self.at = 0

    def __call__(self) -> bytes:
        return self.last()
