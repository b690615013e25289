"""tools.site: the page, the book and downloads as one folder, served from a subfolder by a plain server."""

from __future__ import annotations

import functools
import hashlib
import os
import posixpath
import re
import shlex
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support import needs
from tests.support.running import ROOT
from tests.support.turns import turn
from tests.web import axe, realm
from tests.web.host import Host
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
# What a stranger wants: the clicks, the place where they end, and words of this section that say it.
STRANGERS = {
    "play with a friend": (
        ["Book", "By an invitation from the page"],
        "book/sim/README.html#in-a-browser",
        ["Play together", "send the link or show its QR code"],
    ),
    "play with a friend at a PC": (
        ["Book", "at one PC or in a network"],
        "book/sim/README.html#matches",
        ["--players 2", "--host 0.0.0.0", "--join ADDRESS"],
    ),
    "wire another display": (
        ["Book", "Pins and displays"],
        "book/firmware/device/README.html#other-pins-other-parts",
        ["SKYLINE_DISPLAY", "SKYLINE_SDA", "SKYLINE_SCK", '"sh1106" (1.3 inch modules)'],
    ),
    "wire a display of a new kind": (
        ["Book", "one that Skyline does not know yet"],
        "book/firmware/device/README.html#add-a-display",
        ["Add its kind to wiring.py", "Add its library"],
    ),
    "write a bot": (
        ["Book", "A bot of twelve lines"],
        "book/tools/bots/README.html",
        ["your judgement goes here", "play_steps"],
    ),
    "add a mode": (
        ["Book", "Your first mode"],
        "book/firmware/modes/README.html#your-first-mode-in-60-lines",
        ["firmware/modes/rush.py", "def make_mode", "modes.txt"],
    ),
    "add a mode to the sources": (
        ["Book", "all steps of it"],
        "book/CONTRIBUTING.html#add-a-mode",
        ["Add firmware/modes/NAME.py with a Mode and a make_mode", "Test each rule"],
    ),
}


class Quiet(SimpleHTTPRequestHandler):
    """Serve as `python -m http.server` does, and log nothing."""

    def log_message(self, *arguments: Any) -> None:
        pass


class Server(Host):
    """A plain server, which has the site in a subfolder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))))

    @property
    def address(self) -> str:
        return super().address + "games/skyline/"


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `tools.site build --downloads --arena` makes, below games/."""
    realm.fetch_packages(PACKAGES)
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with turn(base / "site.lock"):
        folder = base / "site" / "games" / "skyline"
        if not folder.exists():
            write_files(base, {f"released/{name}": content for name, content in RELEASED.items()})
            write_files(base, {"arena/index.html": b'<h1>bots</h1><a href="play/#game=A">match 1</a>'})
            more = ["--downloads", str(base / "released"), "--arena", str(base / "arena")]
            assert site.main(["build", "-o", str(base / "site.new"), *more]) == 0
            folder.parent.mkdir(parents=True)
            (base / "site.new").rename(folder)
    return folder


@pytest.fixture
def server(built_site: Path) -> Iterator[Server]:
    server = Server(built_site.parents[1])
    yield server
    server.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(**DESK)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def list_pages(built_site: Path) -> list[str]:
    return sorted(path.relative_to(built_site).as_posix() for path in built_site.rglob("*.html"))


@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.every)])
def test_every_page_loads_whole_and_logs_nothing(built_site: Path, server: Server, page: Any, part: int) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("response", lambda answer: problems.extend([answer.url] * (answer.status >= 400)))
    page.on("request", lambda request: problems.extend([request.url] * (not request.url.startswith(server.address))))
    names = [name for name in list_pages(built_site) if name.startswith("book/")][part::2]
    assert len(names) > 12
    for name in names:
        page.goto(server.address + name)
        assert page.title() and page.locator("h1").count()
    assert problems == []


def test_the_search_finds_a_word_of_a_page_and_of_the_api(server: Server, page: Any) -> None:
    for word, found in (("breadboard", "Build a handheld"), ("advance", "The engine")):
        page.goto(f"{server.address}book/search.html?q={word}")
        page.wait_for_selector(f"#search-results li >> text={found}")


class Section(HTMLParser):
    """Collect the links of a page by their words, and the text of the element with an id ("" for all)."""

    def __init__(self, page: Path, place: str = "") -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.text = ""
        self.place = place
        self.depth = 0  # of elements inside the place
        self.href: str | None = None
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.depth += (self.depth > 0 or dict(attrs).get("id") == self.place) and tag in ("section", "div", "span")
        if tag == "a":
            self.href = dict(attrs).get("href")
            self.links.append(("", self.href or ""))

    def handle_endtag(self, tag: str) -> None:
        self.depth -= self.depth > 0 and tag in ("section", "div", "span")
        self.href = None if tag == "a" else self.href

    def handle_data(self, data: str) -> None:
        if self.href is not None:
            words, href = self.links[-1]
            self.links[-1] = (words + data, href)
        if self.depth or not self.place:
            self.text += data


@pytest.mark.parametrize("way", STRANGERS)
def test_a_stranger_finds_it_in_three_clicks(built_site: Path, way: str) -> None:
    clicks, end, answers = STRANGERS[way]
    here, place = "index.html", ""
    for click in clicks:
        hrefs = {href for words, href in Section(built_site / here).links if words.strip() == click}
        assert len(hrefs) == 1, (here, click)
        path, _, place = hrefs.pop().partition("#")
        here = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
    assert len(clicks) <= 3 and here + (place and f"#{place}") == end
    text = " ".join(Section(built_site / here, place).text.split())
    assert [answer for answer in answers if answer not in text] == []


def test_a_stranger_with_a_phone_finds_it_in_three_clicks(server: Server, browser: Any) -> None:
    page = browser.new_context(**PHONE).new_page()
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]", state="attached")
    for click in ("#menu-shown", "#book", "article a >> text=Pins and displays"):
        page.click(click)
    page.wait_for_url("**/book/firmware/device/README.html#other-pins-other-parts")
    assert page.locator("#other-pins-other-parts h2").is_visible()
    page.context.close()


# The scene and, where the game goes on from a moment, its time in ms at least.
PLAYED = {
    "this game": ("replay.practise", 12_000),
    "Title": ("menus.title", 0),
    "Marathon": ("replay.practise", 60_000),
    "Dig": ("replay.practise", 1_000),
    "T-Spin Double": ("help.demo", 0),
    "New best": ("menus.main", 0),
    "High scores": ("menus.scores", 0),
    "Tetress": ("tetress.menu", 0),
    "Against a computer": ("match.play", 20_000),
}


def test_every_screen_of_the_book_leads_to_where_it_is_played(built_site: Path) -> None:
    """Drawings of the board and the case are no screens."""
    drawn = re.compile(r"wiring|assembly|case|board-")
    found = {}
    for path in sorted((built_site / "book").rglob("*.html")):
        article = path.read_text(encoding="utf-8").partition("<article ")[2]
        for part in article.split("<img ")[1:]:
            name = re.findall(r'src="[^"]*?([^/"]+)"', part)[0]
            if not drawn.match(name):
                found[name] = re.findall(r'index\.html#\w+=[^"]*">([^<]*)</a>', part)
    command = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (names,) = re.findall(r"`python -m tools.sheet ([^`]+) --output sim/screens.png`", command)
    assert found == {
        "skyline.gif": ["this game"],
        "screens.png": [name.partition("=")[2] for name in shlex.split(names)],
        "page.png": ["this game"],
        "tetress.gif": ["Tetress"],
    }


AS_OTHERS = ("Marathon", "Dig", "High scores")  # opened in the same way
WAYS = [pytest.param(name, marks=[pytest.mark.every] * (name in AS_OTHERS)) for name in PLAYED]


@pytest.mark.parametrize("name", WAYS)
def test_a_link_below_a_picture_opens_its_screen(server: Server, page: Any, name: str) -> None:
    scene, at_ms = PLAYED[name]
    page.goto(f"{server.address}book/README.html")
    page.click(f"p.try a >> text=/^{name}$/ >> nth=0")
    page.wait_for_selector("html[data-whole]", state="attached")
    page.wait_for_function(f"skyline.handheld.scene === '{scene}'")
    assert not page.is_visible("#notice")
    if at_ms:
        game = "handheld.app.router.scene." + ("match" if scene.startswith("match") else "game")
        assert page.evaluate(f"skyline.ask('{game}.time_ms')") >= at_ms


def test_a_link_to_no_screen_says_so(server: Server, page: Any) -> None:
    page.goto(f"{server.address}#open=none")
    page.wait_for_selector("#notice >> text=This link names no screen of the handheld.")
    assert page.evaluate("skyline.handheld.scene") != "none"


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


AXED = ("tools/bots/README", "README", "api/engine", "firmware/device/README", "index", "downloads", "search")


@pytest.mark.parametrize(
    ("size", "names"),
    [(DESK, AXED[::2]), (PHONE, AXED[1::2])]
    + [pytest.param(*other, marks=pytest.mark.every) for other in ((DESK, AXED[1::2]), (PHONE, AXED[::2]))],
    ids=["desk", "phone", "desk-others", "phone-others"],
)
def test_axe_finds_no_fault_in_the_book(server: Server, browser: Any, script: str, size: Any, names: Any) -> None:
    context = browser.new_context(**size)
    page = context.new_page()
    for name in names:
        page.goto(f"{server.address}book/{name}.html")
        page.evaluate(script)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert (name, scheme, page.evaluate(axe.FIND)) == (name, scheme, [])
    context.close()


def test_downloads_have_their_sums_and_the_arena_plays_on_the_page(built_site: Path) -> None:
    assert {path.name: path.read_bytes() for path in (built_site / "downloads").iterdir()} == RELEASED
    text = (built_site / "book" / "downloads.html").read_text(encoding="utf-8")
    sums = [hashlib.sha256(content).hexdigest() for content in RELEASED.values()]
    assert all(digits in text for digits in sums) and 'href="../downloads/game.whl"' in text
    index = Section(built_site / "book" / "index.html").links
    assert ("The arena", "../arena/index.html") in index and ("Files with their sums", "downloads.html") in index
    ways = Section(built_site / "arena" / "index.html").links
    assert ways == [("Play", "../index.html"), ("Book", "../book/index.html"), ("match 1", "../index.html#game=A")]


def test_two_builds_have_equal_bytes(built_site: Path) -> None:
    again = book.make(RELEASED, has_arena=True)
    there = dist.read(built_site / "book")
    assert [name for name in sorted(again.keys() | there) if again.get(name) != there.get(name)] == []


def test_the_page_alone_has_no_link_to_a_book(built_site: Path, dist: Path) -> None:
    assert b"book" not in (dist / "index.html").read_bytes()
    assert b'href="book/index.html">' in (built_site / "index.html").read_bytes()


@pytest.mark.parametrize("width", [641, pytest.param(681, marks=pytest.mark.every), 1280])
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
    monkeypatch.setattr(book, "gather", lambda *how: wrong)
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


def test_every_page_of_the_sources_is_in_the_book() -> None:
    needs.demand("history")
    command = ["git", "ls-files", "*README.md", "[A-Z]*.md", "tools/parts/*.md", ":!.github"]
    ours = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    pages = {name for name in book.gather({}) if name.endswith(".md")}
    assert len(ours) > 25 and pages == {*ours, "index.md", "SUPPORT.md"}


def test_a_page_that_is_not_listed_stays_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A clone may hold folders of its owner, also in our rooms."""
    before = book.gather({})
    for name in [name for name in before if not name.startswith(("api/", "_static/", "index.md"))] + [
        "tools/mine/README.md"
    ]:
        source = ROOT / name
        write_files(tmp_path, {name: source.read_bytes() if source.exists() else b"# Mine"})
    write_files(tmp_path, {".github/SUPPORT.md": (ROOT / ".github" / "SUPPORT.md").read_bytes()})
    monkeypatch.setattr(book, "ROOT", tmp_path)
    monkeypatch.setattr(book, "find_moment", lambda name, at_ms: "#")
    assert book.gather({}).keys() == before.keys()
