"""The page in a real browser: input, saves, sound, pictures and errors."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.engine import controls, events
from firmware.engine.matrix import EDGE
from firmware.modes.catalogue import DAILY, SPRINT, make_mode
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.play_state import PAUSED, PLAYING
from tests.support.recorded import RECORDINGS
from tests.web.page_saves import lose, open_section, save
from tests.web.visit import DESK, FRAME_MS, PHONE, Visit, visiting
from tools.web.browse import link

RECORDED = RECORDINGS / "lost.sky"
PAGE = Path(__file__).resolve().parents[2] / "sim" / "web"
GAME = "handheld.app.router.scene.game"
ONLY_TAB = "Skyline is open in another tab. Only that tab saves scores."
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
LEAVE = {
    "focus": "window.dispatchEvent(new Event('blur'))",
    "tab": f"[true, false].forEach({HIDE})",
    "dialog": "document.getElementById('more-shown').click()",
}


@pytest.fixture(scope="module")
def shared(browser: Any, site: str) -> Iterator[Visit]:
    """One desk with a started game, for tests that restore its state."""
    with visiting(browser, site, **DESK) as visit:
        yield visit.begin_game()


@pytest.fixture
def desk(shared: Visit) -> Visit:
    """The shared desk, with its game in play and no button down."""
    if not shared.state("PLAYING"):
        shared.press("Escape")
        shared.advance(100)
    assert shared.state("PLAYING")
    return shared


@pytest.fixture(scope="module")
def phone(browser: Any, site: str) -> Iterator[Visit]:
    with visiting(browser, site, **PHONE) as visit:
        yield visit.begin_game()


def pressed(visit: Visit) -> int:
    return visit.ask(f"{GAME}.pressed")


def test_a_first_visit_asks_no_other_site_and_logs_nothing(visits: Any, site: str) -> None:
    visit = visits().open()
    visit.advance(500)
    assert visit.scene == "menus.title" and visit.problems == [] and visit.requests
    assert all(url.startswith((site, f"blob:{site}")) for url in visit.requests)


class TestKeys:
    def test_a_key_is_down_as_long_as_it_is_held(self, desk: Visit) -> None:
        desk.page.keyboard.down("ArrowRight")
        desk.page.keyboard.down("ArrowRight")  # as if it repeats
        desk.advance()
        assert pressed(desk) == 1 << controls.RIGHT
        desk.release("ArrowRight")
        assert pressed(desk) == 0

    def test_shift_is_hold_and_does_not_change_letters(self, desk: Visit) -> None:
        desk.page.keyboard.down("Shift")
        desk.hold("X")
        assert pressed(desk) == 1 << controls.HOLD | 1 << controls.ROTATE_CW
        desk.page.keyboard.up("Shift")
        desk.release("x")
        assert pressed(desk) == 0

    def test_focused_button_of_the_page_keeps_enter_and_space(self, desk: Visit) -> None:
        desk.page.focus("#sound")
        desk.press("Space")
        assert desk.page.get_attribute("#sound", "aria-pressed") == "false"
        desk.press("Space")
        assert desk.page.get_attribute("#sound", "aria-pressed") == "true"
        desk.hold("ArrowLeft")
        assert pressed(desk) == 1 << controls.LEFT
        desk.page.keyboard.up("ArrowLeft")
        desk.page.evaluate("document.activeElement.blur()")
        desk.advance()


class TestTouch:
    def touch(self, visit: Visit, kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        visit.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
        visit.advance()

    def place(self, visit: Visit, control: int) -> tuple[float, float]:
        box = visit.page.locator(f"[data-control='{control}']").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def test_two_fingers_press_two_buttons(self, phone: Visit) -> None:
        left, turn = self.place(phone, controls.LEFT), self.place(phone, controls.ROTATE_CW)
        self.touch(phone, "touchStart", left)
        self.touch(phone, "touchStart", left, turn)
        assert pressed(phone) == 1 << controls.LEFT | 1 << controls.ROTATE_CW
        self.touch(phone, "touchEnd")
        assert pressed(phone) == 0

    def test_finger_slides_from_button_to_button(self, phone: Visit) -> None:
        self.touch(phone, "touchStart", self.place(phone, controls.LEFT))
        assert pressed(phone) == 1 << controls.LEFT
        for control in (controls.RIGHT, controls.SOFT_DROP):
            self.touch(phone, "touchMove", self.place(phone, control))
            phone.page.wait_for_selector(f"[data-control='{control}'].down")  # a browser merges moves
            phone.advance()
            assert pressed(phone) == 1 << control
        self.touch(phone, "touchEnd")
        assert pressed(phone) == 0

    def test_no_finger_slides_onto_hard_drop(self, phone: Visit) -> None:
        self.touch(phone, "touchStart", self.place(phone, controls.ROTATE_CW))
        self.touch(phone, "touchMove", self.place(phone, controls.HARD_DROP))
        assert pressed(phone) & 1 << controls.HARD_DROP == 0
        self.touch(phone, "touchEnd")

    def test_buttons_fit_thumbs_and_hard_drop_is_far_from_left_and_right(self, phone: Visit) -> None:
        boxes = [phone.page.locator(f"[data-control='{control}']").bounding_box() for control in range(8)]
        assert all(min(box["width"], box["height"]) >= 44 for box in boxes)
        assert all(box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 844 for box in boxes)
        ends = max(boxes[control]["x"] + boxes[control]["width"] for control in (controls.LEFT, controls.RIGHT))
        assert boxes[controls.HARD_DROP]["x"] - ends >= 16


def test_touch_vibrates_and_the_screen_stays_lit_in_play(phone: Visit) -> None:
    phone.page.evaluate(
        """() => {
            Object.assign(window, { felt: [], lit: false });
            navigator.vibrate = (ms) => felt.push(ms);
            const request = async () => { lit = true; return { release: async () => { lit = false; } }; };
            Object.defineProperty(navigator, "wakeLock", { value: { request } });
        }"""
    )
    for lit in (False, True, False, True):
        phone.page.tap("[data-control='7']")
        phone.advance(100)
        assert bool(phone.state("PLAYING")) is lit and phone.page.evaluate("lit") is lit
    assert len(phone.page.evaluate("felt")) == 4


def test_the_page_enters_and_leaves_full_screen(desk: Visit) -> None:
    for filled in ("true", "false"):
        desk.page.click("#fullscreen")
        desk.page.wait_for_selector(f"#fullscreen[aria-pressed={filled}]")


def test_gamepad_plays(desk: Visit) -> None:
    desk.page.evaluate(
        """() => {
            const buttons = Array.from({length: 17}, () => ({pressed: false}));
            window.pad = {connected: true, mapping: "standard", index: 0, buttons, axes: [0, 0, 0, 0]};
            navigator.getGamepads = () => [window.pad];
        }"""
    )
    both = 1 << controls.ROTATE_CW | 1 << controls.RIGHT
    for done, mask in (
        ("pad.buttons[0].pressed = true; pad.axes[0] = 0.9", both),
        ("pad.axes[0] = 0.5", both),  # not far enough back to release
        ("pad.connected = false", 0),
    ):
        desk.page.evaluate(done)
        desk.advance()
        assert pressed(desk) == mask


def test_the_machine_has_the_facts_of_this_browser(desk: Visit) -> None:
    assert desk.ask("handheld.app.context.device.machine.version.decode()") == "1.29.0"
    assert 200_000 < desk.ask("handheld.app.context.device.machine.free_bytes()") < 1 << 20
    assert 0 <= desk.ask("handheld.app.context.device.machine.draw_entropy()") < 1 << 30


def test_daily_begins_with_the_browsers_date(visit: Visit) -> None:
    visit.page.clock.set_system_time("2028-02-29T12:00:00")
    visit.run(f"handheld.app.session.variant = {DAILY}\nhandheld.app.context.go('menus.choose_day')")
    visit.advance(500)
    assert visit.ask("handheld.app.router.scene.day") == 20280229
    visit.press("a")
    visit.advance(1000)
    assert visit.ask("handheld.app.router.scene.game.seed") == 20280229


class TestLeaving:
    """A player who leaves the page finds the game paused and saved."""

    def test_the_game_pauses_and_releases_keys_when_the_window_loses_focus(self, desk: Visit) -> None:
        desk.hold("ArrowLeft")
        desk.page.evaluate("window.dispatchEvent(new Event('blur'))")
        assert not desk.state("PLAYING") and pressed(desk) == 0
        desk.page.keyboard.up("ArrowLeft")

    @pytest.mark.parametrize("scene", ["play", "match.play"])
    def test_no_game_begins_behind_the_players_back(self, scene: str, visit: Visit) -> None:
        """Wherever its READY is, and also if READY comes only after the player left."""
        state = "handheld.app.router.scene.state"
        for frames, way in itertools.product((0, 1, 2, 60), LEAVE):
            visit.run(f"handheld.app.context.go({scene!r})")
            visit.advance(frames * FRAME_MS)
            visit.page.evaluate(LEAVE[way])
            visit.advance(3000)
            assert visit.scene == scene and visit.ask(state) == PAUSED, (way, frames)
            if way == "dialog":
                visit.press("Escape")  # closes it
            visit.press("Escape")
            visit.advance(3000)
            assert visit.ask(state) == PLAYING, (way, frames)
        assert visit.problems == []

    def test_the_clock_stands_still_while_the_page_is_hidden(self, desk: Visit) -> None:
        desk.page.evaluate(HIDE, True)
        assert not desk.state("PLAYING")
        before = desk.ask("handheld.app.context.device.clock.ticks_ms()")
        desk.page.clock.fast_forward(60_000)
        desk.page.evaluate(HIDE, False)
        assert 0 <= desk.ask("handheld.app.context.device.clock.ticks_ms()") - before < 100

    def test_events_during_a_save_start_no_step_within_the_step(self, visit: Visit) -> None:
        """While localStorage waits for another process, Firefox fires events of leaving the page."""
        visit.begin_game()
        visit.page.evaluate(
            """() => {
                const { handheld } = skyline, { step } = handheld, keep = Storage.prototype.setItem;
                Object.assign(window, { depth: 0, deepest: 0, kept: 0 });
                handheld.step = () => { deepest = Math.max(deepest, ++depth); step(); depth--; };
                Storage.prototype.setItem = function (...how) {
                    kept++;
                    for (const name of ["blur", "pagehide"]) window.dispatchEvent(new Event(name));
                    keep.apply(this, how);
                };
            }"""
        )
        visit.press("Space", "Escape")
        visit.advance(500)
        assert visit.page.evaluate("[kept > 0, deepest]") == [True, 1] and not visit.state("PLAYING")
        visit.press("Escape")
        visit.advance(500)
        assert visit.state("PLAYING") and visit.problems == []

    def test_a_game_continues_with_its_recording_after_a_reload(self, visit: Visit) -> None:
        visit.begin_game()
        visit.press("Space", "ArrowLeft", "Space")
        score = visit.ask(f"{GAME}.score")
        visit.reload()
        visit.resume()
        assert visit.state("PLAYING") and visit.scene == "play" and visit.ask(f"{GAME}.score") == score > 0
        visit.press("ArrowRight", "Space")
        assert visit.ask(f"{GAME}.lock_downs") == 3
        visit.press("Escape")
        recording = Recording(save(visit, "#save-sky"))
        game = recording.game(make_mode(recording.variant))
        player = Player(recording, game)
        player.advance(1 << 20)
        assert game.lock_downs == 3 and game.score == visit.ask(f"{GAME}.score") > 0
        assert len(save(visit, "#save-gif")) > 1000 and visit.problems == []

    def test_a_game_resumed_without_a_recording_says_so_and_is_not_listed(self, visit: Visit) -> None:
        visit.begin_game()
        visit.press("Space", "Escape")
        visit.page.evaluate("localStorage.setItem('skyline-game', btoa('another game'))")
        visit.reload()
        visit.resume()
        for button in ("#share", "#save-sky", "#save-gif"):
            visit.page.click("#more-shown")
            visit.page.click(button)
            visit.page.wait_for_selector("#more:not([open])", state="attached")
            assert visit.notice == "This game has no recording: it continued from a save without one."
        visit.press("Escape")
        visit.press(*["Space"] * 40)
        assert visit.state("ENDED") and visit.notice == "This game has no recording, so the library cannot keep it."
        kept = "import('/parts/saves/library.js').then(library => library.work(games => games.getAll()))"
        assert visit.page.evaluate(kept) == [] and visit.problems == []

    def test_an_exception_of_the_handheld_becomes_one_line(self, visit: Visit) -> None:
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

    def test_a_second_tab_saves_nothing_and_says_so_at_once(self, visits: Any) -> None:
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

    def test_a_second_tab_says_when_it_may_save_and_never_after_a_mere_reload(self, visits: Any) -> None:
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

    def test_the_end_of_a_game_that_is_not_saved_says_so_again(self, visits: Any) -> None:
        second = visits(beside=visits().open()).open().begin_game()
        second.page.click("#notice .plain")
        assert second.notice == ""
        lose(second)
        assert second.state("ENDED") and second.notice == ONLY_TAB

    def test_two_tabs_keep_the_choices_of_both(self, visits: Any) -> None:
        first = visits().open()
        second = visits(beside=first).open()
        remember = "([name, value]) => import('/parts/saves/choices.js').then(({ remember }) => remember(name, value))"
        first.page.evaluate(remember, ["pressed by", {"KeyQ": 0}])
        second.page.click("#sound")
        kept = first.page.evaluate("JSON.parse(localStorage['skyline-page'])")
        assert kept["pressed by"] == {"KeyQ": 0} and kept["sound"] is False

    def test_a_second_tab_with_a_shared_game_says_so_too(self, visits: Any) -> None:
        second = visits(beside=visits().open()).open(link(RECORDED.read_bytes()))
        assert "Only that tab saves scores." in second.notice

    def test_a_tab_that_finds_other_saves_saves_nothing_and_says_so(self, visit: Visit) -> None:
        visit.page.evaluate("localStorage.setItem('skyline-bank0', 'another tab was here')")
        visit.press("a", "a")
        visit.advance(500)
        assert "another tab" in visit.notice and visit.ask("handheld.app.context.journal.failed")

    @pytest.mark.parametrize("damage", ["?", "btoa('short')", "btoa('x'.repeat(4096))"])
    def test_hostile_banks_begin_anew_and_leave_a_copy(self, damage: str, visits: Any) -> None:
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


class TestSound:
    """A square wave that begins, changes and ends without a click."""

    RENDER = """async tones => {
        const { Speaker } = await import("/parts/device/speaker.js");
        const context = new OfflineAudioContext(1, 44100 * 0.4, 44100), speaker = new Speaker(() => context);
        speaker.resume();
        for (const [at, ...how] of tones) context.suspend(at).then(() => { speaker.tone(...how); context.resume(); });
        return [...(await context.startRendering()).getChannelData(0)];
    }"""

    def test_tone_has_its_pitch_and_ends(self, desk: Visit) -> None:
        samples = desk.page.evaluate(self.RENDER, [[0.05, 441, 32768], [0.25, 0, 0]])
        assert max(map(abs, samples[:2000])) == 0
        sounding = samples[4410:8820]
        rises = sum(before < 0 <= after for before, after in itertools.pairwise(sounding))
        assert abs(rises - 44) <= 1 and max(map(abs, samples[13230:])) < 0.001

    def test_softer_tone_has_less_power(self, desk: Visit) -> None:
        def power(duty: int) -> float:
            samples = desk.page.evaluate(self.RENDER, [[0.01, 441, duty]])
            return sum(sample * sample for sample in samples[4410:8820])

        assert power(2048) < power(8192) < power(32768)

    def test_tones_begin_and_end_without_clicks(self, desk: Visit) -> None:
        """No two neighbouring samples differ more than within a tone; the last tone fades over many periods."""
        tones = [[0.05, 441, 32768], [0.1, 660, 32768], [0.2, 660, 2048], [0.3, 0, 0]]
        samples = desk.page.evaluate(self.RENDER, tones)
        steps = [abs(after - before) for before, after in itertools.pairwise(samples)]
        within = [max(steps[first : first + 1500]) for first in (2700, 5000, 10000)]
        assert max(steps) <= 1.1 * max(within)
        fading = [max(map(abs, samples[at : at + 134])) for at in range(13230, 13900, 134)]
        assert all(after <= before * 1.01 for before, after in itertools.pairwise(fading))


@pytest.mark.parametrize("hz", [50, 60, 75, 90, 120, 144, 240])
def test_the_handheld_steps_sixty_times_a_second_on_every_screen(desk: Visit, hz: int) -> None:
    steps = desk.page.evaluate(
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
    def test_all_controls_can_be_focused_and_have_names(self, desk: Visit) -> None:
        names = set()
        desk.page.evaluate("document.activeElement.blur()")
        for _ in range(30):
            desk.page.keyboard.press("Tab")
            names.add(desk.page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText"))
        assert {"Keys", "Sound", "Left", "Right", "Hold", "The handheld's screen"} <= names
        desk.page.evaluate("document.activeElement.blur()")

    def test_a_button_of_the_handheld_works_by_keyboard(self, desk: Visit) -> None:
        before = desk.ask(f"{GAME}.x")
        desk.page.focus("[data-control='1']")
        desk.press("Enter")
        assert desk.ask(f"{GAME}.x") == before + 1
        desk.page.evaluate("document.activeElement.blur()")

    def test_the_live_region_describes_the_game(self, visit: Visit) -> None:
        visit.begin_game()
        assert visit.page.get_attribute("#said", "role") == "log"
        action = events.TETRIS | events.BACK_TO_BACK
        for statements, said in (
            (f"game.score, game.lines, game.action = 1200, 4, {action}", "Back-to-Back Tetris. Score 1200, level 1"),
            ("game.action = 0\ngame.level = 2", "Level up. Score 1200, level 2"),
            ("game.end(1)", "Game over. Score 1200, level 2"),
        ):
            visit.run(f"game = handheld.app.router.scene.game\n{statements}")
            visit.advance()
            assert visit.page.text_content("#said") == f"{said}, lines 4."

    def test_the_live_region_says_what_by_ear_tells(self, visit: Visit) -> None:
        visit.run("context = handheld.app.context\ncontext.settings.by_ear = 2\ncontext.apply_settings()")
        visit.begin_game()
        piece, entered = "[IJLOSTZ]", "[IJLOSTZ], next [IJLOSTZ]"
        for keys, said in (
            ("", entered),
            ("ArrowLeft", "Column [34]"),
            ("ArrowUp", "Facing east. Column [2-6]"),
            ("Backspace", "Surface 0 0 0 0 0 0 0 0 0 0"),
            ("Backspace", f"Hold empty. Next {piece}( {piece}){{5}}"),
            ("ShiftLeft", f"Hold {piece}. {entered}"),
            ("ShiftLeft", "Hold is used"),
            ("Space", f"Locked. {entered}"),  # FAST has no delay between two Tetriminos
        ):
            visit.press(*[keys] if keys else [])
            visit.advance(0 if keys else 400)
            text = visit.page.text_content("#said")
            assert re.fullmatch(said + "[.]", text), (keys, text)
        visit.run(
            "scene = handheld.app.router.scene\n"
            f"scene.game.lines, scene.game.action, scene.voice.told = 1, {events.SINGLE}, {events.LOCKED}"
        )
        visit.advance()
        assert re.match("Locked. Single. Score", visit.page.text_content("#said"))

    def test_a_line_clear_is_told_once_with_the_numbers_after_it(self, visit: Visit) -> None:
        visit.run(
            "app = handheld.app\n"
            "app.session.counts_down = False\n"
            f"app.session.variant = app.context.settings.variant = {SPRINT}\n"
            "app.context.go('play')"
        )
        visit.advance()
        visit.page.evaluate(
            """() => {
                const said = document.querySelector("#said");
                window.heard = [];
                new MutationObserver(() => heard.push(said.textContent)).observe(said, { childList: true });
            }"""
        )
        rows = 0xFFFF & ~(0b11 << 4 + EDGE)  # full except where an O appears
        for lines in ("0", "39"):
            visit.run(
                "game = handheld.app.router.scene.game\n"
                f"game.score, game.lines, game.goal, game.hold = 0, {lines}, 40 - {lines}, 4\n"
                "game.action = 0\n"
                "game.matrix.clear()\n"
                f"for y in range(2): game.matrix.masks[y] = {rows}\n"
                "game.matrix.top = 2\n"
            )
            visit.press("ShiftLeft", "Space")
            visit.advance(1000)
        heard = visit.page.evaluate("heard")
        assert [re.sub(r"Score \d+", "Score N", line) for line in heard] == [
            "Double. Score N, level 1, lines 2.",
            "Double. Completed. Score N, level 1, lines 41.",
        ]

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


class TestOtherBrowsers:
    """If a browser lacks a feature, one line says so and the rest works."""

    @pytest.mark.parametrize("lacking", ["OffscreenCanvas", "BroadcastChannel", "RTCPeerConnection", "locks"])
    def test_a_game_begins_without_a_feature(self, lacking: str, visits: Any) -> None:
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

    def test_a_game_begins_where_every_feature_is_forbidden(self, visits: Any, site: str) -> None:
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
    def test_a_page_whose_script_does_not_run_says_why_and_what_to_do(
        self, place: str, visits: Any, dist: Path
    ) -> None:
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

    def test_the_line_about_waiting_disappears_with_the_first_picture(self, desk: Visit) -> None:
        assert not desk.page.is_visible("#waiting")


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
