"""After the first visit the page needs no network, and a new version keeps the saves."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.host import Host
from tests.web.visit import Visit


@pytest.fixture
def host(dist: Path, tmp_path: Path) -> Iterator[Host]:
    """Serve a copy of the page from a subfolder."""
    shutil.copytree(dist, tmp_path / "games" / "skyline")
    host = Host(tmp_path)
    yield host
    host.close()


def test_page_works_offline_and_takes_a_new_version_with_its_saves(browser: Any, host: Host) -> None:
    visit = Visit(browser, host.address + "games/skyline/").open()
    visit.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visit.begin_game().press("Space")
    score = visit.ask("handheld.app.router.scene.game.score")
    assert sum(url.endswith("/unpacker.js") for url in visit.requests) == 3
    visit.requests.clear()
    visit.reload()
    assert not [url for url in visit.requests if url.endswith("/unpacker.js")]  # because the files are kept unpacked

    for name in ("index.html", "sw.js"):  # a new version, as after the next deployment
        path = host.folder / "games" / "skyline" / name
        path.write_text(re.sub("skyline-[0-9a-f]{10}", "skyline-0123456789", path.read_text()) + "\n")
    visit.page.evaluate("navigator.serviceWorker.getRegistration().then(found => found.update()).then(() => true)")
    visit.page.wait_for_selector("#notice button")
    assert "new version" in visit.notice
    with visit.page.expect_navigation():
        visit.page.click("#notice button")
    visit.wait()
    assert visit.page.evaluate("caches.keys()") == ["skyline-0123456789"]

    host.close()
    visit.page.goto(visit.address + "index.html?from=home")
    visit.wait()
    visit.resume()
    assert visit.ask("handheld.app.router.scene.game.score") == score > 0 and visit.problems == []
    visit.close()
