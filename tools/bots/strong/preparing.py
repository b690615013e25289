"""Compile the search before the first game, and print a line if that takes long."""

from functools import cache

import numba
import numpy as np

from sim import terminal
from tools.bots.strong.compiling import compiled
from tools.bots.strong.search import Search


@cache
def prepare() -> None:
    """Compile for this Python, Numba and processor unless the cache has it all."""
    if not numba.config.DISABLE_JIT and not compiled.is_ready():
        words = "compiling the strong player for this Python and processor, once: about 20 s"
        terminal.note("tools.bots", words)
        compiled.compile_all(call_every_function)


def call_every_function() -> None:
    search = Search(widest=64)
    search.set_position(np.zeros(10, np.int64), 1, 0, [2, 3])
    search.budget = 100
    search.think(100)
    search.choose_ahead(100)
    search.play(search.choose())
    search.append(4)
    search.expect_garbage(1, 0)
    search.think(100)
