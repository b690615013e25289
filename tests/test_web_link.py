"""Issue 17, in the page: the link ends in another window, another phone or a handheld, and both see the same match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.visit import Visit

SMALL = {"viewport": {"width": 320, "height": 480}}
TURN_MS = 100
TURNS = 600
RESULT = "'%d %d %d' % (match.ends_ms, match.winner, match.hash())"


def open_lobby(*all_of_them: Visit) -> None:
    """Open LINK on each."""
    for visit in all_of_them:
        visit.page.evaluate("skyline.handheld.python.runPython(\"handheld.app.go('link_lobby')\")")


def wait(until: Callable[[], bool], *clocks: Visit) -> None:
    """Let time pass wherever it passes apart, until something is so."""
    for _ in range(TURNS):
        if until():
            return
        for visit in clocks:
            visit.advance(TURN_MS)
    raise AssertionError([(visit.scene, visit.notice) for visit in clocks])


def ask(visit: Visit, expression: str) -> Any:
    """Return what an expression is that may speak of the lobby or the match."""
    names = {"lobby": "handheld.app.scene.lobby", "match": "handheld.app.scene.match"}
    for name, path in names.items():
        expression = expression.replace(name, path)
    return visit.ask(expression)


def meet(sides: tuple[Visit, ...], clocks: tuple[Visit, ...]) -> None:
    """Open LINK on each and wait until all see all."""
    open_lobby(*sides)
    wait(lambda: all(visit.scene == "link_lobby" for visit in sides), *clocks)
    wait(lambda: all(ask(visit, "lobby.is_whole() and len(lobby.members)") == len(sides) for visit in sides), *clocks)


def play(sides: tuple[Visit, ...], clocks: tuple[Visit, ...]) -> set[str]:
    """Press A on each, let all but the last drop everything in the middle; return what they say of the round's end."""
    for visit in sides:
        visit.press("a")
    wait(lambda: all(visit.scene == "link_play" for visit in sides), *clocks)
    wait(lambda: all(ask(visit, "match.time_ms") > 0 for visit in sides), *clocks)

    def drop() -> bool:
        if all(ask(visit, "match.over") for visit in sides):
            return True
        for visit in sides[:-1]:
            visit.page.keyboard.press("Space")
        return False

    wait(drop, *clocks)
    return {ask(visit, RESULT) for visit in sides}


@pytest.fixture(scope="module")
def desk(browser: Any, site: str) -> Iterator[Visit]:
    """A desk with the dialog open."""
    visit = Visit(browser, site, **SMALL).open()
    visit.page.click("#more-shown")
    yield visit
    assert visit.problems == []
    visit.close()


@pytest.fixture
def phones(visits: Any) -> tuple[Visit, Visit]:
    """Two phones that know nothing of each other."""
    return visits(**SMALL).open(), visits(**SMALL).open()


def test_windows_of_one_browser_play_a_match_to_the_same_hash(visits: Any) -> None:
    first = visits(**SMALL).open()
    sides = (first, visits(beside=first).open())
    meet(sides, (first,))
    assert len(play(sides, (first,))) == 1
    assert all(visit.problems == [] for visit in sides)


def test_three_windows_are_a_ring_that_closes_when_one_goes(visits: Any) -> None:
    first = visits(**SMALL).open()
    sides = (first, visits(beside=first).open(), visits(beside=first).open())
    meet(sides, (first,))
    sides[2].page.close()
    wait(lambda: all(ask(visit, "lobby.is_whole() and len(lobby.members)") == 2 for visit in sides[:2]), first)


def test_window_alone_hears_nobody(visits: Any) -> None:
    visit = visits(**SMALL).open()
    open_lobby(visit)
    visit.advance(3000)
    assert visit.ask("handheld.app.scene.explain()") == b"LOOKS FOR THE|OTHERS: OPEN|THIS ON EACH"


def test_two_phones_play_by_an_invitation_and_an_answer(phones: tuple[Visit, Visit]) -> None:
    here, there = (phone.page for phone in phones)
    here.click("#more-shown")
    here.click("#invite")
    here.wait_for_selector("#told-shown:not([hidden])")
    there.click("#more-shown")
    there.fill("#sent", here.input_value("#told"))
    there.wait_for_selector("#told-shown:not([hidden])")
    here.fill("#sent", there.input_value("#told"))
    for page in (here, there):
        page.wait_for_selector("#notice:has-text('Linked')")
    meet(phones, phones)
    assert len(play(phones, phones)) == 1
    here.close()
    there.wait_for_selector("#notice:has-text('The link is cut.')")
    assert all(visit.problems == [] for visit in phones)


@pytest.mark.parametrize("text", ["hello", "eJwDAAAAAAE", "q1YqLU4tykvMTVWyUlDKSM3JyVeqBQA"])
def test_text_that_is_no_invitation_gets_one_line(desk: Visit, text: str) -> None:
    desk.page.fill("#sent", text)
    desk.page.wait_for_selector("#link-state:not(:empty)")
    assert desk.page.inner_text("#link-state") == "There is no link: this is no invitation, or not all of it."
