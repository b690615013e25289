"""A first visit begins without the rest of the firmware; what needs it waits."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.web.visit import DESK

REST = "**/rest-*.bin"
FAILED = "The rest of Skyline cannot be loaded: Failed to fetch. Try again, or reload the page."
OPTIONS = "handheld.app.context.go('options.options')"  # as the main menu's line does


@contextmanager
def hold(visit: Any) -> Iterator[list[Any]]:
    """Leave the page's request for the rest, which it makes in the block, without an answer; yield it in a list."""
    requests: list[Any] = []
    visit.page.route(REST, lambda route: requests.append(route))
    with visit.page.expect_request(REST):
        yield requests


@pytest.fixture
def held(visits: Any) -> tuple[Any, Any]:
    """A first visit whose request for the rest has no answer yet, and that request."""
    visit = visits()
    with hold(visit) as requests:
        visit.open(mark="ready")
    return visit, requests[0]


def test_a_game_goes_on_when_the_rest_arrives_and_its_scenes_open(held: tuple[Any, Any]) -> None:
    visit, request = held
    visit.begin_game().press("Space")
    score = visit.ask("handheld.app.router.scene.game.score")
    request.continue_()
    visit.wait()
    visit.press("Space")
    assert visit.ask("handheld.app.router.scene.game.score") > score > 0
    visit.run(OPTIONS)
    visit.advance()
    assert visit.scene == "options.options" and not visit.state("WAITING")
    assert visit.problems == []


def test_a_scene_waits_with_loading_and_takes_no_press_meanwhile(held: tuple[Any, Any]) -> None:
    visit, request = held
    visit.press("a", "a")
    menu = visit.scene
    visit.run(OPTIONS)
    visit.advance()
    loading = visit.page.evaluate("[...skyline.handheld.picture]")
    assert any(loading) and visit.state("WAITING") and visit.state("HZ") == 0
    visit.press("ArrowUp", "a")
    assert visit.page.evaluate("[...skyline.handheld.picture]") == loading and visit.scene == menu
    request.continue_()
    visit.wait()
    visit.advance()
    assert visit.scene == "options.options" and not visit.state("WAITING") and visit.notice == ""
    assert visit.problems == []


def test_without_a_connection_one_line_says_so_and_the_next_try_loads(held: tuple[Any, Any]) -> None:
    visit, request = held
    visit.press("a", "a")
    visit.run(OPTIONS)
    visit.advance()
    request.abort()
    visit.page.wait_for_selector("#notice span")
    visit.advance()
    assert visit.notice == FAILED and visit.scene == "menus.main" and not visit.state("WAITING")
    visit.page.unroute(REST)
    visit.run(OPTIONS)
    visit.advance()
    visit.wait()
    visit.advance()
    assert visit.scene == "options.options"


def test_the_dialog_opens_once_the_rest_is_there(held: tuple[Any, Any]) -> None:
    visit, request = held
    visit.page.click("#more-shown")
    assert not visit.page.is_visible("#more")
    request.continue_()
    visit.page.wait_for_selector("#more[open]")
    assert visit.problems == []


def test_a_visit_with_saves_begins_whole(visits: Any) -> None:
    visit = visits(**DESK, service_workers="block").open().begin_game()  # else the worker has the rest
    visit.press("Escape")
    with hold(visit) as requests:
        visit.page.reload()
    assert not visit.page.query_selector("html[data-ready]")
    requests[0].continue_()
    visit.wait("ready")
    visit.resume()
    assert visit.scene == "play"
