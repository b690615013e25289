"""A faked Raspberry Pi Pico for the tests of the board's own code."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import hypothesis
import pytest

from sim.chip import Ssd1306Chip
from tests.support import needs
from tests.support.placed import watch_texts
from tools import interpreters
from tools.run_cache import Runs
from tools.web import npm

# Fetched once, not every run: it is none of what a run makes.
PACKAGES = npm.cache_path()
ROOT = Path(__file__).parents[1]
FAKES = Path(__file__).parent / "fakes" / "circuitpython"

# Modules of firmware.device that import no hardware; the others are imported anew for every board.
PLAIN = (
    "chords",
    "edges",
    "half_turn",
    "handheld",
    "nvm",
    "config_error",
    "replay_files",
    "ssd1306",
    "chip",
    "settings_file",
    "wiring",
    "wiring_reading",
)

# No test fails because a machine is busy: nothing here has a deadline. And none fails by chance: the examples are
# the same every run, but for `--hypothesis-profile=chance`, which looks for new ones.
# tools.mutants runs the tests several times in one process, which is another "executor" each time.
UNHURRIED = hypothesis.settings(
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.differing_executors],
)
hypothesis.settings.register_profile("skyline", UNHURRIED, derandomize=True, database=None)
hypothesis.settings.register_profile("chance", UNHURRIED)
hypothesis.settings.load_profile("skyline")


# These start a browser, Node or a compiler: first, and so in one process; the other takes short tests from the end.
HEAVY = ("test_web_", "test_tetress_agent")


def pytest_configure(config: pytest.Config) -> None:
    # What a shell starts in the background ignores Ctrl+C, and so would all that tests start and end by it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection(session: pytest.Session) -> None:
    """Import from the end in every other process: of a fresh clone each rewrites the assertions of half the tests."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if session.config.args_source is pytest.Config.ArgsSource.TESTPATHS and int(worker[2:]) & 1:
        for path in sorted(Path(__file__).parent.glob("*/test_*.py"), reverse=True):
            with contextlib.suppress(Exception, pytest.skip.Exception):  # whoever collects it says so
                importlib.import_module(f"tests.{path.parent.name}.{path.stem}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.path.name.startswith(HEAVY))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say in one line a part what was skipped; keep the names of these tests for `pytest @FILE` on another machine."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("skipped", "=")
        for line in needs.summarize(skipped):
            terminalreporter.write_line(line)
    ran = {report.nodeid for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])}
    with contextlib.suppress(OSError):
        needs.keep(config.rootpath / ".pytest_cache" / "skyline" / "skipped", {each.nodeid for each in skipped}, ran)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody can enter; pytest's own folders are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture
def pc_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the PC's time pass by sleeping alone, however busy it is."""
    now_ns = 0

    def sleep(seconds: float) -> None:
        nonlocal now_ns
        now_ns += round(seconds * 1e9)

    monkeypatch.setattr("sim.clock.time", SimpleNamespace(monotonic_ns=lambda: now_ns, sleep=sleep))


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give SDL a screen and a loudspeaker of its own."""
    import pygame
    from pygame._sdl2 import controller

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    controller.quit()  # pygame.quit() leaves it half open
    pygame.quit()


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
            from tests.web import realm
            from tools.deploy import DeployError
            from tools.measure import scenes

            lock = tmp_path_factory.getbasetemp().parent / "minified.lock"
            with realm.turn(lock), contextlib.suppress(DeployError):  # whoever needs it says so
                scenes.deployed()
        yield


@pytest.fixture(autouse=True, scope="session")
def _one_run_of_each_script(pytestconfig: pytest.Config) -> None:
    """Keep what scripts answer on MicroPython while no file that they could read is changed."""
    interpreters.cache = Runs(pytestconfig.rootpath / ".pytest_cache" / "skyline" / "runs")


@pytest.fixture(autouse=True)
def _texts_in_place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test shows on a canvas, every text of it is at its place; but the canvas itself clips."""
    if request.module.__name__ != "tests.view.test_canvas":
        watch_texts(monkeypatch)


@pytest.fixture
def workbench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """A bare board with an OLED on its bus, under the import names of CircuitPython; its drive is `tmp_path`."""
    forget_modules()
    kept = {path: module for path, module in sys.modules.items() if path.startswith("firmware.")}
    monkeypatch.syspath_prepend(str(FAKES))
    monkeypatch.chdir(tmp_path)
    bench = importlib.import_module("workbench").bench
    bench.chips.append(Ssd1306Chip())
    monkeypatch.setattr(time, "sleep", bench.sleep)
    ask_drive, ask_pc = importlib.import_module("settings_toml").ask_drive, os.getenv
    monkeypatch.setattr(
        os, "getenv", lambda key, *rest: (ask_drive if "skyline" in key.lower() else ask_pc)(key, *rest)
    )
    monkeypatch.setattr(
        os, "uname", lambda: os.uname_result((bench.chip, bench.chip, "10.0.0", "10.0.0", bench.board_id))
    )
    yield bench
    forget_modules()
    # What a start forgets comes back: other tests hold classes of these modules.
    for path, module in kept.items():
        sys.modules[path] = module
        package, _, name = path.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], name, module)


def forget_modules() -> None:
    """Let nothing of another test's board, nor of Blinka's, stay imported."""
    for path in FAKES.glob("*.py"):
        sys.modules.pop(path.stem, None)
    for path in (ROOT / "firmware" / "device").rglob("[!_]*.py"):
        if path.stem not in (*PLAIN, "__init__"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            sys.modules.pop(name, None)
            package = sys.modules.get(name.rpartition(".")[0])
            if package:
                vars(package).pop(path.stem, None)


@pytest.fixture
def pico(workbench: Any) -> ModuleType:
    return importlib.import_module("firmware.device.boot.pico")


@pytest.fixture
def device(pico: ModuleType) -> Any:
    return pico.build()


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that tools.web makes, with the parts of its scripts; skipped where nothing can be fetched."""
    from sim.ownership import write_folder
    from tests.web import realm
    from tools.web import dist as made

    realm.fetch_packages(PACKAGES)
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / "dist"
    with realm.turn(base / "dist.lock"):  # whoever comes second finds it there
        if not folder.exists():
            write_folder(base / "dist.new", made.build(PACKAGES), made.MARKER)
            realm.part(base / "dist.new", PACKAGES)
            (base / "dist.new").rename(folder)
    return folder


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    """The address of that folder, served."""
    from tests.web.host import Host

    with contextlib.closing(Host(dist)) as host:
        yield host.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser without a window; skipped where there is none."""
    from playwright.sync_api import sync_playwright

    from tools.web.browse import find_browser

    needs.demand("chromium")
    with sync_playwright() as playwright:
        # One process for all pages, and none for a graphics card: what both take is time of processors that all share.
        spared = ["--disable-gpu", "--renderer-process-limit=1"]
        running = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", *spared])
        yield running
        running.close()


@pytest.fixture
def visits(browser: Any, site: str) -> Iterator[Any]:
    """What makes visits to the page that nobody was at before."""
    from tests.web.visit import Visit

    made: list[Visit] = []

    def make(**how: Any) -> Any:
        made.append(Visit(browser, site, **how))
        return made[-1]

    yield make
    for visit in made:
        visit.close()
