"""Take turns and share the work of several processes of one run."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.running import ROOT

# These start a browser, Node or a compiler: first, and so in one process; the other takes short tests from the end.
HEAVY = ("test_web_", "test_tetress_agent")


def pytest_collection(session: pytest.Session) -> None:
    """Import from the end in every other process: of a fresh clone each rewrites the assertions of half the tests."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if session.config.args_source is pytest.Config.ArgsSource.TESTPATHS and int(worker[2:]) & 1:
        for path in sorted((ROOT / "tests").glob("*/test_*.py"), reverse=True):
            with contextlib.suppress(Exception, pytest.skip.Exception):  # whoever collects it says so
                importlib.import_module(f"tests.{path.parent.name}.{path.stem}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.path.name.startswith(HEAVY))


@contextlib.contextmanager
def turn(path: Path) -> Iterator[None]:
    """Let only one process in at a time; without fcntl, all at once."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
