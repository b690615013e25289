"""The page starts, plays, saves and fits in Firefox and WebKit as in Chromium, which has further tests."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.desktop import archive
from tests.support import needs
from tests.support.archives import make_archive
from tests.support.recorded import RECORDINGS
from tests.web import layout
from tests.web.firefox import Firefox
from tests.web.host import Host
from tests.web.page_driver import PageDriver
from tests.web.page_saves import DROP
from tests.web.webkit import WebKit
from tools.web.browse import link

RECORDED = RECORDINGS / "lost.sky"
SIZES = {"phone": (390, 844), "desk": (1280, 800)}
LIGHT = "rgb(233, 229, 220)"
BROWSERS = {"firefox": Firefox, "webkit": WebKit}
GAME = "handheld.app.router.scene.game"
# They wait for many frames; test_web_input.py, test_web_keys.py and test_web_leaving.py have their rules in Chromium.
slow = pytest.mark.every


@pytest.fixture(scope="module", params=["firefox", pytest.param("webkit", marks=pytest.mark.long)])
def browser(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageDriver]:
    """A browser; all tests of this file leave its console empty."""
    needs.demand(request.param)
    running = BROWSERS[request.param](tmp_path_factory.mktemp(request.param))
    yield running
    assert running.close() == []


@pytest.fixture
def host(dist: Path) -> Iterator[Host]:
    """A host of the page at a new address, so that nothing is saved there yet."""
    host = Host(dist)
    yield host
    host.close()


@pytest.fixture
def page(browser: PageDriver, host: Host) -> PageDriver:
    """The page at a new address, as large as on a desk."""
    browser.open(host.address)
    browser.resize(*SIZES["desk"])
    return browser


def begin_game(page: PageDriver) -> None:
    """Go from power-on to a game whose first Tetrimino falls, without READY and GO."""
    page.ask("setattr(handheld.app.session, 'counts_down', False)")
    page.press(*"aaaa")
    page.until("skyline.state('PLAYING')")


def test_the_page_starts_without_a_notice(page: PageDriver) -> None:
    assert page.scene == "menus.title" and page.notice == ""


@slow
def test_keys_begin_a_game_move_pause_and_resume(page: PageDriver) -> None:
    begin_game(page)
    before = page.ask(f"{GAME}.x")
    page.press("\ue012")  # left
    assert page.ask(f"{GAME}.x") < before  # by more in a slow browser, because the key repeats
    page.press("s")
    page.until("!skyline.state('PLAYING')")
    page.press("s")
    page.until("skyline.state('PLAYING')")
    page.press(" ")
    assert page.ask(f"{GAME}.lock_downs") > 0


@slow
def test_keys_are_chosen_and_kept(page: PageDriver) -> None:
    """Firefox and WebKit tell no layout: a press does."""
    scene = "handheld.app.router.scene"
    page.ask("handheld.app.context.go('options.controls')")
    page.until("skyline.handheld.scene === 'options.controls'")
    # No presses of a direction: in a slow browser it repeats, and the cursor goes too far.
    page.ask(f"setattr({scene}, 'at', {scene}.lines.index(b'HOLD'))")
    page.press("\ue007")  # Enter
    page.press("w")
    hold = "[...document.querySelectorAll('#legend dd')].find((words) => words.textContent === 'Hold').previousSibling"
    assert page.ask(f"{scene}.asked") == -1 and page.evaluate(f"{hold}.textContent.trim()") == "W"
    page.reload()
    begin_game(page)
    page.press("w")
    assert page.ask(f"{GAME}.hold") > 0


def test_the_link_of_a_recording_plays_it(browser: PageDriver, host: Host) -> None:
    browser.open(host.address + link(RECORDED.read_bytes()))
    assert browser.notice == "A game that was shared with you."
    browser.until("skyline.handheld.watched > 0")


@slow
def test_reload_keeps_the_game_and_the_choices(page: PageDriver) -> None:
    begin_game(page)
    page.press(" ")
    score = page.ask(f"{GAME}.score")
    page.click("#more-shown")
    page.click("#tab-settings")
    page.evaluate("theme.value = 'light'")
    page.evaluate("theme.dispatchEvent(new Event('change'))")
    is_light = f"getComputedStyle(document.documentElement).backgroundColor === '{LIGHT}'"
    page.until(is_light)  # WebKit loads the style sheet again
    page.reload()
    assert page.evaluate("document.getElementById('theme').value") == "light" and page.evaluate(is_light)
    page.press("a", "a", "a")
    page.until("skyline.state('PLAYING')")
    assert page.ask(f"{GAME}.score") == score > 0 and page.notice == ""


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off(page: PageDriver, size: str) -> None:
    width, height = SIZES[size]
    width = max(width, page.least_width)
    page.resize(width, height)
    found: dict[str, Any] = page.evaluate(layout.MEASURE)
    layout.check(found, width, height)
    assert page.evaluate("document.getElementById('legend').checkVisibility()") is (size == "desk")
    if not page.evaluate("document.getElementById('more-shown').checkVisibility()"):
        page.click("#menu-shown")
    page.click("#more-shown")
    for section in ("share", "games", "together", "settings"):
        page.click(f"#tab-{section}")
        panel = f"document.getElementById('{section}-panel')"
        assert page.evaluate(f"{panel}.checkVisibility()")
        assert page.evaluate(f"{panel}.scrollWidth - {panel}.clientWidth") <= 0
        assert page.evaluate(layout.SMALL, layout.LEAST_PX) == []
    page.press("\ue00c")  # Escape
    assert not page.evaluate("document.getElementById('more').open")


def test_a_second_visit_needs_no_network(page: PageDriver, host: Host) -> None:
    page.wait_for_worker()
    host.close()
    page.reload()
    assert page.scene == "menus.title" and page.notice == ""


def test_the_page_loads_an_archive_and_undoes_it(page: PageDriver) -> None:
    page.evaluate(DROP, ["skyline.zip", base64.b64encode(archive.pack(make_archive())).decode()])
    for theme in ("light", None):
        page.until("document.querySelector('#notice button:not(.plain)')")
        page.click_to_reload("#notice button:not(.plain)")
        assert page.evaluate("JSON.parse(localStorage.getItem('skyline-page')).theme ?? null") == theme
        page.until("'whole' in document.documentElement.dataset")
        page.click("#more-shown")
        page.click("#tab-games")
        page.until("document.querySelectorAll('#games li').length === 2")
        page.click("#tab-settings")
        page.click("#undo")
