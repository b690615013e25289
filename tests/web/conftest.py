"""The page, served, and browsers that visit it."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.ownership import write_folder
from tests.support import needs
from tests.support.turns import turn
from tests.web import axe, realm
from tests.web.host import Host
from tests.web.page_saves import lose, wait_for_games
from tests.web.realm import PACKAGES
from tests.web.visit import Visit, visiting
from tools.web import dist as made
from tools.web.browse import find_browser


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that tools.web makes, with the parts of its scripts; skipped where nothing can be fetched."""
    realm.fetch_packages(PACKAGES)
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder = base / "dist"
    with turn(base / "dist.lock"):  # whoever comes second finds it there
        if not folder.exists():
            write_folder(base / "dist.new", made.build(PACKAGES), made.MARKER)
            realm.part(base / "dist.new", PACKAGES)
            (base / "dist.new").rename(folder)
    return folder


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    with contextlib.closing(Host(dist)) as host:
        yield host.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser without a window; skipped where there is none."""
    from playwright.sync_api import sync_playwright

    needs.demand("chromium")
    with sync_playwright() as playwright:
        # One process for all pages, and none for a graphics card: what both take is time of processors that all share.
        spared = ["--disable-gpu", "--renderer-process-limit=1"]
        running = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", *spared])
        yield running
        running.close()


@pytest.fixture(scope="session")
def lost(browser: Any, site: str) -> Any:
    """What a browser keeps after a lost game."""
    with visiting(browser, site) as visit:
        lose(visit.begin_game())
        assert visit.state("ENDED")
        visit.advance(5000)
        wait_for_games(visit, 1)
        return visit.context.storage_state(indexed_db=True)


@pytest.fixture(scope="session")
def script() -> str:
    """Axe's script; skipped where it cannot be fetched."""
    with needs.registry():
        return axe.read(PACKAGES)


@pytest.fixture(scope="module")
def _usual(browser: Any, site: str) -> Iterator[Visit]:
    visit = Visit(browser, site)
    yield visit
    visit.close()


@pytest.fixture
def visit(_usual: Visit) -> Visit:
    """A desk that nobody was at before; unlike those of `visits` it has the files of the page already."""
    return _usual.begin_anew()


@pytest.fixture
def visits(browser: Any, site: str) -> Iterator[Any]:
    """What makes visits to the page that nobody was at before."""
    opened: list[Visit] = []

    def make(**how: Any) -> Any:
        opened.append(Visit(browser, site, **how))
        return opened[-1]

    yield make
    for visit in opened:
        visit.close()


@pytest.fixture(scope="module")
def _played(browser: Any, site: str) -> Iterator[Visit]:
    with visiting(browser, site) as visit:
        yield visit.begin_game()


@pytest.fixture
def playing(_played: Visit) -> Visit:
    """A desk with a game in play and no button down, for tests that restore its state."""
    if not _played.state("PLAYING"):
        _played.press("Escape")
        _played.advance(100)
    assert _played.state("PLAYING")
    return _played
