"""Compile the search before the first game, and print a line if that takes long."""

import platform
from contextlib import suppress
from functools import cache

import numba
import numpy as np
from llvmlite.binding import get_host_cpu_name

from sim import terminal
from sim.ownership import remove_folder
from tools.bots.strong.compiling import compiled
from tools.bots.strong.search import Search


@cache
def prepare() -> None:
    """Compile for this Python, Numba and processor, or load the cache; replace a damaged cache."""
    if numba.config.DISABLE_JIT:
        return
    python = f"{platform.python_implementation()}-{platform.python_version()}"
    mark = compiled.folder / f"{python}-{numba.__version__}-{get_host_cpu_name()}"
    if mark.exists():
        try:
            call_every_function()
            return
        except Exception:  # a damaged file may raise any exception
            with suppress(OSError):
                remove_folder(compiled.folder, mark.name)
    terminal.note("tools.bots", "compiling the strong player for this Python and processor, once: about 20 s")
    call_every_function()
    if compiled.folder.exists():  # missing if the user chose another folder
        mark.touch()


def call_every_function() -> None:
    """Call every compiled function once."""
    search = Search(widest=64)
    search.set_position(np.zeros(10, np.int64), 1, 0, [2, 3])
    search.budget = 100
    search.think(100)
    search.play(search.choose())
    search.append(4)
    search.expect_garbage(1, 0)
    search.think(100)
