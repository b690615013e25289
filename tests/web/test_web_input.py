"""Keys, touch and gamepads press the controls of the handheld."""

from collections.abc import Iterator
from typing import Any

import pytest

from firmware.engine import controls
from firmware.scenes.play_state import PAUSED, PLAYING
from tests.web import layout
from tests.web.visit import PHONE, Visit, visiting

SCENE = "handheld.app.router.scene"
GAME = f"{SCENE}.game"
GAMEPAD = """() => {
    const buttons = Array.from({length: 17}, () => ({pressed: false}));
    window.pad = {connected: true, mapping: "standard", index: 0, buttons, axes: [0, 0, 0, 0]};
    navigator.getGamepads = () => [window.pad];
}"""


@pytest.fixture(scope="module")
def phone(browser: Any, site: str) -> Iterator[Visit]:
    with visiting(browser, site, **PHONE) as visit:
        yield visit.begin_game()


def pressed(visit: Visit) -> int:
    return visit.ask(f"{GAME}.pressed")


class TestKeys:
    def test_a_key_is_down_as_long_as_it_is_held(self, playing: Visit) -> None:
        playing.page.keyboard.down("ArrowRight")
        playing.page.keyboard.down("ArrowRight")  # as if it repeats
        playing.advance()
        assert pressed(playing) == 1 << controls.RIGHT
        playing.release("ArrowRight")
        assert pressed(playing) == 0

    def test_shift_is_hold_and_does_not_change_letters(self, playing: Visit) -> None:
        playing.page.keyboard.down("Shift")
        playing.hold("X")
        assert pressed(playing) == 1 << controls.HOLD | 1 << controls.ROTATE_CW
        playing.page.keyboard.up("Shift")
        playing.release("x")
        assert pressed(playing) == 0

    def test_focused_button_of_the_page_keeps_enter_and_space(self, playing: Visit) -> None:
        playing.page.focus("#sound")
        playing.press("Space")
        assert playing.page.get_attribute("#sound", "aria-pressed") == "false"
        playing.press("Space")
        assert playing.page.get_attribute("#sound", "aria-pressed") == "true"
        playing.hold("ArrowLeft")
        assert pressed(playing) == 1 << controls.LEFT
        playing.page.keyboard.up("ArrowLeft")
        playing.page.evaluate("document.activeElement.blur()")
        playing.advance()


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

    def test_hard_drop_is_far_from_left_and_right(self, phone: Visit) -> None:
        boxes = [phone.page.locator(f"[data-control='{control}']").bounding_box() for control in range(8)]
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


@pytest.mark.parametrize(("width", "height"), [(390, 844), (176, 300), (844, 390)])
def test_a_phone_has_a_button_for_half_turns_if_they_are_on(width: int, height: int, visits: Any) -> None:
    visit = visits(**PHONE | {"viewport": {"width": width, "height": height}}).open()
    button = visit.page.locator("[data-control='8']")
    assert not button.is_visible()
    visit.run("handheld.app.context.settings.modern = 2\nhandheld.app.context.apply_settings()")
    visit.begin_game()
    first = visit.ask(f"{GAME}.facing")
    button.tap()
    visit.advance(100)
    assert visit.ask(f"{GAME}.facing") == first ^ 2
    layout.check(visit.page.evaluate(layout.MEASURE), width, height)


def test_a_tap_on_the_glass_is_the_switch(visits: Any) -> None:
    visit = visits(**PHONE).open()
    box = visit.page.locator("#glass").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3

    def tap() -> None:
        visit.page.touchscreen.tap(*middle)
        visit.advance(100)

    tap()
    assert visit.scene == "menus.title", "without one switch the glass is no button"
    visit.run(
        "context = handheld.app.context\ncontext.settings.one_switch = 1000\n"
        "from firmware.one_switch import connect\nconnect(context)"
    )
    visit.advance(500)
    tap()
    assert visit.scene != "menus.title"


def test_no_key_stays_down_when_the_window_loses_focus(visit: Visit) -> None:
    """Also R, which presses START only once a frame has begun."""
    visit.begin_game()
    key = "dispatchEvent(new KeyboardEvent('keydown', {code: 'KeyR', key: 'r'}))"
    blur = "dispatchEvent(new Event('blur'))"
    for events in (f"{key}; {blur}", f"{key}; requestAnimationFrame(() => {blur})"):
        visit.page.evaluate(f"() => {{ {events} }}")
        visit.advance(1000)
        assert visit.page.locator("main .down").count() == 0 and visit.ask(f"{SCENE}.start_ms") == -1


def test_gamepad_plays(playing: Visit) -> None:
    playing.page.evaluate(GAMEPAD)
    both = 1 << controls.ROTATE_CW | 1 << controls.RIGHT
    for done, mask in (
        ("pad.buttons[0].pressed = true; pad.axes[0] = 0.9", both),
        ("pad.axes[0] = 0.5", both),  # not far enough back to release
        ("pad.connected = false", 0),
    ):
        playing.page.evaluate(done)
        playing.advance()
        assert pressed(playing) == mask


def test_no_gamepad_plays_behind_a_dialog(visit: Visit) -> None:
    visit.begin_game()
    visit.page.evaluate(GAMEPAD)

    def tap_start() -> None:
        for pressed in ("true", "false"):
            visit.page.evaluate(f"pad.buttons[9].pressed = {pressed}")
            visit.advance()

    visit.page.click("#more-shown")
    tap_start()
    assert visit.ask(f"{SCENE}.state") == PAUSED
    visit.page.keyboard.press("Escape")
    tap_start()
    assert visit.ask(f"{SCENE}.state") == PLAYING


def test_a_gamepad_without_a_mapping_is_told_once(visit: Visit) -> None:
    visit.page.evaluate(
        """() => {
            const pad = {connected: true, mapping: "", id: "Odd Pad", index: 0, buttons: [{pressed: true}], axes: [1]};
            navigator.getGamepads = () => [pad];
        }"""
    )
    visit.advance()
    told = visit.notice
    assert told.startswith("Odd Pad has no mapping here, so it does nothing. ") and "Steam Input" in told
    visit.page.click("#notice .plain")
    visit.advance(200)
    assert visit.notice == "" and visit.scene == "menus.title"
