"""If something fails or a browser lacks a feature, one line says so and the rest works."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.page_saves import open_section
from tests.web.visit import Visit

PAGE = Path(__file__).resolve().parents[2] / "sim" / "web"
GAME = "handheld.app.router.scene.game"


def test_a_crash_shows_one_line_is_recorded_and_keeps_the_game(visit: Visit) -> None:
    visit.begin_game()
    visit.press("Escape", "Escape")
    visit.run("handheld.app.router.scene.game.advance = None")
    visit.advance(200)
    assert visit.notice == "The game stopped with an error. Reload the page to continue. Your saves are safe."
    assert not visit.state("PLAYING")
    visit.reload()
    assert visit.ask("bytes(handheld.app.context.journal.read(14)).decode()").startswith("TypeError: ")
    visit.resume()
    assert visit.scene == "play"


def test_an_exception_of_the_handheld_becomes_one_line(visit: Visit) -> None:
    messages = visit.page.evaluate(
        """async () => {
            const { explain } = await import("/parts/menus/notice.js"), { handheld } = skyline;
            try {
                handheld.python.runPython("requests.watch(0)");
                handheld.step();
            } catch (problem) { return [problem.message, explain(problem)]; }
        }"""
    )
    assert messages[0].startswith("Traceback")
    assert messages[1] == "not a Skyline recording: it should begin with SKY"


@pytest.mark.parametrize("lacking", ["OffscreenCanvas", "BroadcastChannel", "RTCPeerConnection", "locks"])
def test_a_game_begins_without_a_feature(lacking: str, visits: Any) -> None:
    visit = visits()
    visit.page.add_init_script(f"delete {'Navigator.prototype' if lacking == 'locks' else 'globalThis'}.{lacking}")
    visit.open().begin_game()
    assert visit.notice == ""
    open_section(visit, "together")
    said = visit.page.inner_text("#link-state")
    assert ("it has no BroadcastChannel" in said) == (lacking == "BroadcastChannel")
    if lacking == "RTCPeerConnection":
        visit.page.click("#invite")
        line = "Not linked: this browser has no WebRTC, or WebRTC is off."
        visit.page.wait_for_selector(f"#link-state:has-text('{line}')")
    assert visit.problems == []


def test_a_game_begins_where_every_feature_is_forbidden(visits: Any, site: str) -> None:
    """Browsers answer by exceptions where a policy or a setting forbids a feature."""
    features = "gamepad serial screen-wake-lock clipboard-write fullscreen keyboard-map camera autoplay"
    policy = ", ".join(f"{feature}=()" for feature in features.split())
    visit = visits()

    def serve(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "permissions-policy": policy})

    visit.page.route(site, serve)
    visit.page.add_init_script(
        """for (const name of ["BroadcastChannel", "AudioContext", "Worker"]) {
            globalThis[name] = class { constructor() { throw new DOMException("forbidden", "SecurityError"); } };
        }
        navigator.vibrate = () => false;
        for (const name of ["indexedDB", "localStorage"]) {
            Object.defineProperty(globalThis, name, { get() { throw new DOMException("no", "SecurityError"); } });
        }"""
    )
    visit.open().begin_game()
    why = "(() => { try { return navigator.getGamepads(); } catch ({ name }) { return name; } })()"
    assert visit.page.evaluate(why) == "SecurityError"
    visit.page.click("main [data-control='4']")
    visit.advance()
    assert visit.ask(f"{GAME}.facing") == 1
    open_section(visit, "together")
    assert "it has no BroadcastChannel" in visit.page.inner_text("#link-state")


@pytest.mark.parametrize("place", ["a file, as it is here", "a file, as it is built", "a host without main.js"])
def test_a_page_whose_script_does_not_run_says_why_and_what_to_do(place: str, visits: Any, dist: Path) -> None:
    visit = visits()
    visit.page.route("**/main.js", lambda route: route.fulfill(status=404))
    animations = visit.page.context.new_cdp_session(visit.page)
    animations.send("Animation.enable")
    animations.send("Animation.setPlaybackRate", {"playbackRate": 20})  # the line appears after 5 s
    folders = {"a file, as it is here": PAGE, "a file, as it is built": dist}
    folder = folders.get(place)
    visit.page.goto((folder / "index.html").as_uri() if folder else visit.address)
    visit.page.wait_for_selector("#waiting", state="visible")
    said = visit.page.inner_text("#waiting")
    assert "main.js cannot be loaded: reload the page" in said
    assert "run python3 -m tools.setup web and open the address it prints" in said


def test_the_line_about_waiting_disappears_with_the_first_picture(playing: Visit) -> None:
    assert not playing.page.is_visible("#waiting")


def test_in_a_sandboxed_frame_the_page_starts_and_says_it_saves_nothing(visits: Any) -> None:
    """There the browser gives the page no storage, no locks and no service worker."""
    visit = visits()

    def serve(route: Any) -> None:
        """Answer as hosts do that allow frames: those have no origin, so any may read."""
        answer = route.fetch()
        headers = {"content-type": answer.headers["content-type"], "access-control-allow-origin": "*"}
        route.fulfill(response=answer, headers=headers)

    visit.page.route("**/*", serve)
    frame = f'<iframe sandbox="allow-scripts" src="{visit.address}index.html" width="800" height="700"></iframe>'
    visit.page.route("**/around", lambda route: route.fulfill(body=frame, content_type="text/html"))
    visit.page.goto(f"{visit.address}around")
    inside = visit.page.frames[1]
    inside.wait_for_selector("html[data-ready]", state="attached")
    visit.advance(400)
    assert inside.evaluate("skyline.handheld.scene") == "menus.title"
    assert inside.inner_text("#notice span").startswith("This browser stores nothing here.")
    assert [line.partition(":")[0] for line in visit.problems] == ["Skyline works only online here"]


def test_a_page_without_its_firmware_says_so_in_one_line(visits: Any) -> None:
    visit = visits()
    visit.page.route("**/rom-*", lambda route: route.abort())
    visit.page.goto(visit.address)
    visit.page.wait_for_selector("#notice:not(:empty)")
    assert visit.notice.startswith("The game could not be started: ") and "\n" not in visit.notice
