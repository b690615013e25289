"""Hold an emulated handheld in a test: booted once, and found wanting by pytest."""

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
    """Return CircuitPython's UF2; skip the test where there is none."""
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
    """Return a handheld at the title, which was on once before, and its snapshot."""
    settings = LINK_SETTINGS if link else ()
    handheld = make_player(find_uf2(), deployed(), nvm=nvm, settings=settings, seed=seed).handheld
    return handheld, handheld.snapshot()


def make_console(versus: dict[int, int] | None = None, **fields: int) -> Console:
    """Return a console whose handheld shows the title, with settings as make_nvm() has them."""
    handheld, snapshot = boot(make_nvm(versus, **fields))
    handheld.restore(snapshot)
    return Console(handheld)


class Console(Player):
    """A player whose test fails where the way is lost."""

    def fail(self, reason: str) -> NoReturn:
        """Fail with the time, the screen and the traceback."""
        __tracebackhide__ = True
        try:
            super().fail(reason)
        except BoardError as lost:
            pytest.fail(str(lost), pytrace=True)


class Figures(heap_watch.Figures):
    """Figures that a test asks something of."""

    def check(self, free: int = 8192, block: int = 4096) -> None:
        """Fail where less was free, or only in smaller blocks."""
        print("HEAP", self)
        assert all(least >= free and largest >= block for least, largest in self.least().values()), str(self)


@contextmanager
def watch_heap(handheld: Handheld) -> Iterator[Figures]:
    """Note the heap of a handheld after every collection of its own, and when asked."""
    with HeapWatch(handheld) as watch:
        yield Figures(watch)


LEVEL_5 = 4


ONE = {OPPONENTS: 0, LEVELS: LEVEL_5}


THREE = {OPPONENTS: 2, LEVELS: LEVEL_5, LEVELS + 1: LEVEL_5, LEVELS + 2: LEVEL_5}
