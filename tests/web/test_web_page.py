"""The page in a real browser: its start, its clock and sound, and what it offers to everybody."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from firmware.modes.catalogue import DAILY
from tests.web.visit import Visit

PAGE = Path(__file__).resolve().parents[2] / "sim" / "web"
GAME = "handheld.app.router.scene.game"


def test_a_first_visit_asks_no_other_site_and_logs_nothing(visits: Any, site: str) -> None:
    visit = visits().open()
    visit.advance(500)
    assert visit.scene == "menus.title" and visit.problems == [] and visit.requests
    assert all(url.startswith((site, f"blob:{site}")) for url in visit.requests)


def test_the_page_enters_and_leaves_full_screen(playing: Visit) -> None:
    for filled in ("true", "false"):
        playing.page.click("#fullscreen")
        playing.page.wait_for_selector(f"#fullscreen[aria-pressed={filled}]")


def test_the_machine_has_the_facts_of_this_browser(playing: Visit) -> None:
    assert playing.ask("handheld.app.context.device.machine.version.decode()") == "1.29.0"
    assert 200_000 < playing.ask("handheld.app.context.device.machine.free_bytes()") < 1 << 20
    assert 0 <= playing.ask("handheld.app.context.device.machine.draw_entropy()") < 1 << 30


def test_daily_begins_with_the_browsers_date(visit: Visit) -> None:
    visit.page.clock.set_system_time("2028-02-29T12:00:00")
    visit.run(f"handheld.app.session.variant = {DAILY}\nhandheld.app.context.go('menus.choose_day')")
    visit.advance(500)
    assert visit.ask("handheld.app.router.scene.day") == 20280229
    visit.press("a")
    visit.advance(1000)
    assert visit.ask("handheld.app.router.scene.game.seed") == 20280229


class TestSound:
    """A square wave that begins, changes and ends without a click."""

    RENDER = """async tones => {
        const { Speaker } = await import("/parts/device/speaker.js");
        const context = new OfflineAudioContext(1, 44100 * 0.4, 44100), speaker = new Speaker(() => context);
        speaker.resume();
        for (const [at, ...how] of tones) context.suspend(at).then(() => { speaker.tone(...how); context.resume(); });
        return [...(await context.startRendering()).getChannelData(0)];
    }"""

    def test_tone_has_its_pitch_and_ends(self, playing: Visit) -> None:
        samples = playing.page.evaluate(self.RENDER, [[0.05, 441, 32768], [0.25, 0, 0]])
        assert max(map(abs, samples[:2000])) == 0
        sounding = samples[4410:8820]
        rises = sum(before < 0 <= after for before, after in itertools.pairwise(sounding))
        assert abs(rises - 44) <= 1 and max(map(abs, samples[13230:])) < 0.001

    def test_softer_tone_has_less_power(self, playing: Visit) -> None:
        def power(duty: int) -> float:
            samples = playing.page.evaluate(self.RENDER, [[0.01, 441, duty]])
            return sum(sample * sample for sample in samples[4410:8820])

        assert power(2048) < power(8192) < power(32768)

    def test_tones_begin_and_end_without_clicks(self, playing: Visit) -> None:
        """No two neighbouring samples differ more than within a tone; the last tone fades over many periods."""
        tones = [[0.05, 441, 32768], [0.1, 660, 32768], [0.2, 660, 2048], [0.3, 0, 0]]
        samples = playing.page.evaluate(self.RENDER, tones)
        steps = [abs(after - before) for before, after in itertools.pairwise(samples)]
        within = [max(steps[first : first + 1500]) for first in (2700, 5000, 10000)]
        assert max(steps) <= 1.1 * max(within)
        fading = [max(map(abs, samples[at : at + 134])) for at in range(13230, 13900, 134)]
        assert all(after <= before * 1.01 for before, after in itertools.pairwise(fading))


@pytest.mark.parametrize("hz", [50, 60, 75, 90, 120, 144, 240])
def test_the_handheld_steps_sixty_times_a_second_on_every_screen(playing: Visit, hz: int) -> None:
    steps = playing.page.evaluate(
        """async hz => {
            const { Frames } = await import("/parts/device/frames.js"), frames = new Frames();
            let steps = 0;
            for (let drawn = 0; drawn < 10 * hz; drawn++) steps += frames.claimFrame(1000 + (drawn * 1000) / hz);
            return steps;
        }""",
        hz,
    )
    assert abs(steps - 10 * min(hz, 60)) <= 2


class TestAccess:
    def test_all_controls_can_be_focused_and_have_names(self, playing: Visit) -> None:
        names = set()
        playing.page.evaluate("document.activeElement.blur()")
        for _ in range(30):
            playing.page.keyboard.press("Tab")
            names.add(playing.page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText"))
        assert {"Keys", "Sound", "Left", "Right", "Hold", "The handheld's screen"} <= names
        playing.page.evaluate("document.activeElement.blur()")

    def test_a_button_of_the_handheld_works_by_keyboard(self, playing: Visit) -> None:
        before = playing.ask(f"{GAME}.x")
        playing.page.focus("[data-control='1']")
        playing.press("Enter")
        assert playing.ask(f"{GAME}.x") == before + 1
        playing.page.evaluate("document.activeElement.blur()")

    def test_motion_is_off_if_the_browser_prefers_reduced_motion(self, visits: Any) -> None:
        visit = visits(reduced_motion="reduce").open()
        assert visit.ask("handheld.app.context.settings.motion_on") == 0

    def test_the_content_policy_allows_only_our_own_files(self) -> None:
        page = (PAGE / "index.html").read_text(encoding="utf-8")
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        assert policy and "default-src 'none'" in policy[1]
        assert "connect-src 'self' blob: wss: ws://localhost:* ws://127.0.0.1:*;" in policy[1]
        assert re.findall(r"'unsafe[^']*'|'wasm[^']*'|https?:|(?<!:)\*", policy[1]) == ["'wasm-unsafe-eval'"]
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)", page)
