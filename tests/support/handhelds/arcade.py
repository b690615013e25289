"""Play matches with several persons on one device."""

from collections.abc import Sequence
from typing import Any

from firmware.engine import controls
from firmware.match.match import Match
from firmware.match.seat import NOT_YET
from firmware.save import match_choices
from firmware.save.recorder import Recorder
from firmware.scenes.play_state import READY
from tests.support.drill import CODES
from tests.support.handhelds.handheld import VERSUS, Handheld

LEFT, RIGHT, DOWN, UP = controls.LEFT, controls.RIGHT, controls.SOFT_DROP, controls.HARD_DROP
A, B, HOLD, START = controls.ROTATE_CW, controls.ROTATE_CCW, controls.HOLD, controls.PAUSE
TOWER = "....##....\n" * 19  # of a player whose next Hard Drop is the last


class Arcade(Handheld):
    """A Handheld at a match; `choices` are set by the names of firmware/save/match_choices.py.

    waits: whether rounds begin with READY; else each begins in the frame that would show it.
    """

    pictures = "match_"
    waits = False

    def __init__(
        self, first: str = "match.play", subject: object = None, store: Sequence[object] = (), **choices: int
    ) -> None:
        super().__init__(store=store, first="menus.title", recorder=Recorder(1 << 20))
        chosen = match_choices.unpack(VERSUS)
        for name, value in choices.items():
            chosen[getattr(match_choices, name)] = value
        self.settings.versus = match_choices.pack(chosen)
        if first != "menus.title":
            self.open(first, subject, ms=0)

    def step(self, ms: int = 16, frames: int = 1) -> bytes:
        for _ in range(frames):
            super().step(ms)
            scene = self.scene
            counts = self.name == "match.play" and scene.state == READY
            if not self.waits and counts and ("READY", 900) in scene.cover.words:
                scene.cover.begin(scene.last_ms)
        return self.picture()

    @property
    def match(self) -> Match:
        return self.scene.match

    def play_until_out(self) -> None:
        while self.match.seats[0].out_ms == NOT_YET:
            self.tap(UP)
            self.step(16, 15)

    def finish_round(self) -> None:
        self.wait_until(lambda: self.match.over)
        self.step()

    def lose_round(self, frames: int = 0) -> None:
        """Let the person lose the round, then run frames: the result accepts presses after 80."""
        self.play_until_out()
        self.finish_round()
        self.step(frames=frames)


def set_matrix(match: Match, number: int, matrix: str) -> None:
    """Set the Matrix of a player; the lowest row comes last."""
    rows = matrix.split()[::-1]
    for y, row in enumerate([*rows, *["." * 10] * (40 - len(rows))]):
        match.seats[number].game.matrix.set_row(y, bytes(CODES.index(cell) for cell in row))


def begin(ms: int = 30 * 16, **choices: Any) -> Arcade:
    arcade = Arcade(**choices)
    arcade.step(16, ms // 16)
    return arcade
