"""From MORE MODES to a Standard game, to its pieces, and to the same game again."""

from typing import Any

import pytest

from firmware.engine.options import Options
from firmware.engine.randomizer import SEEDS
from firmware.modes.catalogue import STANDARD
from firmware.modes.standard import Generator
from firmware.save.recorder import Recorder
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import DOWN, LEFT, RIGHT, START, UP, A, B, Console
from tests.support.kept import start_game
from tests.support.variants import TEST_SPEC, both_standards

LINES = {STANDARD: b"OLD RULES", TEST_SPEC: b"OLD LINES"}
HOLD = 6


def open_levels(variant: int = STANDARD, **settings: int) -> Any:
    console: Any = Console("menus.more_modes")
    console.change_settings(**settings)
    console.choose(LINES[variant])
    console.step()
    return console


def make_recording(seed: int) -> bytes:
    recorder = Recorder()
    recorder.begin_game(STANDARD, seed, Options())
    return recorder.recorded(0)


def open_seed(last: bytes | None = None) -> Any:
    console: Any = Console("menus.legal", last=last)
    console.session.variant = console.settings.variant = STANDARD
    console.open("menus.choose_seed", frames=2)
    assert console.name == "menus.choose_seed"
    return console


class TestMenus:
    @pytest.fixture
    def console(self) -> Any:
        return open_seed()

    @both_standards
    def test_menu_leads_through_levels_and_seed_to_the_game(self, variant: int) -> None:
        console = open_levels(variant)
        console.follow(A)
        assert console.name == "menus.choose_seed"
        console.tap(A)
        assert console.left == [("play", None)]
        assert (console.session.variant, console.settings.variant, console.settings.aim) == (variant, variant, 0)

    @both_standards
    def test_there_are_ten_levels(self, variant: int) -> None:
        """Standard's are 0 to 9, the test specification's 1 to 10; the option counts from 1 in both."""
        console = open_levels(variant)
        console.compare(f"choose_level_{variant}")
        console.tap(LEFT)
        console.follow(A)
        assert console.settings.level == 10
        console.follow(B)
        assert (console.name, console.scene.at) == ("menus.choose_level", 9)

    def test_a_level_above_the_last_becomes_the_last(self) -> None:
        assert open_levels(level=15).scene.at == 9

    def test_any_game_leaves_the_seed_to_chance(self, console: Any) -> None:
        console.tap(A)
        assert console.session.seed is None

    def test_last_repeats_the_last_seed(self) -> None:
        console = open_seed(last=make_recording(4711))
        console.tap(DOWN, RIGHT)
        console.compare("choose_seed_last")
        console.tap(UP, A)
        assert console.session.next_seed() == 4711

    def test_without_a_last_game_last_is_not_offered(self, console: Any) -> None:
        console.tap(DOWN)
        for button, value in ((RIGHT, b"ANY"), (RIGHT, b"THIS"), (LEFT, b"ANY"), (LEFT, b"THIS")):
            assert console.scene.value(1) == value
            console.tap(button)

    def test_a_damaged_recording_gives_no_last_seed(self) -> None:
        assert open_seed(last=b"recording").scene.last == -1

    def test_a_number_is_set_digit_by_digit(self, console: Any) -> None:
        """Left and right choose the place, up and down change the digit."""
        console.tap(DOWN, A, UP, UP, UP)  # units: 3
        console.tap(LEFT, LEFT, LEFT, DOWN)  # thousands: 9
        console.compare("choose_seed_this")
        console.tap(A, UP, A)
        assert console.session.next_seed() == 9003

    def test_digits_wrap_around(self, console: Any) -> None:
        for buttons, place in (((DOWN, A, RIGHT), 10), ((LEFT,), 1)):
            console.tap(*buttons)
            assert console.scene.place == place

    def test_b_ends_setting_the_number_and_keeps_it(self, console: Any) -> None:
        console.tap(DOWN, A, UP, B)
        assert (console.name, console.scene.value(1), console.scene.seed) == ("menus.choose_seed", b"THIS", 1)
        console.tap(B)
        assert console.name == "menus.choose_level"

    def test_the_number_stays_a_seed(self) -> None:
        """The tenth digit is 0 or 1, and no seed is above 1,073,741,823."""
        console = open_seed(last=make_recording(SEEDS - 1))
        console.tap(DOWN, RIGHT)  # LAST
        console.tap(A, RIGHT)
        assert console.scene.place == 10
        for buttons, seed in (((UP,), 73741823), ((RIGHT, UP, UP), 273741823), ((LEFT, UP), 273741823)):
            console.tap(*buttons)
            assert console.scene.seed == seed
        for _ in range(300):
            console.tap(UP)
            assert 0 <= console.scene.seed < SEEDS

    def test_repeat_is_off_by_default_and_is_remembered(self, console: Any) -> None:
        console.tap(DOWN, DOWN)
        assert console.scene.value(2) == b"OFF"
        console.tap(A)
        assert (console.scene.value(2), console.settings.aim) == (b"ON", 1)
        for _ in range(3):
            console.follow(B)
        console.open("menus.more_modes", frames=2)
        assert console.scene.lines[console.scene.at] == LINES[STANDARD]
        console.follow(A)
        assert console.settings.aim == 1

    def test_another_variant_has_its_own_aim(self, console: Any) -> None:
        console.tap(DOWN, DOWN, A)
        console.open("menus.more_modes", frames=2)
        console.tap(DOWN, A)
        assert (console.settings.variant, console.settings.aim) == (TEST_SPEC, 0)


def set_counts(game: Any, counts: list[int]) -> None:
    for piece in range(1, 8):
        game.random.order[2 * piece - 2 : 2 * piece] = counts[piece].to_bytes(2, "little")


class TestPieces:
    @pytest.fixture
    def console(self) -> Any:
        game: Any = start_game(0, STANDARD, Options())
        dealt = [game.deal() for _ in range(70)]
        set_counts(game, [dealt.count(piece) for piece in range(8)])
        console: Any = Console("menus.main")
        console.open("menus.over_pieces", game, frames=2)
        return console

    def test_pieces_match_the_first_column_of_the_table(self, console: Any) -> None:
        """Seed 0, 70 pieces: 10 5 11 12 10 12 10, mean 10, standard deviation 3."""
        console.compare("over_pieces")

    def test_the_last_column_of_the_table_fits(self, console: Any) -> None:
        counts = dict(zip("OISZLJT", (9987, 9975, 10046, 9874, 10058, 10004, 10056), strict=True))
        set_counts(console.scene.game, [counts.get(letter, 0) for letter in ".IJLOSTZ"])
        console.scene.game.seed = SEEDS - 1
        console.scene.fresh = True
        console.step()
        console.compare("over_pieces_70000")

    @pytest.mark.parametrize("button", [A, B, HOLD, START])
    def test_a_button_leads_back_to_the_game(self, console: Any, button: int) -> None:
        console.tap(LEFT, DOWN, button)
        assert console.left == [("play", console.scene.game)]

    @pytest.mark.parametrize(("placed", "leads"), [(None, "menus.scores"), ((1, 9), "menus.scores_initials")])
    def test_after_the_end_a_button_leads_to_the_scores(self, console: Any, placed: object, leads: str) -> None:
        game: Any = start_game(0, STANDARD, Options())
        game.over = 2
        console.open("menus.over_pieces", game, frames=2)
        requests: list[object] = []
        console.router.go = lambda name, subject=None: requests.append((name, subject))
        console.session.placed = placed
        console.tap(A)
        assert requests == [(leads, placed)]

    def test_counts_go_beyond_a_byte(self, console: Any) -> None:
        game = console.scene.game
        set_counts(game, [0] * 8)
        for _ in range(300):
            game.next[0] = 3
            game.generate()
        assert game.count(3) == 300

    def test_pieces_at_rest_draw_nothing(self, console: Any) -> None:
        console.display.canvas.dirty[:] = bytes(128)
        console.scene.draw()
        assert not any(console.display.canvas.dirty)


def drop_all(handheld: Any) -> None:
    while not handheld.game.over:
        handheld.press(UP)
        handheld.step(20, 26)


class TestPlay:
    @pytest.fixture(params=[STANDARD, TEST_SPEC])
    def handheld(self, request: pytest.FixtureRequest) -> Any:
        handheld: Any = Handheld(first="menus.legal", seed=0)
        handheld.session.variant = handheld.settings.variant = request.param
        handheld.session.counts_down = False
        handheld.open("play", frames=2)
        return handheld

    def test_the_first_piece_of_seed_0_appears_after_the_delay(self, handheld: Any) -> None:
        handheld.step(20, 30)
        assert handheld.game.piece == Generator(0).deal()

    def test_the_screen_shows_pile_piece_and_ghost(self, handheld: Any) -> None:
        handheld.step(20, 30)
        for step in range(6):
            for _ in range(step):
                handheld.press(LEFT if step & 1 else RIGHT)
            handheld.press(UP)  # drops the piece
            handheld.step(20, 55)
        for button in (LEFT, B):
            handheld.press(button)
        handheld.step(20, 30)
        handheld.compare(f"standard_{handheld.session.variant}")

    def test_the_pieces_come_between_result_and_table(self, handheld: Any) -> None:
        handheld.step(20, 30)
        drop_all(handheld)
        for scene in ("menus.over", "menus.over_pieces", "menus.scores"):
            handheld.step(20, 60)
            handheld.press(A)
            handheld.step(frames=2)
            assert type(handheld.scene).__module__ == f"firmware.scenes.{scene}"
        assert handheld.session.best(0) == 0  # no store, no score

    def test_the_result_has_no_pages_of_spins_and_hold(self, handheld: Any) -> None:
        handheld.open("menus.over", handheld.game, ms=500, frames=3)
        for page in (0, 1, 2, 0):
            assert handheld.scene.at == page
            handheld.tap(RIGHT)
