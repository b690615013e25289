"""axe finds no fault in any state of the page, in both themes, on a desk and on a phone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web import axe
from tests.web.page_saves import open_section, press_tool
from tests.web.visit import DESK, PHONE, Visit, visiting

Reach = Callable[[Visit], object]
OFFER = "([line, name]) => import('/parts/menus/notice.js').then(({ offer }) => offer(line, name, () => {}))"


@pytest.fixture
def desk(browser: Any, site: str, lost: Any) -> Iterator[Visit]:
    with visiting(browser, site, **DESK, storage_state=lost) as visit:
        yield visit


@pytest.fixture
def phone(browser: Any, site: str, lost: Any) -> Iterator[Visit]:
    with visiting(browser, site, **PHONE, storage_state=lost) as visit:
        yield visit


def share(visit: Visit) -> None:
    open_section(visit.begin_game(), "share")
    visit.page.click("#share")
    visit.page.wait_for_selector("#link-shown", state="visible")


def games(visit: Visit) -> None:
    open_section(visit, "games")
    visit.page.wait_for_selector("#games li")


def invitation(visit: Visit) -> None:
    open_section(visit, "together")
    visit.page.click("#invite")
    visit.page.wait_for_selector("#code", state="visible")


def linked(visit: Visit) -> None:
    open_section(visit, "together")
    visit.page.evaluate("for (const name of ['linked', 'lamp']) document.getElementById(name).hidden = false")


def unfold(visit: Visit, section: str) -> None:
    open_section(visit, section)
    visit.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")


def legend(visit: Visit) -> None:
    if not visit.page.is_visible("#legend"):
        press_tool(visit, "#keys-shown")


ONLY_TAB = "Skyline is open in another tab. Only that tab saves scores."
# How to reach each state; a function that returns False has failed.
STATES: dict[str, Reach] = {
    "title": lambda visit: bool(visit.press("a", "a").state("AT_MENU")),
    "play": Visit.begin_game,
    "pause": lambda visit: not visit.begin_game().press("Escape").state("PLAYING"),
    "share": share,
    "games": games,
    "together": lambda visit: unfold(visit, "together"),
    "invitation": invitation,
    "linked": linked,
    "settings": lambda visit: unfold(visit, "settings"),
    "notice": lambda visit: visit.tell(ONLY_TAB, True),
    "offer": lambda visit: visit.page.evaluate(OFFER, ["A new version of Skyline is ready.", "Take it"]),
    "legend": legend,
    "builder": lambda visit: visit.page.goto(f"{visit.address}builder.html"),
}
# States that look different there, or are there alone.
ON_A_PHONE = {name: STATES[name] for name in ("play", "invitation", "offer", "legend")}
ON_A_PHONE["menu"] = lambda visit: visit.page.click("#menu-shown")


def reach_and_look(visit: Visit, script: str, reach: Reach) -> dict[str, list[str]]:
    """Return axe's findings in a state, by theme."""
    assert reach(visit) is not False
    return axe.look_in_both_themes(visit, script)


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_no_fault_on_a_desk(desk: Visit, script: str, state: str) -> None:
    assert reach_and_look(desk, script, STATES[state]) == {"light": [], "dark": []}


@pytest.mark.parametrize("state", ON_A_PHONE)
def test_axe_finds_no_fault_on_a_phone(phone: Visit, script: str, state: str) -> None:
    assert reach_and_look(phone, script, ON_A_PHONE[state]) == {"light": [], "dark": []}


def test_axe_finds_a_button_without_a_name(phone: Visit, script: str) -> None:
    phone.page.evaluate("document.querySelector('main button').replaceChildren()")
    phone.page.evaluate("document.querySelector('main button').ariaLabel = ''")
    assert [line.split(":")[0] for line in axe.look(phone, script)] == ["button-name"]
