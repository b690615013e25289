"""Players of Tetress that do one thing wrong each, and one that tells what it was told."""

import os
import sys
import threading


class Wrong:
    """Play what is not allowed: four cells that are soon occupied."""

    def __init__(self, colour: int) -> None:
        pass

    def choose(self) -> object:
        return [(0, 0), (0, 1), (0, 2), (0, 3)]

    def update(self, colour: int, cells: object) -> None:
        pass


class Unmade(Wrong):
    """Fail before the game."""

    def __init__(self, colour: int) -> None:
        raise RuntimeError("no way\x1b[2J\nto begin")


class Raising(Wrong):
    """Fail when asked."""

    def choose(self) -> object:
        raise KeyError("what")


class Deaf(Wrong):
    """Fail when told."""

    def update(self, colour: int, cells: object) -> None:
        raise ValueError("not heard")


class Leaving(Wrong):
    """End its process as a program does."""

    def choose(self) -> object:
        sys.exit(3)


class Dying(Wrong):
    """End its process as a crash does."""

    def choose(self) -> object:
        os._exit(3)


class Burning(Wrong):
    """Use up more time than there is."""

    def choose(self) -> object:
        for _ in range(30_000_000):
            pass
        return Wrong.choose(self)


class Sleeping(Wrong):
    """Never answer, and use no time either."""

    def choose(self) -> object:
        return threading.Event().wait()


class Telling(Wrong):
    """Raise what was told, which is no four cells."""

    def __init__(self, colour: int, seed: int = 0, seconds: float = 0.0) -> None:
        self.told = (colour, seconds, seed)

    def choose(self, seconds_left: float = 0.0) -> object:
        colour, seconds, seed = self.told
        raise RuntimeError(f"{colour} {seconds:g} {seed} {0 < seconds_left < seconds}")


class Nothing(Wrong):
    """Return nothing."""

    def choose(self) -> object:
        return None


class Words(Wrong):
    """Return what people would write."""

    def choose(self) -> object:
        return "PLACE[(0,0), (0,1), (0,2), (0,3)]"


class Halves(Wrong):
    """Return numbers between cells."""

    def choose(self) -> object:
        return [(0.5, 0.5)] * 4


class Endless(Wrong):
    """Return cells without end."""

    def choose(self) -> object:
        return iter(lambda: (0, 0), None)


KINDS = (Wrong, Unmade, Raising, Deaf, Leaving, Dying, Telling, Nothing, Words, Halves, Endless)


def various(colour: int, seed: int = 0, seconds: float = 0.0) -> Wrong:
    """Be one after the other, two games each."""
    kind = KINDS[seed]
    return Telling(colour, seed, seconds) if kind is Telling else kind(colour)
