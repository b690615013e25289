"""DEMO: a minute after the last button the title lets the computer play, until a button is pressed."""

import pytest

from firmware.engine.controls import HARD_DROP, LEFT, ROTATE_CW
from firmware.save.journal import SETTINGS
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.needs import needs_wasm
from tools.measure import board, scenes, versus

MINUTE_MS = 60_000
FRAMES = 900
# The demo holds a game, its picture and a computer player.
HEAP_BYTES = 104 * 1024
GROWTH_BYTES = 4096


def wait(handheld: Handheld, ms: int) -> None:
    handheld.step(100, ms // 100)


@pytest.fixture
def handheld() -> Handheld:
    """Return a handheld that shows DEMO after a minute at the title."""
    handheld = Handheld(first="menus.title", store=[RamStore()])
    wait(handheld, MINUTE_MS + 1500)
    assert handheld.name == "menus.demo"
    return handheld


class TestDemo:
    def test_demo_begins_after_a_minute_without_a_button(self) -> None:
        handheld = Handheld(first="menus.title")
        wait(handheld, MINUTE_MS - 1000)
        assert handheld.name == "menus.title"
        handheld.tap(LEFT)
        wait(handheld, MINUTE_MS - 1000)
        assert handheld.name == "menus.title"
        wait(handheld, 3000)
        assert handheld.name == "menus.demo"

    def test_the_computer_plays_clears_lines_and_makes_no_sound(self, handheld: Handheld) -> None:
        for _ in range(1800):
            handheld.step()
            assert not handheld.buzzer.hz
        assert handheld.game.lock_downs > 20 and handheld.game.lines > 4

    def test_picture(self, handheld: Handheld) -> None:
        while handheld.game.lock_downs < 20 or not handheld.game.piece:
            handheld.step(16)
        handheld.step(16, 80)
        handheld.compare("demo")

    @pytest.mark.parametrize("button", range(8))
    def test_any_button_leads_to_the_title_at_once(self, handheld: Handheld, button: int) -> None:
        handheld.step(16, 100)
        assert handheld.leads(button) == "menus.title"
        handheld.step()
        assert handheld.scene.lines == (b"PRESS A",), "the press does nothing else"

    def test_another_game_begins_after_game_over(self, handheld: Handheld) -> None:
        first = handheld.game
        for y in range(22):
            first.matrix.set_row(y, b"\x08" * 9 + b"\x00")
        for _ in range(600):
            handheld.step()
            if handheld.game is not first:
                break
        assert handheld.game is not first and handheld.game.seed != first.seed
        handheld.step(16, 300)
        assert handheld.game.lock_downs

    def test_a_game_in_progress_is_not_touched_and_nothing_is_saved(self) -> None:
        store = RamStore()
        player = Handheld(store=[store])
        player.tap(LEFT, HARD_DROP)
        player.step(16, 60)
        player.tap(7)
        image = bytes(store.image)
        handheld = Handheld(first="menus.title", store=[store], recorder=None)
        session = handheld.session
        before = session.suspended, session.variant, session.seed
        wait(handheld, 2 * MINUTE_MS)
        assert handheld.name == "menus.demo"
        assert handheld.follow(ROTATE_CW) == "menus.title" and bytes(store.image) == image
        assert (session.suspended, session.variant, session.seed) == before
        assert (session.last, session.played) == (None, False)
        assert handheld.follow(ROTATE_CW) == "play.play" and handheld.game.lock_downs == player.game.lock_downs


class TestLight:
    def test_demo_lights_the_screen_and_dims_it_after_its_time(self, handheld: Handheld) -> None:
        chip = handheld.display.chip
        assert chip.contrast == handheld.settings.contrast
        wait(handheld, 55_000)
        assert chip.contrast == handheld.settings.contrast
        wait(handheld, 10_000)
        assert chip.contrast == 0 and handheld.name == "menus.demo"
        handheld.tap(LEFT)
        assert chip.contrast == handheld.settings.contrast

    def test_a_screen_that_never_dims_keeps_its_contrast(self) -> None:
        handheld = Handheld(first="menus.title")
        handheld.settings.dim_s = 0
        wait(handheld, 3 * MINUTE_MS)
        assert handheld.name == "menus.demo" and handheld.display.chip.contrast == handheld.settings.contrast

    def test_demo_sleeps_when_the_title_would(self, handheld: Handheld) -> None:
        wait(handheld, 4 * MINUTE_MS)
        assert not handheld.display.chip.on
        time_ms = handheld.game.time_ms
        wait(handheld, MINUTE_MS)
        assert handheld.game.time_ms == time_ms
        handheld.tap(LEFT)
        assert handheld.display.chip.on and handheld.name == "menus.demo", "the press that wakes does nothing else"

    def test_no_demo_if_the_screen_sleeps_earlier(self) -> None:
        store = RamStore()
        handheld = Handheld(first="menus.title", store=[store])
        handheld.settings.sleep_s = 30
        handheld.context.save_settings()
        assert handheld.journal.read(SETTINGS)
        wait(handheld, 2 * MINUTE_MS)
        assert handheld.name == "menus.title" and not handheld.display.chip.on


@needs_wasm
class TestCost:
    def test_a_frame_allocates_nothing(self) -> None:
        assert versus.count_locked(versus.demo_script(FRAMES)) == FRAMES

    def test_no_frame_is_late(self) -> None:
        times = versus.count_frames(versus.demo_script(FRAMES)).board_us
        assert len(times) == FRAMES - 1 and max(times) <= board.FRAME_US

    def test_demo_frees_its_memory(self) -> None:
        _first, second, third = scenes.measure_scenes(["menus.title", "menus.demo", "menus.legal"], b"", 3)
        assert second["menus.demo"] <= HEAP_BYTES and third["menus.demo"] - second["menus.demo"] <= GROWTH_BYTES
        assert third["menus.legal"] - second["menus.title"] <= GROWTH_BYTES
