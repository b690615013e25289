"""The title plays: a second after it opens, the best computer plays behind the name."""

from typing import Any

import pytest

from firmware.device.handheld import Machine
from firmware.engine.controls import HARD_DROP, LEFT, PAUSE, ROTATE_CW, SOFT_DROP
from firmware.scenes.menus.demo import DemoView
from firmware.view.canvas import Canvas
from firmware.view.logo import LOGO, LOGO_HEIGHT
from sim.reading import ReadCanvas, Reader
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.needs import needs_wasm
from tools.assets import demo_game
from tools.measure import board, scenes, versus

FRAMES = 900
HEAP_BYTES = 101 * 1024  # of the title with its game and computer player, as of every scene
GROWTH_BYTES = 4096
NAME_Y, NAME_HEIGHT = 8, 12
WITHIN_FRAMES = 100  # a second without a button, and the modules


def make_handheld(*store: Any, **settings: int) -> Handheld:
    handheld = Handheld(first="menus.title", store=store or (RamStore(),))
    handheld.change_settings(**{"ready": 1, **settings})
    return handheld


def begin_playing(handheld: Handheld) -> Handheld:
    """Wait until the title plays."""
    handheld.step(16, WITHIN_FRAMES)
    assert handheld.name == "menus.title" and handheld.scene.show
    return handheld


@pytest.fixture
def handheld() -> Handheld:
    return begin_playing(make_handheld())


def shows_name(handheld: Handheld) -> bool:
    canvas = handheld.canvas
    drawn = [canvas.buffer[1 + 8 * (NAME_Y + y) + strip] for strip in range(8) for y in range(NAME_HEIGHT)]
    return bytes(drawn) == b"".join(LOGO[strip * LOGO_HEIGHT :][:NAME_HEIGHT] for strip in range(8))


class TestDemo:
    def test_the_title_plays_after_a_second_without_a_button(self) -> None:
        handheld = make_handheld()
        handheld.step(16, 55)
        assert not handheld.scene.show
        handheld.tap(LEFT)
        handheld.step(16, 55)
        assert not handheld.scene.show
        begin_playing(handheld)

    def test_the_computer_plays_clears_lines_and_makes_no_sound(self, handheld: Handheld) -> None:
        for _ in range(1800):
            handheld.step()
            assert not handheld.buzzer.hz and shows_name(handheld)
        game = handheld.scene.show.game
        assert game.lock_downs > 20 and game.lines > 4

    @pytest.mark.slow
    def test_every_row_but_those_of_the_lines_is_that_of_the_game(self, handheld: Handheld) -> None:
        show = handheld.scene.show
        compared = 0
        for _ in range(3000):
            handheld.step()
            if (
                show.view.matrix.glow
                or show.view.matrix.step >= 0
                or show.game.next != show.view.next
                or not show.game.piece
            ):
                continue
            other = DemoView(Canvas())
            other.draw(show.game)
            other.draw(show.game)
            rows = [*range(20, 82), *range(93, 128)]
            shown, wanted = (
                [each.buffer[1 + 8 * y : 9 + 8 * y] for y in rows] for each in (handheld.canvas, other.canvas)
            )
            compared += 1
            assert shown == wanted
        assert compared > 500 and show.game.lines > 8

    def test_picture(self, handheld: Handheld) -> None:
        show = handheld.scene.show
        while show.game.lock_downs < 26 or show.game.next != show.view.next or not show.game.piece:
            handheld.step()
        handheld.step(16, 5)  # the Next Queue is drawn last
        handheld.compare("title_plays")

    def test_picture_with_a_game_in_progress(self) -> None:
        handheld = make_handheld(*save_game())
        begin_playing(handheld).step(16, 600)
        handheld.compare("title_plays_continue")

    @pytest.mark.parametrize("ms", [7, 16, 50])
    def test_it_is_the_whole_game_of_the_best_computer_again_and_again(self, handheld: Handheld, ms: int) -> None:
        show = handheld.scene.show
        first = show.game
        handheld.wait_until(lambda: show.game is not first, ms)
        assert first.lock_downs == demo_game.PIECES and not first.over
        assert first.statistics.kinds[4] > 7
        handheld.step(16, 300)
        assert 0 < show.game.lock_downs < 10

    @pytest.mark.parametrize("setting", [{"motion_on": 0}, {"by_ear": 1}, {"by_ear": 2}])
    def test_it_stays_still_for_who_wants_no_motion_or_listens(self, setting: dict[str, int]) -> None:
        handheld = make_handheld(**setting)
        handheld.step(16, 3 * WITHIN_FRAMES)
        assert handheld.name == "menus.title" and not handheld.scene.show

    def test_it_stays_still_beside_a_warning(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Machine, "owns_drive", lambda _machine: True)
        handheld = make_handheld()
        handheld.step(16, 3 * WITHIN_FRAMES)
        assert not handheld.scene.show

    def test_a_screen_reader_says_the_title_once(self) -> None:
        canvas = ReadCanvas()
        handheld = Handheld(first="menus.title", store=[RamStore()], canvas=canvas)
        reader = Reader(canvas)
        said = []
        for _ in range(1800):
            handheld.step()
            said.append(reader.read(handheld.scene, 0))
        assert handheld.scene.show and [words for words in said if words] == ["Press A. Falling minos."]


def save_game() -> tuple[RamStore]:
    """Return the memory of a handheld whose player paused a game after one Tetrimino."""
    store = RamStore()
    player = Handheld(store=[store])
    player.tap(LEFT, HARD_DROP)
    player.step(16, 60)
    player.tap(PAUSE)
    return (store,)


class TestPresses:
    @pytest.mark.parametrize("button", [ROTATE_CW, PAUSE])
    def test_a_and_start_open_the_menu_at_once(self, handheld: Handheld, button: int) -> None:
        assert handheld.follow(button) == "menus.main"

    def test_a_press_counts_in_every_frame_before_and_after_the_start(self) -> None:
        for frames in range(WITHIN_FRAMES):
            handheld = make_handheld()
            handheld.step(16, frames)
            assert handheld.follow(ROTATE_CW) == "menus.main", frames

    def test_other_buttons_leave_the_title_playing(self, handheld: Handheld) -> None:
        game = handheld.scene.show.game
        for button in range(8):
            if button not in (ROTATE_CW, PAUSE):
                assert handheld.leads(button) == "menus.title"
        assert handheld.scene.show.game is game

    def test_up_and_down_choose_while_it_plays(self) -> None:
        handheld = begin_playing(make_handheld(*save_game()))
        before = handheld.scene.at
        handheld.tap(SOFT_DROP)
        assert handheld.scene.at != before and handheld.follow(ROTATE_CW) == "menus.main"

    def test_a_game_in_progress_goes_on_and_nothing_is_saved(self) -> None:
        stores = save_game()
        image = bytes(stores[0].image)
        handheld = begin_playing(make_handheld(*stores))
        session = handheld.session
        before = session.suspended, session.variant, session.seed
        handheld.step(16, 600)
        assert (session.suspended, session.variant, session.seed) == before
        assert (session.last, session.played) == (None, False)
        assert handheld.follow(ROTATE_CW) == "play.play" and bytes(stores[0].image) == image
        assert handheld.game.lock_downs == 1

    def test_one_key_steps_through_the_lines_while_the_title_plays(self) -> None:
        made = make_handheld(*save_game(), one_switch=800)
        made.context.save_settings()
        handheld = begin_playing(make_handheld(*made.banks))
        lit = set()
        for _ in range(300):
            handheld.step()
            lit.add(handheld.scene.at)
        assert lit == {0, 1} and handheld.scene.show


class TestLight:
    def test_the_screen_dims_and_sleeps_in_its_time(self, handheld: Handheld) -> None:
        chip = handheld.display.chip
        handheld.step(100, 550)
        assert chip.contrast == handheld.settings.contrast
        handheld.step(100, 100)
        assert chip.contrast == 0
        handheld.step(100, 2400)
        assert not chip.on
        time_ms = handheld.scene.show.game.time_ms
        handheld.step(100, 600)
        assert handheld.scene.show.game.time_ms == time_ms
        handheld.tap(ROTATE_CW)
        assert chip.on and handheld.name == "menus.title", "the press that wakes does nothing else"

    @pytest.mark.parametrize("days", [0, 1, 4])
    def test_the_game_goes_on_where_it_slept(self, handheld: Handheld, days: int) -> None:
        handheld.step(100, 3300)
        game = handheld.scene.show.game
        assert not handheld.display.chip.on
        handheld.step(100, 600)
        handheld.clock.now_ms += days * 86_400_000
        before = game.lock_downs
        handheld.tap(ROTATE_CW)
        handheld.step(16, 600)
        assert not game.over and before + 8 < game.lock_downs < before + 20


@needs_wasm
class TestCost:
    def test_a_frame_allocates_nothing(self) -> None:
        assert versus.count_locked(versus.demo_script(FRAMES)) == FRAMES

    def test_no_frame_is_late(self) -> None:
        times = versus.count_frames(versus.demo_script(FRAMES)).board_us
        assert len(times) == FRAMES - 1 and max(times) <= board.FRAME_US

    def test_the_game_fits_the_room_of_a_scene_and_frees_it(self) -> None:
        names = ["menus.title", "menus.legal"]
        _first, second, third = scenes.measure_scenes(names, b"", 3, WITHIN_FRAMES)
        assert second["menus.title"] <= HEAP_BYTES and third["menus.title"] - second["menus.title"] <= GROWTH_BYTES
        assert third["menus.legal"] - second["menus.legal"] <= GROWTH_BYTES
        (still,) = scenes.measure_scenes(["menus.title"], b"", 1, 20)
        assert second["menus.title"] - still["menus.title"] > GROWTH_BYTES, "the title did not play"
