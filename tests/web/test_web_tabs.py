"""One tab saves; any other says that it does not, and damages nothing."""

from typing import Any

import pytest

from tests.support.recorded import RECORDINGS
from tests.web.page_saves import lose
from tests.web.visit import Visit
from tools.web.browse import link

RECORDED = RECORDINGS / "lost.sky"
ONLY_TAB = "Skyline is open in another tab. Only that tab saves scores."


def test_a_second_tab_saves_nothing_and_says_so_at_once(visits: Any) -> None:
    first = visits().open()
    assert first.notice == ""
    second = visits(beside=first).open()
    assert second.notice == ONLY_TAB
    second.press("a", "a")
    first.press("a", "a")
    assert second.ask("handheld.app.context.journal.failed")
    assert not first.ask("handheld.app.context.journal.failed")
    first.page.close()
    second.reload()
    assert second.notice == ""


def test_a_second_tab_says_when_it_may_save_and_never_after_a_mere_reload(visits: Any) -> None:
    first = visits().open()
    second = visits(beside=first).open()
    first.press("a", "a")
    first.reload()
    second.advance(9000)
    assert first.notice == "" and second.notice == ONLY_TAB  # it stays
    first.page.close()
    while second.notice == ONLY_TAB:
        second.advance(100)
    assert second.notice.startswith("No other tab saves any more. Reload")
    offered = second.notice
    second.page.click("#notice .plain")
    lose(second.begin_game())
    assert second.state("ENDED") and second.notice == offered
    third = visits(beside=second).open()
    assert third.notice == ""  # it may save at once
    third.page.close()
    with second.page.expect_navigation():
        second.page.click("#notice button:not(.plain)")
    second.wait()
    assert second.ask("handheld.app.context.settings.ready")  # as the first tab saved
    second.press("a", "a")
    assert second.notice == "" and not second.ask("handheld.app.context.journal.failed")


def test_the_end_of_a_game_that_is_not_saved_says_so_again(visits: Any) -> None:
    second = visits(beside=visits().open()).open().begin_game()
    second.page.click("#notice .plain")
    assert second.notice == ""
    lose(second)
    assert second.state("ENDED") and second.notice == ONLY_TAB


def test_two_tabs_keep_the_choices_of_both(visits: Any) -> None:
    first = visits().open()
    second = visits(beside=first).open()
    remember = "([name, value]) => import('/parts/saves/choices.js').then(({ remember }) => remember(name, value))"
    first.page.evaluate(remember, ["pressed by", {"KeyQ": 0}])
    second.page.click("#sound")
    kept = first.page.evaluate("JSON.parse(localStorage['skyline-page'])")
    assert kept["pressed by"] == {"KeyQ": 0} and kept["sound"] is False


def test_a_second_tab_with_a_shared_game_says_so_too(visits: Any) -> None:
    second = visits(beside=visits().open()).open(link(RECORDED.read_bytes()))
    assert "Only that tab saves scores." in second.notice


def test_a_tab_that_finds_other_saves_saves_nothing_and_says_so(visit: Visit) -> None:
    visit.page.evaluate("localStorage.setItem('skyline-bank0', 'another tab was here')")
    visit.press("a", "a")
    visit.advance(500)
    assert "another tab" in visit.notice and visit.ask("handheld.app.context.journal.failed")


@pytest.mark.parametrize("damage", ["?", "btoa('short')", "btoa('x'.repeat(4096))"])
def test_hostile_banks_begin_anew_and_leave_a_copy(damage: str, visits: Any) -> None:
    text = damage if damage == "?" else f"${{{damage}}}"
    visit = visits()
    visit.page.add_init_script(f"localStorage.getItem('was') || localStorage.setItem('skyline-bank0', `{text}`)")
    visit.page.add_init_script("localStorage.setItem('was', localStorage.getItem('skyline-bank0'))")
    visit.page.add_init_script("""localStorage.setItem('skyline-page', '{"lift": 40, "colour": "mauve"')""")
    visit.open()
    assert visit.scene == "menus.title" and visit.problems == []
    assert "Your saves are damaged" in visit.notice and "skyline-bank0-damaged" in visit.notice
    visit.press("a", "a")
    visit.advance(500)
    was, copy = visit.page.evaluate("['was', 'skyline-bank0-damaged'].map(key => localStorage[key])")
    assert was == copy and not visit.ask("handheld.app.context.journal.failed")
