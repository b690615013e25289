"""Count the depth of nested calls on a board's stack."""

import random
import sys
from types import CodeType, FrameType

from tests.support.handhelds.handheld import Handheld

DEEPEST = 12  # calls, from App.step on
DEEPEST_OF_A_MATCH = 15  # an attack passes through the seat and the match
# What a line of a menu or of a pause does before its scene changes, and the first picture under a countdown. TRAIN, at
# 14 calls, takes a board 1,192 of the 2,048 bytes of its stack (tests/board/test_board_stack.py).
DEEPEST_OF_A_MENU = 15
NAMES_OF_CODE: dict[int, str] = {}  # by id, because hashing a code object takes long
KEPT: list[CodeType] = []  # kept alive, so that no other object gets its id


def name_call(code: CodeType) -> str:
    """Return file and function of a call within firmware/, or "" for others."""
    path = code.co_filename.replace("\\", "/")
    # Only some Pythons treat comprehensions as calls.
    if "/firmware/" not in path or code.co_name.startswith("<"):
        return ""
    return f"{path.rpartition('/')[2]}:{code.co_name}"


class Depth:
    """Count nested calls within firmware/ and keep the longest chain."""

    def __init__(self) -> None:
        self.stack: list[str] = []
        self.longest: list[str] = []

    def see(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" and event != "return":
            return
        code = frame.f_code
        name = NAMES_OF_CODE.get(id(code))
        if name is None:
            name = NAMES_OF_CODE[id(code)] = name_call(code)
            KEPT.append(code)
        if not name:
            return
        if event == "call":
            self.stack.append(name)
            if len(self.stack) > len(self.longest):
                self.longest = list(self.stack)
        elif self.stack:
            self.stack.pop()

    def of(self, handheld: Handheld, frames: int, ms: int = 16, mash: bool = True) -> list[str]:
        """Run frames while buttons are pressed at random; return the longest chain of calls."""
        chance = random.Random(7)
        for _ in range(frames):
            if mash and chance.random() < 0.7:
                handheld.press(chance.choice([0, 0, 1, 1, 2, 3, 4, 5, 6]), 20)
            sys.setprofile(self.see)
            try:
                handheld.step(ms)
            finally:
                sys.setprofile(None)
            self.stack.clear()
        return self.longest


def is_short(chain: list[str]) -> bool:
    # The first call is ChipDisplay's or App's; calls of the simulator do not count.
    return len(chain) <= DEEPEST
