"""tools.site: the page, the book and downloads as one folder, served from a subfolder by a plain server."""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support import needs
from tests.support.turns import turn
from tests.web import axe, realm
from tests.web.realm import PACKAGES
from tests.web.visit import DESK, PATIENCE_MS, PHONE
from tools.files import write_files
from tools.release import archives
from tools.site import __main__ as site
from tools.site import book, links, reference
from tools.web import dist

needs.demand_packages("sphinx", "furo", "myst_parser", allow_module_level=True)

RELEASED = {"game.whl": b"a wheel", "notes.md": b"# Notes"}
RELEASED["SHA256SUMS"] = archives.list_sums(RELEASED)
WAIT_FOR_WORKER = "navigator.serviceWorker.ready.then(({ active }) => active && true)"
STRANGERS = {
    "play with a friend": ("#book", 'article a:has-text("Matches")', "VERSUS"),
    "wire another display": ("#book", 'article a:has-text("displays")', "Add a display"),
    "write a bot": ("#book", 'article a:has-text("Bots and environments")', "Tetris Bot Protocol"),
    "add a mode": ("#book", 'article a:has-text("add a mode")', "make_mode"),
}


class Quiet(SimpleHTTPRequestHandler):
    """Serve as `python -m http.server` does, and log nothing."""

    def log_message(self, *arguments: Any) -> None:
        pass


class Server:
    def __init__(self, folder: Path) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.address = f"http://localhost:{self.server.server_port}/games/skyline/"

    def close(self) -> None:
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `tools.site build --downloads --arena` makes, below games/."""
    realm.fetch_packages(PACKAGES)
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with turn(base / "site.lock"):
        folder = base / "site" / "games" / "skyline"
        if not folder.exists():
            write_files(base, {f"released/{name}": content for name, content in RELEASED.items()})
            write_files(base, {"arena/index.html": b'<a href="play/#game=A">match 1</a>'})
            more = ["--downloads", str(base / "released"), "--arena", str(base / "arena")]
            assert site.main(["build", "-o", str(base / "site.new"), *more]) == 0
            folder.parent.mkdir(parents=True)
            (base / "site.new").rename(folder)
    return folder


@pytest.fixture
def server(made: Path) -> Iterator[Server]:
    server = Server(made.parents[1])
    yield server
    server.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(**DESK)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def list_pages(made: Path) -> list[str]:
    return sorted(path.relative_to(made).as_posix() for path in made.rglob("*.html"))


def test_every_page_loads_whole_and_logs_nothing(made: Path, server: Server, page: Any) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("response", lambda answer: problems.extend([answer.url] * (answer.status >= 400)))
    page.on("request", lambda request: problems.extend([request.url] * (not request.url.startswith(server.address))))
    names = [name for name in list_pages(made) if name.startswith("book/")]
    assert len(names) > 25
    for name in names:
        page.goto(server.address + name)
        assert page.title() and page.locator("h1").count()
    assert problems == []


def test_the_search_finds_a_word_of_a_page_and_of_the_api(server: Server, page: Any) -> None:
    for word, found in (("breadboard", "Build a handheld"), ("advance", "The engine")):
        page.goto(f"{server.address}book/search.html?q={word}")
        page.wait_for_selector(f"#search-results li >> text={found}")


@pytest.mark.parametrize("way", STRANGERS)
def test_a_stranger_finds_it_in_three_clicks(server: Server, page: Any, way: str) -> None:
    *clicks, words = STRANGERS[way]
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]", state="attached")
    for click in clicks:
        page.locator(click).first.click()
    assert words in page.inner_text("article")


def test_a_picture_leads_into_its_game(server: Server, page: Any) -> None:
    page.goto(f"{server.address}book/README.html")
    assert page.locator("p.try a").all_inner_texts() == ["this game", "Marathon", "Dig", "a match", "this game"]
    for name, scene in (("Marathon", "replay.practise"), ("a match", "match.watch")):
        page.goto(f"{server.address}book/README.html")
        page.click(f"p.try >> text={name}")
        page.wait_for_selector("html[data-whole]", state="attached")
        page.wait_for_function(f"skyline.handheld.scene === '{scene}'")


def test_book_and_game_work_offline_beside_each_other(server: Server, page: Any) -> None:
    page.goto(f"{server.address}book/index.html")
    page.evaluate(WAIT_FOR_WORKER)
    page.goto(server.address)
    page.wait_for_selector("html[data-whole]", state="attached")
    page.evaluate(WAIT_FOR_WORKER)
    server.close()

    page.goto(f"{server.address}book/")
    assert "Skyline" in page.title()
    page.goto(f"{server.address}book/firmware/device/README.html")
    assert page.locator("article img").first.evaluate("picture => picture.naturalWidth") > 0
    page.goto(f"{server.address}book/search.html?q=breadboard")
    page.wait_for_selector("#search-results li >> text=Build a handheld")
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]", state="attached")
    names = page.evaluate("caches.keys()")
    assert sorted(name.split("-")[0] for name in names) == ["book", "skyline"]


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_no_fault_in_the_book(server: Server, browser: Any, script: str, size: dict[str, Any]) -> None:
    context = browser.new_context(**size)
    page = context.new_page()
    for name in ("index", "README", "firmware/device/README", "tools/bots/README", "api/engine", "downloads", "search"):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(f"{server.address}book/{name}.html")
            page.evaluate(script)
            assert (name, scheme, page.evaluate(axe.FIND)) == (name, scheme, [])
    context.close()


def test_downloads_have_their_sums_and_the_arena_plays_on_the_page(made: Path) -> None:
    assert {path.name: path.read_bytes() for path in (made / "downloads").iterdir()} == RELEASED
    text = (made / "book" / "downloads.html").read_text(encoding="utf-8")
    sums = [hashlib.sha256(content).hexdigest() for content in RELEASED.values()]
    assert all(digits in text for digits in sums) and 'href="../downloads/game.whl"' in text
    assert 'href="../index.html#game=A"' in (made / "arena" / "index.html").read_text(encoding="utf-8")


def test_two_builds_have_equal_bytes(made: Path) -> None:
    again = book.make(RELEASED)
    there = dist.read(made / "book")
    assert [name for name in sorted(again.keys() | there) if again.get(name) != there.get(name)] == []


def test_the_page_alone_has_no_link_to_a_book(made: Path) -> None:
    assert b"book" not in dist.build(PACKAGES)["index.html"]
    assert b'href="book/index.html">' in (made / "index.html").read_bytes()


@pytest.mark.parametrize("width", [641, 681, 1280])
def test_the_link_to_the_book_leaves_room_for_play_a_friend(server: Server, page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 600})
    page.goto(server.address)
    page.wait_for_selector("html[data-whole]", state="attached")
    while not page.is_visible("#friend"):
        page.keyboard.press("a")
        page.wait_for_timeout(200)
    friend, keys, link = (page.locator(name).bounding_box() for name in ("#friend", "#keys-shown", "#book"))
    assert friend["x"] + friend["width"] <= keys["x"] and link["x"] + link["width"] <= width


@pytest.mark.parametrize(
    ("link", "line"),
    [
        ("b.html", None),
        ("b.html#here", None),
        ("./#game=AAAA", None),
        ("https://example.org/none", None),
        ("c.html", "a.html leads to c.html, which is not there"),
        ("b.html#there", "a.html leads to b.html#there, but that page has no such place"),
    ],
)
def test_a_broken_link_is_one_line(link: str, line: str | None) -> None:
    files = {"index.html": b"", "a.html": f'<a href="{link}">'.encode(), "b.html": b'<p id="here">'}
    assert list(links.find_broken(files)) == ([line] if line else [])


def test_a_page_that_leads_nowhere_is_refused_in_one_line(tmp_path: Path, monkeypatch, capsys) -> None:
    wrong = {"_static/book.css": b"", "index.md": b"# A\n\n[none](none.md)\n"}
    monkeypatch.setattr(book, "gather", lambda downloads: wrong)
    monkeypatch.setattr(dist, "build", lambda **how: {})
    assert site.main(["build", "-o", str(tmp_path / "site")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("tools.site: the book: index.md:3: ") and "none.md" in lines[0]
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"game.whl": b"another"}, "game.whl is not the file that SHA256SUMS lists"),
        ({"SHA256SUMS": None}, "SHA256SUMS: No such file or directory"),
        ({"SHA256SUMS": b"0  ../a"}, "SHA256SUMS lists '../a', which is no name of a file of a release"),
    ],
)
def test_a_release_of_other_sums_is_refused(changed: dict[str, Any], line: str, tmp_path: Path, capsys) -> None:
    files = RELEASED | changed
    write_files(tmp_path, {name: content for name, content in files.items() if content})
    assert site.main(["build", "-o", str(tmp_path / "site"), "--downloads", str(tmp_path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and lines[0].endswith(line)


def test_without_sphinx_one_line_says_what_installs_it(tmp_path: Path, monkeypatch, capsys) -> None:
    """The page cannot be built either where a package is missing, but Sphinx is looked for first."""
    stub = tmp_path / "stub"
    stub.mkdir()
    (stub / "sphinx.py").write_text("raise ModuleNotFoundError(\"No module named 'sphinx'\")\n")
    monkeypatch.setenv("PYTHONPATH", str(stub))
    monkeypatch.setattr(dist, "build", lambda **how: {})
    assert site.main(["build", "-o", str(tmp_path / "site")]) == 2
    assert "Sphinx, Furo or MyST is not installed; pip install -e '.[site]'" in capsys.readouterr().err


def test_the_api_has_the_words_of_the_sources() -> None:
    text = reference.write("engine")
    assert ".. py:class:: Game(seed: int, options: Options | None=None" in text
    assert "   .. py:method:: advance(t_ms: int) -> int" in text


def test_every_readme_is_in_the_book() -> None:
    index = (book.PARTS / "index.md").read_text(encoding="utf-8")
    listed = {line.split("<")[-1].rstrip(">") for line in index.splitlines()}
    pages = [name.removesuffix(".md") for name in book.gather({}) if name.endswith(".md") and name != "index.md"]
    assert [name for name in pages if name not in listed] == []
