"""Use an emulated handheld in a test: it boots once, and its failures are pytest's."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest

from firmware.save.match_choices import LEVELS, OPPONENTS
from tools.board import BoardError, drive, firmware_image, heap_watch
from tools.board.handheld import Handheld
from tools.board.heap_watch import HeapWatch
from tools.board.machine import Snapshot
from tools.board.player import MOVES, Player, Still, loading, make_nvm, make_player, reads
from tools.board.wires import LINK_SETTINGS

__all__ = ["MOVES", "Console", "Figures", "Still", "boot", "deployed", "find_uf2", "loading"]
__all__ += ["make_console", "make_nvm", "reads", "watch_heap"]


@functools.cache
def find_uf2():
    """Return CircuitPython's UF2; skip the test if there is none."""
    try:
        return firmware_image.find()
    except BoardError as missing:
        pytest.skip(str(missing))


@functools.cache
def deployed(*options: str) -> dict[str, bytes]:
    """Return the files of the drive as tools.deploy makes them."""
    return drive.deploy_files(list(options))


@functools.cache
def boot(nvm: bytes, link: bool = False, seed: int = 1) -> tuple[Handheld, Snapshot]:
    """Return a handheld at the title, switched on for the second time, and its snapshot."""
    settings = LINK_SETTINGS if link else ()
    handheld = make_player(find_uf2(), deployed(), nvm=nvm, settings=settings, seed=seed).handheld
    return handheld, handheld.snapshot()


def make_console(versus: dict[int, int] | None = None, **fields: int) -> Console:
    """Return a console whose handheld shows the title, with the settings of make_nvm()."""
    handheld, snapshot = boot(make_nvm(versus, **fields))
    handheld.restore(snapshot)
    return Console(handheld)


class Console(Player):
    """A player that fails the test if it does not find its way."""

    def fail(self, reason: str) -> NoReturn:
        """Fail with the time, the screen and the traceback."""
        __tracebackhide__ = True
        try:
            super().fail(reason)
        except BoardError as lost:
            pytest.fail(str(lost), pytrace=True)


class Figures(heap_watch.Figures):
    """Figures that a test can check."""

    def check(self, free: int = 8192, block: int = 4096) -> None:
        """Fail if fewer bytes or only smaller blocks were free."""
        print("HEAP", self)
        assert all(least >= free and largest >= block for least, largest in self.least().values()), str(self)


@contextmanager
def watch_heap(handheld: Handheld) -> Iterator[Figures]:
    """Measure the heap of a handheld after each of its own collections, and on demand."""
    with HeapWatch(handheld) as watch:
        yield Figures(watch)


LEVEL_5 = 4
ONE = {OPPONENTS: 0, LEVELS: LEVEL_5}
THREE = {OPPONENTS: 2, LEVELS: LEVEL_5, LEVELS + 1: LEVEL_5, LEVELS + 2: LEVEL_5}
