"""Use an emulated handheld in a test: it boots once."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware.save.match_choices import LEVELS, OPPONENTS
from tests.support import needs
from tools.board import drive, firmware_image, heap_watch
from tools.board.bench import Bench
from tools.board.handheld import Handheld, make_handheld
from tools.board.heap_watch import HeapWatch
from tools.board.nvm import make_nvm
from tools.board.player import Player


@functools.cache
def find_uf2() -> Path:
    """Return the UF2 in SKYLINE_UF2, else the newest that is here; skip the test if there is none."""
    needs.demand("uf2")
    return firmware_image.find()


# For what differs between versions of CircuitPython: a test with a parameter `uf2` runs on each that is here.
_found: dict[str, Path | None] = {**firmware_image.find_all()} or {"none": None}
each_uf2 = pytest.mark.parametrize("uf2", _found.values(), ids=_found.keys())


@functools.cache
def deployed(*options: str) -> dict[str, bytes]:
    """Return the files of the drive as tools.deploy makes them."""
    return drive.deploy_files(list(options))


@functools.cache
def bench(uf2: Path | None = None) -> Bench:
    """Return the bench of all tests, so that each handheld boots once."""
    return Bench(uf2 or find_uf2(), deployed())


def make_console(versus: dict[int, int] | None = None, uf2: Path | None = None, **fields: int) -> Player:
    """Return a player whose handheld shows the title, with the settings of make_nvm()."""
    return bench(uf2).to_title(make_nvm(versus, **fields))


def run_code(*lines: str, files: dict[str, bytes] | None = None, **how: Any) -> Handheld:
    """Return a board that runs a code.py of these lines and has printed DONE; how: arguments of make_handheld()."""
    code = "\n".join(["import time", "time.sleep(0.5)  # output is lost until the computer opens the port", *lines])
    handheld = make_handheld(find_uf2(), {"code.py": code.encode(), **(files or {})}, **how)
    assert handheld.run_until(lambda: "DONE" in handheld.serial or bool(handheld.problem), 20), handheld.serial
    assert not handheld.problem, handheld.problem
    return handheld


class Figures(heap_watch.Figures):
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
