"""A first visit begins without the rest of the firmware; what needs it waits."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.web.page_saves import drop
from tools.web import packing

REST = "**/rest-*.bin"
FAILED = "The rest of Skyline cannot be loaded: Failed to fetch. Try again, or reload the page."
OPTIONS = "handheld.app.context.go('options.options')"  # as the main menu's line does
SLOW = "The rest of Skyline is still loading: the network is slow, or hangs."
DAMAGED = "a file is damaged"
PORTAL = b"<!doctype html><html><body>Please log in to the Wi-Fi</body></html>" * 20
BUTTONS = """() => [...document.querySelectorAll("button[id]:not([hidden])")]
    .filter(each => !each.closest("dialog") && each.id !== "fullscreen").map(({ id }) => id)"""
# What a host or a network made of a file.
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda content: b"",
    "half": lambda content: content[: len(content) // 2],
    "a wrong bit": lambda content: content[:-2000] + bytes([content[-2000] ^ 4]) + content[-1999:],
    "a wrong length": lambda content: content[:1] + bytes([content[1] ^ 2]) + content[2:],
    "a portal's page": lambda content: PORTAL,
}


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
    visit.press("ArrowLeft", "ArrowRight")  # both do nothing in the scene that comes
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


@pytest.mark.parametrize(("button", "shown"), [("#more-shown", "#tab-share"), ("#friend", "#together-panel")])
def test_the_dialog_opens_once_the_rest_is_there(held: tuple[Any, Any], button: str, shown: str) -> None:
    visit, request = held
    visit.press("a", "a")  # to the menus, where Play a friend is
    visit.page.click(button)
    assert not visit.page.is_visible("#more")
    request.continue_()
    visit.page.wait_for_selector("#more[open]")
    assert visit.page.is_visible(shown) and visit.problems == []


def test_a_visit_with_saves_begins_whole(visits: Any) -> None:
    visit = visits().open().begin_game()
    visit.press("Escape")
    with hold(visit) as requests:
        visit.page.reload()
    assert not visit.page.query_selector("html[data-ready]")
    requests[0].continue_()
    visit.wait("ready")
    visit.resume()
    assert visit.scene == "play"


def damage(visit: Any, name: str, how: str, times: int) -> None:
    """Damage the first `times` answers to requests for a file."""
    left = [times]

    def answer(route: Any) -> None:
        found = route.fetch()
        left[0] -= 1
        route.fulfill(response=found, body=DAMAGE[how](found.body()) if left[0] >= 0 else found.body())

    visit.page.route(f"**/{name}", answer)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        pytest.param(name, how, marks=[pytest.mark.every] * ((number + at) % 3 > 0))
        for number, name in enumerate(["rom-*.bin", "micropython.bin", "rest-*.bin"])
        for at, how in enumerate(DAMAGE)
    ],
)
def test_a_file_that_arrives_damaged_is_fetched_again(visits: Any, name: str, how: str) -> None:
    visit = visits()
    damage(visit, name, how, 1)
    visit.open()
    visit.press("a", "a")
    visit.run(OPTIONS)
    visit.advance()
    assert visit.scene == "options.options" and visit.notice == "" and visit.problems == []


@pytest.mark.parametrize("how", [pytest.param(how, marks=[pytest.mark.every] * (how != "half")) for how in DAMAGE])
def test_a_file_that_stays_damaged_is_named_in_one_line(visits: Any, how: str) -> None:
    visit = visits()
    damage(visit, "rom-*.bin", how, 2)
    visit.page.goto(visit.address)
    visit.page.wait_for_selector("#notice span")
    assert re.fullmatch(
        r"The game could not be started: rom-\w+\.bin arrives damaged\. Reload the page to try again\.", visit.notice
    )


def test_no_action_before_the_rest_is_there_fails(held: tuple[Any, Any]) -> None:
    visit, request = held
    visit.press("a", "a")
    names = visit.page.evaluate(BUTTONS)
    assert {"friend", "more-shown", "ear"} <= set(names)
    for name in names:
        visit.page.evaluate("id => document.getElementById(id).click()", name)
        visit.advance()
    drop(visit, "a.sky", b"no game")
    visit.page.evaluate("location.hash = '#rules=none'")
    visit.advance()
    assert visit.problems == [] and not visit.page.is_visible("#more")
    request.continue_()
    visit.wait()
    visit.page.wait_for_selector("#notice span")
    assert visit.problems == []


def test_a_slow_network_is_named_and_the_player_need_not_wait(held: tuple[Any, Any]) -> None:
    visit, request = held
    visit.press("a", "a")
    visit.run(OPTIONS)
    visit.advance(7000)
    assert visit.notice == "" and visit.state("WAITING")
    visit.advance(2000)
    assert visit.notice == SLOW
    visit.page.click("#notice button:not(.plain)")
    visit.advance()
    assert visit.notice == "" and visit.scene == "menus.main" and not visit.state("WAITING")
    visit.page.route(REST, lambda route: route.continue_())
    visit.run(OPTIONS)  # which asks again
    visit.advance()
    visit.wait()
    visit.advance()
    assert visit.scene == "options.options"
    request.continue_()  # too late, which does no harm
    visit.advance(9000)
    assert visit.scene == "options.options" and visit.notice == "" and visit.problems == []


def test_what_was_slow_opens_when_it_arrives(held: tuple[Any, Any]) -> None:
    visit, request = held
    visit.page.click("#more-shown")
    visit.advance(9000)
    assert visit.notice == SLOW
    request.continue_()
    visit.page.wait_for_selector("#more[open]")
    assert visit.notice == "" and visit.problems == []


def test_a_damaged_file_never_unpacks_to_anything_else(visits: Any) -> None:
    digest = hashlib.sha256(b"").digest()
    content = digest + digest[::-1] + digest
    packed = packing.pack(content)
    number = int.from_bytes(packed, "little")
    wrong = [(number ^ 1 << bit).to_bytes(len(packed), "little") for bit in range(8 * len(packed))]
    wrong += [packed[:length] for length in range(len(packed))] + [PORTAL]
    found = (
        visits()
        .open()
        .page.evaluate(
            """async (texts) => {
            const { unpack } = await import("/parts/device/unpacking.js");
            return texts.map((text) => {
                try {
                    return [...unpack(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))];
                } catch (problem) {
                    return problem.message;
                }
            });
        }""",
            [base64.b64encode(each).decode() for each in (packed, *wrong)],
        )
    )
    assert found[0] == [*content] and found[-1] == DAMAGED
    assert all(each in (DAMAGED, [*content]) for each in found)
