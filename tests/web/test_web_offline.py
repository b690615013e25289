"""After the first visit the page needs no network, and a new version keeps the saves."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.host import Host
from tests.web.page_saves import lose
from tests.web.visit import Visit


@pytest.fixture
def host(dist: Path, tmp_path: Path) -> Iterator[Host]:
    """Serve a copy of the page from a subfolder."""
    shutil.copytree(dist, tmp_path / "games" / "skyline")
    host = Host(tmp_path)
    yield host
    host.close()


INSTALL = """async () => {
    const found = await navigator.serviceWorker.register("sw.js");
    const worker = found.installing ?? (await found.update()).installing;
    return new Promise((resolve) => {
        const look = () => ["installed", "redundant"].includes(worker.state) && resolve(worker.state);
        worker.addEventListener("statechange", look);
        look();
    });
}"""

KEPT = """async (names) => {
    const found = await Promise.all(names.map((name) => caches.match(new URL(name, location.href))));
    return found.filter(Boolean).length;
}"""


def find_file(host: Host, name: str) -> Path:
    page = host.folder / "games" / "skyline"
    return next(page.glob(f"app-*/{name}"), page / name)


def publish(host: Host) -> None:
    """Make a new version of the page, as the next deployment does."""
    page, worker = find_file(host, "index.html"), find_file(host, "sw.js")
    content = page.read_bytes()
    old, new = (hashlib.sha256(each).hexdigest()[:8] for each in (content, content + b"\n"))
    spoil(page, "of another build")
    text = re.sub("skyline-[0-9a-f]{10}", "skyline-0123456789", worker.read_text())
    worker.write_text(text.replace(old, new))


def spoil(path: Path, how: str) -> bytes:
    """Make a file as a host has it in the middle of an upload; return what it was."""
    content = path.read_bytes()
    if how == "missing":
        path.unlink()
    else:
        made = {"cut": content[:-100], "a portal's page": b"<!doctype html>Please log in to the Wi-Fi"}
        path.write_bytes(made.get(how, content + b"\n"))
    return content


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("unpacker.js", "missing"),
        ("unpacker.js", "cut"),
        ("index.html", "of another build"),
        ("index.html", "a portal's page"),
        ("icon-512.png", "missing"),
    ],
)
def test_a_half_uploaded_build_is_not_kept_until_it_is_whole(browser: Any, host: Host, name: str, how: str) -> None:
    path = find_file(host, name)
    content = spoil(path, how)
    page = browser.new_context().new_page()
    page.goto(f"{host.address}games/skyline/licences.txt")
    assert page.evaluate(INSTALL) == "redundant"
    assert page.evaluate("caches.keys()") == []

    path.write_bytes(content)
    assert page.evaluate(INSTALL) == "installed"
    assert len(page.evaluate("caches.keys()")) == 1
    page.context.close()


def test_a_half_uploaded_update_leaves_the_version_before_it(browser: Any, host: Host) -> None:
    visit = Visit(browser, host.address + "games/skyline/", worker=True).open()
    visit.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    before = visit.page.evaluate("caches.keys()")
    publish(host)
    spoil(find_file(host, "builder.html"), "missing")  # which the first visit did not ask for
    assert visit.page.evaluate(INSTALL) == "redundant"
    assert visit.page.evaluate("caches.keys()") == before

    host.close()
    visit.reload()
    assert visit.scene == "menus.title" and visit.problems == []
    visit.close()


def test_builders_page_and_licences_work_offline_once_a_game_has_ended(browser: Any, host: Host) -> None:
    visit = Visit(browser, host.address + "games/skyline/", worker=True).open()
    visit.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    later = ["builder.html", "builder-board.png", "licences.txt"]
    assert visit.page.evaluate(KEPT, later) == 0
    visit.begin_game()
    lose(visit)
    # Not by wait_for_function, which does not wait for promises.
    while visit.page.evaluate(KEPT, later) < len(later):
        visit.page.wait_for_timeout(50)

    host.close()
    page = visit.context.new_page()
    page.goto(visit.address + "builder.html")
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.locator("img").evaluate("picture => picture.naturalWidth") > 0
    page.goto(visit.address + "licences.txt")
    assert "The MIT License" in page.inner_text("body") and visit.problems == []
    visit.close()


def test_page_works_offline_and_takes_a_new_version_with_its_saves(browser: Any, host: Host) -> None:
    visit = Visit(browser, host.address + "games/skyline/", worker=True).open()
    visit.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    visit.begin_game().press("Space")
    score = visit.ask("handheld.app.router.scene.game.score")
    assert sum(url.endswith("/unpacker.js") for url in visit.requests) == 3
    visit.requests.clear()
    visit.reload()
    assert not [url for url in visit.requests if url.endswith("/unpacker.js")]  # because the files are kept unpacked

    publish(host)
    visit.page.evaluate("navigator.serviceWorker.getRegistration().then(found => found.update()).then(() => true)")
    visit.page.wait_for_selector("#notice button:not(.plain)")
    assert "new version" in visit.notice
    with visit.page.expect_navigation():
        visit.page.click("#notice button:not(.plain)")
    visit.wait()
    assert visit.page.evaluate("caches.keys()") == ["skyline-0123456789"]

    host.close()
    visit.page.goto(visit.address + "index.html?from=home")
    visit.wait()
    visit.resume()
    assert visit.ask("handheld.app.router.scene.game.score") == score > 0 and visit.problems == []
    visit.close()
