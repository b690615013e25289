"""axe finds nothing against the page in any state, in the light and in the dark, on a desk and on a phone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import PACKAGES
from tests.web import axe
from tests.web.page_saves import open_section, press_tool
from tests.web.visit import DESK, PHONE, Visit, visiting
from tools.web import WebError

MOST_DROPS = 40
TELL = "([line, lasting]) => import('/parts/menus/notice.js').then(({ tell }) => tell(line, lasting))"
OFFER = "([line, name]) => import('/parts/menus/notice.js').then(({ offer }) => offer(line, name, () => {}))"
SECTIONS = ("share", "games", "together", "settings")


@pytest.fixture(scope="module")
def script() -> str:
    """Axe itself; skipped where it cannot be fetched."""
    try:
        return axe.read(PACKAGES)
    except WebError as problem:
        pytest.skip(str(problem))


def lose(browser: Any, site: str, how: dict[str, Any]) -> Iterator[Visit]:
    """Lose a game on a device."""
    with visiting(browser, site, **how) as visit:
        visit.begin_game().press(*["Space"] * MOST_DROPS)
        assert visit.state("ENDED")
        visit.advance(5000)
        yield visit


@pytest.fixture(scope="module")
def desk(browser: Any, site: str) -> Iterator[Visit]:
    """A desk where a game was lost."""
    yield from lose(browser, site, DESK)


@pytest.fixture(scope="module")
def phone(browser: Any, site: str) -> Iterator[Visit]:
    """A phone where a game was lost."""
    yield from lose(browser, site, PHONE)


def title(visit: Visit) -> None:
    visit.press("a", "a")
    assert visit.state("AT_MENU")


def play(visit: Visit) -> None:
    visit.begin_game()


def pause(visit: Visit) -> None:
    visit.begin_game()
    visit.press("Escape")
    assert not visit.state("PLAYING")


def share(visit: Visit) -> None:
    visit.begin_game()
    open_section(visit, "share")
    visit.page.click("#share")
    visit.page.wait_for_selector("#link-shown", state="visible")


def games(visit: Visit) -> None:
    open_section(visit, "games")
    visit.page.wait_for_selector("#games li")


def together(visit: Visit) -> None:
    open_section(visit, "together")
    visit.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")


def invitation(visit: Visit) -> None:
    open_section(visit, "together")
    visit.page.click("#invite")
    visit.page.wait_for_selector("#code", state="visible")


def linked(visit: Visit) -> None:
    open_section(visit, "together")
    for name in ("linked", "lamp"):
        visit.page.evaluate("name => { document.getElementById(name).hidden = false; }", name)


def settings(visit: Visit) -> None:
    open_section(visit, "settings")
    visit.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")


def notice(visit: Visit) -> None:
    visit.page.evaluate(TELL, ["Skyline is open in another tab. Only that tab saves scores.", True])


def offer(visit: Visit) -> None:
    visit.page.evaluate(OFFER, ["A new version of Skyline is ready.", "Take it"])


def legend(visit: Visit) -> None:
    if not visit.page.is_visible("#legend"):
        press_tool(visit, "#keys-shown")


def menu(visit: Visit) -> None:
    visit.page.click("#menu-shown")


def builder(visit: Visit) -> None:
    visit.page.goto(f"{visit.address}builder.html")


STATES = (title, play, pause, share, games, together, invitation, linked, settings, notice, offer, legend, builder)
ON_A_PHONE = (play, invitation, offer, legend, menu)  # where it looks otherwise


def look(visit: Visit, script: str, reach: Callable[[Visit], None]) -> dict[str, list[str]]:
    """Return what axe finds in a state, by theme."""
    visit.open()
    reach(visit)
    found = {}
    for scheme in ("light", "dark"):
        visit.page.emulate_media(color_scheme=scheme)
        found[scheme] = axe.look(visit, script)
    return found


@pytest.mark.parametrize("reach", STATES, ids=lambda reach: reach.__name__)
def test_axe_finds_nothing_on_a_desk(desk: Visit, script: str, reach: Callable[[Visit], None]) -> None:
    assert look(desk, script, reach) == {"light": [], "dark": []}


@pytest.mark.parametrize("reach", ON_A_PHONE, ids=lambda reach: reach.__name__)
def test_axe_finds_nothing_on_a_phone(phone: Visit, script: str, reach: Callable[[Visit], None]) -> None:
    assert look(phone, script, reach) == {"light": [], "dark": []}


def test_axe_finds_what_is_wrong(phone: Visit, script: str) -> None:
    phone.open()
    phone.page.evaluate("document.querySelector('main button').replaceChildren()")
    phone.page.evaluate("document.querySelector('main button').ariaLabel = ''")
    assert [line.split(":")[0] for line in axe.look(phone, script)] == ["button-name"]
