"""Share what is costly to make: minified modules, answers of interpreters, and objects that stay."""

import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType
from typing import ClassVar

import pytest

from tests.support.turns import turn
from tools import interpreters
from tools.run_cache import Runs

# Tests start many processes, and pytest takes longer to rewrite asserts than to read them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.fixture(autouse=True, scope="session")
def _quick_collections() -> Iterator[None]:
    """Let the collector look at new objects alone: the game calls it at every change of scenes."""
    collect = gc.collect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "collect", lambda generation=0: collect(generation))
        yield


class _Kept(SourceFileLoader):
    """Read a module's file once: the game imports modules anew at every change of scenes."""

    codes: ClassVar[dict[str, CodeType]] = {}

    def get_code(self, fullname: str) -> CodeType | None:
        if self.path not in self.codes:
            code = super().get_code(fullname)
            assert code
            self.codes[self.path] = code
        return self.codes[self.path]


class _FirmwareFinder:
    """Find the modules of the firmware without a look at the disk, once they have been found."""

    found: ClassVar[dict[tuple[str, str], ModuleSpec]] = {}

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        if not name.startswith("firmware.") or not path:
            return None
        key = name, path[0]
        if key not in cls.found:
            spec = PathFinder.find_spec(name, path)
            if not spec or type(spec.loader) is not SourceFileLoader or spec.submodule_search_locations:
                return spec
            cls.found[key] = spec
        origin = str(cls.found[key].origin)
        return spec_from_file_location(name, origin, loader=_Kept(name, origin))


@pytest.fixture(autouse=True, scope="session")
def _quick_imports() -> Iterator[None]:
    sys.meta_path.insert(0, _FirmwareFinder)
    yield
    sys.meta_path.remove(_FirmwareFinder)


@pytest.fixture(autouse=True, scope="module")
def _little_to_collect() -> None:
    """Spare the collector what is there for good."""
    gc.collect(2)
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _one_cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what is minified, by what it was made of, for all tests, processes and runs; apart from the developer's."""
    folder = pytestconfig.rootpath / ".pytest_cache" / "skyline"
    folder.mkdir(parents=True, exist_ok=True)  # else Mesa complains in a window's words
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        if "PYTEST_XDIST_WORKER" in os.environ:
            # Many tests of a whole run need it: by one process, on all processors, while the others wait.
            from tools.deploy import DeployError
            from tools.measure import scenes

            lock = tmp_path_factory.getbasetemp().parent / "minified.lock"
            with turn(lock), contextlib.suppress(DeployError):  # whoever needs it says so
                scenes.deployed()
        yield


@pytest.fixture(autouse=True, scope="session")
def _one_run_of_each_script(pytestconfig: pytest.Config) -> Iterator[None]:
    """Keep what scripts answer on MicroPython while no file that they could read is changed."""
    with interpreters.caching(Runs(pytestconfig.rootpath / ".pytest_cache" / "skyline" / "runs")):
        yield
