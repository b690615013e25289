"""Link simulated handhelds in a ring."""

from __future__ import annotations

import random
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from firmware.engine import controls
from firmware.match.seat import NOT_YET
from firmware.save.recorder import Recorder
from firmware.save.scores import LETTERS
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import VERSUS, Handheld
from tests.support.handhelds.ring_harness import Line, Pipe

LEFT, RIGHT, DOWN, UP = controls.LEFT, controls.RIGHT, controls.SOFT_DROP, controls.HARD_DROP
A, B, HOLD, START = controls.ROTATE_CW, controls.ROTATE_CCW, controls.HOLD, controls.PAUSE
FRAME_MS = 17
NAMES = (b"ANN", b"BOB", b"CAT", b"DAN")


class Linked(Handheld):
    def __init__(self, pipe: Any, place: int, first: str) -> None:
        self.pipe = pipe
        store = [RamStore(), RamStore()]
        super().__init__(place * 1_000_003, store, first="menus.title", seed=None, recorder=Recorder(1 << 18))
        self.device.link = pipe
        letters = [LETTERS.index(letter) for letter in NAMES[place]]
        self.settings.initials = sum(number * len(LETTERS) ** at for at, number in enumerate(letters))
        self.settings.versus = VERSUS
        self.session.noise = place + 1
        if first != "menus.title":
            self.go(first)
            self.app.step()

    pictures = "link_"
    table: Any  # the Table that it is at
    match = property(attrgetter("scene.match"))
    link_session = property(attrgetter("scene.session"))

    @property
    def own_seat(self) -> Any:
        return self.match.seats[self.match.me]


class Table:
    """Handhelds in a ring: each TX goes to the RX of the next one."""

    def __init__(self, count: int = 2, first: str = "link.lobby", kind: type[Linked] = Linked) -> None:
        self.lines = [Line(random.Random(place), delay_ms=3) for place in range(count)]
        pipes = [Pipe(self.lines[place - 1], self.lines[place]) for place in range(count)]
        self.handhelds = [kind(pipe, place, first) for place, pipe in enumerate(pipes)]
        for handheld in self.handhelds:
            handheld.table = self
        self.now_ms = 0

    def step(self, frames: int = 1) -> None:
        for _ in range(frames):
            self.now_ms += FRAME_MS
            for line in self.lines:
                line.now_ms = self.now_ms
            for handheld in self.handhelds:
                handheld.step(FRAME_MS)

    def wait(self, until: Callable[[], bool], frames: int = 4000) -> None:
        for _ in range(frames):
            if until():
                return
            self.step()
        raise AssertionError([handheld.name for handheld in self.handhelds])

    def tap(self, place: int, *buttons: int, frames: int = 0) -> None:
        for button in buttons:
            self.handhelds[place].press(button)
            self.step()
        self.step(frames)

    def meet(self) -> Table:
        self.step()
        self.wait(lambda: all(self.lobby(i).is_whole() for i in range(len(self.handhelds))))
        self.step(30)
        return self

    def lobby(self, place: int) -> Any:
        return self.handhelds[place].scene.lobby

    def agree(self) -> None:
        """Press READY on each handheld, and wait for the countdown."""
        self.meet()
        for place in range(len(self.handhelds)):
            self.tap(place, A)
        self.wait(lambda: all(handheld.name == "link.play" for handheld in self.handhelds))

    def start_match(self) -> Table:
        """Press READY on each handheld, and wait for the start; return the table."""
        self.agree()
        self.wait(lambda: all(handheld.match.time_ms > 0 for handheld in self.handhelds))
        return self

    def cut(self, cut: bool = True) -> None:
        for line in self.lines:
            line.cut = cut

    def finish(self, place: int) -> None:
        """Let a player drop everything in the middle until the round is over for all."""
        self.wait(lambda: self.drop(place) and all(handheld.match.over for handheld in self.handhelds))
        self.step(80)

    def drop(self, place: int) -> bool:
        if self.handhelds[place].own_seat.out_ms == NOT_YET:
            self.handhelds[place].press(UP)
        return True

    def __getitem__(self, place: int) -> Linked:
        return self.handhelds[place]

    def number(self, place: int) -> int:
        return self[place].match.me
