"""Share what is costly to make: minified modules, answers of interpreters, and objects that stay."""

import contextlib
import gc
import os
from collections.abc import Iterator

import pytest

from tests.support.turns import turn
from tools import interpreters
from tools.run_cache import Runs


@pytest.fixture(autouse=True, scope="module")
def _little_to_collect() -> None:
    """Spare the collector what is there for good: the game calls it at every change of scenes."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _one_cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what is minified, by what it was made of, for all tests, processes and runs; apart from the developer's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(pytestconfig.rootpath / ".pytest_cache" / "skyline"))
        if "PYTEST_XDIST_WORKER" in os.environ:
            # Many tests of a whole run need it: by one process, on all processors, while the others wait.
            from tools.deploy import DeployError
            from tools.measure import scenes

            lock = tmp_path_factory.getbasetemp().parent / "minified.lock"
            with turn(lock), contextlib.suppress(DeployError):  # whoever needs it says so
                scenes.deployed()
        yield


@pytest.fixture(autouse=True, scope="session")
def _one_run_of_each_script(pytestconfig: pytest.Config) -> None:
    """Keep what scripts answer on MicroPython while no file that they could read is changed."""
    interpreters.cache = Runs(pytestconfig.rootpath / ".pytest_cache" / "skyline" / "runs")
