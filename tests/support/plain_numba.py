"""Load modules of compiled functions as plain Python."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numba


@contextmanager
def load_plain(*names: str) -> Iterator[Any]:
    """Yield these modules of tools.bots by their last names, as plain Python even if others compiled them."""

    def pop_modules() -> dict[str, Any]:
        compiled = ("tools.bots.batch", "tools.bots.perft", "tools.bots.strong", "tools.bots.vector_env")
        return {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(compiled)}

    others = pop_modules()
    numba.config.DISABLE_JIT = 1
    try:
        modules = [importlib.import_module(f"tools.bots.{name}") for name in names]
        yield SimpleNamespace(**dict(zip((name.split(".")[-1] for name in names), modules, strict=True)))
    finally:
        numba.config.DISABLE_JIT = 0
        pop_modules()
        sys.modules.update(others)
