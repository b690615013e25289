"""Guideline 11: the screens after a game: congratulation, statistics, and where they lead."""

import pytest

from firmware.engine.game import AIM_REACHED, BLOCK_OUT, Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, ULTRA_LINES, make_mode
from firmware.scenes.again import pack
from firmware.scenes.menus.over import Scene as Over
from tests.support.handhelds.handheld import lose
from tests.support.handhelds.pauses import DOWN, LEFT, RIGHT, START, UP, A, B
from tests.support.needs import needs_wasm
from tests.support.results import Console, ended, fill_table
from tools.measure import scripts


@pytest.fixture
def console() -> Console:
    return Console()


def show_end(console: Console, game: Game, ms: int = 0) -> bytes:
    """Finish a game; return the picture of a frame `ms` later."""
    console.session.finish(game, pack(game.options))
    console.open("menus.over", game)
    return console.step(ms)


class TestEndRewards:
    """Guideline 11.1."""

    def test_11_1_a_place_in_the_table_is_congratulated_with_fireworks(self) -> None:
        console = Console(ended())
        assert console.step() != console.step(16, 60) and console.scene.works
        console.step(16, 23)
        console.compare("over_fireworks")  # they rise and burst above the town

    def test_an_ordinary_game_shows_its_statistics_at_once(self, console: Console) -> None:
        fill_table(console, 0, [9000, 8000, 7000, 6000, 5000])
        show_end(console, ended(score=100))
        assert not console.scene.congratulating

    def test_the_aim_reached_is_congratulated_without_a_place(self) -> None:
        console = Console(broken=True)
        show_end(console, ended(over=AIM_REACHED))
        assert console.scene.congratulating and not console.session.placed

    def test_2_5_without_motion_the_sky_stands_still(self, console: Console) -> None:
        console.settings.motion_on = 0
        assert show_end(console, ended()) == console.step(16, 50)
        console.compare("over_still")


class TestStatistics:
    def test_pages_wrap_around_both_ways(self) -> None:
        console = Console(ended())
        console.tap(A)
        pages = []
        for _ in range(4):
            pages.append(console.step())
            console.tap(RIGHT)
        assert len(set(pages)) == 4 and console.step() == pages[0]
        console.tap(LEFT)
        assert console.step() == pages[3]
        console.tap(DOWN, UP)
        assert console.step() == pages[3]

    @pytest.mark.parametrize(
        ("page", "values"),
        [
            (0, b"9 87 5:12 16.71"),
            (1, b"25 21 23 4 3 6"),
            (2, b"7 8 9 10 5 6"),
            (3, b"250 40 0.80 32.27 0.67 3.10 90%"),
        ],
    )
    def test_every_page_has_the_numbers_of_the_game_and_its_picture(self, page: int, values: bytes) -> None:
        console = Console(ended())
        console.tap(A, *[RIGHT] * page)
        console.compare(f"over_{page}")
        assert console.scene.list_lines() == values.split()

    def test_a_game_without_a_lock_down_does_not_divide_by_zero(self) -> None:
        scene = Over(Console().context, Game(1, Options(), make_mode(MARATHON)))
        for scene.at in range(4):
            assert all(scene.list_lines())

    @pytest.mark.parametrize(
        ("variant", "aim", "over"), [(SPRINT, 40, AIM_REACHED), (ULTRA, 2, BLOCK_OUT), (ULTRA_LINES, 3, BLOCK_OUT)]
    )
    def test_the_result_is_that_of_the_variant(self, variant: int, aim: int, over: int) -> None:
        console = Console(ended(variant, aim, over=over), variant)
        console.tap(A)
        console.compare(f"over_result_{variant}")

    def test_a_race_not_won_shows_its_lines(self) -> None:
        Console(ended(SPRINT, 40, 160), SPRINT).compare("over_not_won")


class TestNavigation:
    def test_a_ranked_game_leads_to_initials_table_and_a_new_game(self) -> None:
        console = Console(ended())
        for buttons, name in (((A, A), "menus.scores_initials"), ((A, A, A), "menus.scores"), ((A,), "play.play")):
            assert console.leads(*buttons) == name

    def test_a_game_without_a_place_leads_to_the_table(self, console: Console) -> None:
        fill_table(console, 0, [90_000, 80_000, 70_000, 60_000, 50_000])
        show_end(console, ended(score=100), 1000)
        assert console.leads(START) == "menus.scores" and console.leads(B) == "menus.main"

    def test_2_4_a_game_with_starting_blocks_has_no_place(self) -> None:
        """Nearly full rows would be lines without work."""
        game = ended()
        game.options.garbage_rows = 3
        console = Console(game)
        assert console.table(0).count == 0 and console.leads(A) == "menus.scores"

    @pytest.mark.parametrize("button", [A, B, START, UP])
    def test_a_late_press_of_the_game_skips_no_result(self, console: Console, button: int) -> None:
        console.session.finish(ended(), 1)
        console.open("menus.over", ended(), ms=0)
        console.step(984)
        assert console.leads(button) == "menus.over" and console.scene.congratulating
        console.tap(button)
        assert not console.scene.congratulating

    def test_b_leads_to_the_main_menu_and_keeps_the_place(self) -> None:
        console = Console(ended())
        assert console.leads(A, B) == "menus.main" and console.table(0).entry(0)[:2] == (b"---", 45_210)

    def test_a_game_played_by_buttons_is_ranked_and_no_longer_suspended(self, console: Console) -> None:
        console.open("play")
        lose(console)
        score = console.game.score
        console.step(1100)
        assert console.leads(A) == "menus.over"
        console.step(1000)
        assert console.leads(A, A, START) == "menus.scores" and console.table(0).entry(0)[1] == score
        assert console.session.suspended is None

    def test_a_failed_store_costs_only_the_place(self) -> None:
        console = Console(ended(), broken=True)
        assert console.leads(A) == "menus.scores"
        console.compare("scores_empty_again")


LOCKED_SCRIPT = """
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import make_mode

begin(first="menus.title")
game = Game(7, Options(), make_mode(0))
game.score = 30000
game.statistics.pieces = 9
app.session.placed = (0, 0)
for name, subject in (("menus.over", game), ("menus.scores_initials", (0, 0)), ("menus.scores", (0, 0))):
    go(name, subject)
    play_locked(900 if name == "menus.over" else 60)
    print(name)
"""


@needs_wasm
def test_no_frame_of_these_scenes_allocates() -> None:
    displayed = scripts.run(scripts.ON_BOARD + LOCKED_SCRIPT).stdout.split()
    assert displayed == ["menus.over", "menus.scores_initials", "menus.scores"]
