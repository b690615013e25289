"""Players of Tetress with one fault each, and one that reports its arguments."""

import os
import sys
import threading
from collections.abc import Callable
from typing import NoReturn


def fail(problem: Exception) -> NoReturn:
    raise problem


def count_far() -> object:
    for _ in range(30_000_000):
        pass
    return ANSWERS["Wrong"]()


# The answers of faulty players: illegal actions or wrong types, or a function that fails, ends its process or is slow.
ANSWERS: dict[str, Callable[[], object]] = {
    "Wrong": lambda: [(0, 0), (0, 1), (0, 2), (0, 3)],
    "Raising": lambda: fail(KeyError("what")),
    "Leaving": lambda: sys.exit(3),
    "Dying": lambda: os._exit(3),
    "Nothing": lambda: None,
    "Words": lambda: "PLACE[(0,0), (0,1), (0,2), (0,3)]",
    "Halves": lambda: [(0.5, 0.5)] * 4,
    "Endless": lambda: iter(lambda: (0, 0), None),
    "Burning": count_far,
    "Sleeping": threading.Event().wait,
}


class Answering:
    def __init__(self, colour: int, name: str = "Wrong") -> None:
        self.answer = ANSWERS[name]

    def choose(self) -> object:
        return self.answer()

    def update(self, colour: int, cells: object) -> None:
        pass


class Unmade(Answering):
    """Fail in the constructor."""

    def __init__(self, colour: int) -> None:
        raise RuntimeError("no way\x1b[2J\nto begin")


class Deaf(Answering):
    """Fail in update()."""

    def update(self, colour: int, cells: object) -> None:
        raise ValueError("not heard")


class Telling(Answering):
    def __init__(self, colour: int, seed: int = 0, seconds: float = 0.0) -> None:
        self.told = (colour, seconds, seed)

    def choose(self, seconds_left: float = 0.0) -> object:
        colour, seconds, seed = self.told
        raise RuntimeError(f"{colour} {seconds:g} {seed} {0 < seconds_left < seconds}")


def burning(colour: int) -> Answering:
    return Answering(colour, "Burning")


def sleeping(colour: int) -> Answering:
    return Answering(colour, "Sleeping")


KINDS = ["Wrong", "Unmade", "Raising", "Deaf", "Leaving", "Dying", "Telling", "Nothing", "Words", "Halves", "Endless"]


def various(colour: int, seed: int = 0, seconds: float = 0.0) -> Answering:
    name = KINDS[seed]
    if name in ANSWERS:
        return Answering(colour, name)
    if name == "Telling":
        return Telling(colour, seed, seconds)
    return Deaf(colour) if name == "Deaf" else Unmade(colour)
