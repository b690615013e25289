"""Guideline 11: the screens after a game, from the congratulation to the table of scores."""

import pytest

from firmware.engine.game import AIM_REACHED, BLOCK_OUT, Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, ULTRA_LINES, find, make_mode
from firmware.modes.days import pack_day
from firmware.modes.listing import list_tables
from firmware.save import means
from firmware.save.journal import TABLES
from firmware.save.scores import LETTERS, PLACES, find_kind, find_table, open_table
from firmware.scenes.again import pack
from firmware.scenes.menus.over import Scene as Over
from firmware.scenes.menus.scores_result import write_result
from firmware.view.art import FONT_3X5
from firmware.view.canvas import HEIGHT, Canvas, text_width
from firmware.view.layouts.fireworks import Fireworks, count_rockets, draw_still, draw_town
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tests.support.needs import needs_wasm
from tests.support.results import Console, ended, fill_table
from tools import interpreters
from tools.measure import scripts
from tools.measure.board import TURN_US


@pytest.fixture
def console() -> Console:
    return Console()


RISING, FALLING = [30_000 + 7_777 * place for place in range(5)], [90_000 - 7_777 * place for place in range(5)]
LEVELS, GRADES = [15, 14, 13, 12, 11], [28, 23, 18, 13, 8]
DAYS = [pack_day(day) for day in (20261122, 20261120, 20261121, 20260229, 20271231)]


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

    def test_11_1_more_points_are_more_fireworks(self) -> None:
        assert list(map(count_rockets, (0, 2999, 3000, 30_000, 60_000, 10**7))) == [1, 1, 2, 11, 21, 40]

    def test_11_1_every_rocket_bursts(self) -> None:
        for count in (1, 7, 15):
            works = Fireworks(Canvas(), count, 99)
            assert sum(works.draw() for _ in range(3000)) == count

    def test_11_1_more_points_are_larger_fireworks(self) -> None:
        sizes = []
        for count in (1, 10, 20, 40):
            works = Fireworks(Canvas(), count, 99)
            works.left = 1
            most = 0
            for _ in range(200):
                works.draw()
                most = max(most, sum(bin(byte).count("1") for byte in works.buffer))
            sizes.append((most, works.across[0] // 40))
        assert sizes == sorted(sizes) and sizes[3][0] >= 1.5 * sizes[0][0]

    def test_11_1_the_town_hides_rockets_and_sparks(self) -> None:
        canvas = Canvas()
        draw_town(canvas)
        town = bytes(canvas.buffer)
        roofs = [next(y for y in range(HEIGHT) if canvas.pixel(x, y)) for x in range(2, 62)]
        canvas.clear()
        works = Fireworks(canvas, 40, 4)
        seen = 0
        for _ in range(3000):
            works.draw()
            seen |= int.from_bytes(canvas.buffer, "little")
        assert seen and not seen & int.from_bytes(town, "little")
        canvas.buffer[:] = seen.to_bytes(len(town), "little")
        for x in range(2, 62):
            assert not any(canvas.pixel(x, y) for y in range(roofs[x - 2], HEIGHT)), x

    def test_11_1_fireworks_keep_the_picture_and_mark_the_changed_rows(self) -> None:
        canvas = Canvas()
        canvas.fill(10, 20, 40, 60, 1)
        before, displayed = bytes(canvas.buffer), bytearray(canvas.buffer)
        works = Fireworks(canvas, 9, 4)
        seen = set()
        for _ in range(3000):
            works.draw()
            seen.add(bytes(canvas.buffer))
            for y in range(128):
                if canvas.dirty[y]:
                    displayed[1 + 8 * y : 9 + 8 * y] = canvas.buffer[1 + 8 * y : 9 + 8 * y]
                    canvas.dirty[y] = 0
            assert displayed == canvas.buffer
        assert len(seen) > 100 and canvas.buffer == before

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
        canvas = Canvas()
        draw_still(canvas, 40)  # the most that there are
        assert any(canvas.buffer)


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


class TestInitials:
    """Guideline 11.2: "the player should be able to enter their name or initials"."""

    @pytest.fixture
    def console(self) -> Console:
        console = Console(ended())
        console.settings.motion_on = 0
        assert console.leads(A, A) == "menus.scores_initials"
        return console

    def test_11_2_initials_are_in_the_table_after_power_off(self, console: Console) -> None:
        console.tap(DOWN, A, UP, UP, A, DOWN, DOWN, A)
        assert console.table(0).entry(0) == (b"B!C", 45_210, 87, 9)
        assert open_table(Handheld(store=console.device.store).journal, TABLES).entry(0)[0] == b"B!C"

    def test_power_off_before_the_initials_loses_no_place(self, console: Console) -> None:
        console.tap(DOWN, A)
        assert Handheld(store=console.device.store).session.best(0) == 45_210

    def test_the_last_initials_are_the_next_default(self, console: Console) -> None:
        console.tap(DOWN, A, DOWN, DOWN, A, A)
        restarted = Handheld(store=console.device.store, first="menus.title")
        restarted.open("menus.scores_initials", (0, 0))
        restarted.step(0)
        assert bytes(LETTERS[letter] for letter in restarted.scene.letters) == b"BCA"

    def test_right_does_not_finish(self, console: Console) -> None:
        assert (console.leads(A, RIGHT, RIGHT, RIGHT), console.scene.at) == ("menus.scores_initials", 2)

    @pytest.mark.parametrize("button", [LEFT, B, HOLD])
    def test_left_b_and_c_go_back_as_in_a_menu(self, console: Console, button: int) -> None:
        console.tap(A, A)
        assert (console.leads(button, button, button), console.scene.at) == ("menus.scores_initials", 0)

    def test_start_confirms_all_letters(self, console: Console) -> None:
        console.tap(START)
        assert console.table(0).entry(0)[0] == b"AAA"

    def test_every_letter_can_be_chosen_and_drawn(self, console: Console) -> None:
        pictures = {}
        for letter in LETTERS:
            pictures[letter] = console.step()
            console.tap(DOWN)
        assert len(set(pictures.values())) == len(LETTERS) == 39 and console.step() == pictures[LETTERS[0]]

    @pytest.mark.parametrize(("button", "way"), [(DOWN, 1), (UP, -1)])
    def test_up_and_down_repeat_while_held(self, console: Console, button: int, way: int) -> None:
        console.hold(button, 100, 10)
        letter = console.scene.letters[0]
        assert 7 <= way * letter % len(LETTERS) <= 9
        console.step(10, 50)
        assert console.scene.letters[0] == letter

    def test_right_does_not_repeat(self, console: Console) -> None:
        console.hold(RIGHT, 100, 10)
        assert console.scene.at == 1

    def test_the_chosen_letter_blinks_with_motion(self, console: Console) -> None:
        console.tap(DOWN, A, UP)
        console.compare("scores_initials")
        console.settings.motion_on = 1
        assert console.step() != console.step(450)


class TestScores:
    """Guideline 11.2: "Columns should be relevant to the Tetris variant"."""

    def test_the_main_menu_leads_to_the_scores_and_back(self, console: Console) -> None:
        console.settings.ready = 1
        assert console.leads(A, UP, UP, A) == "menus.score_list"
        assert console.leads(B) == "menus.main" and console.scene.lines[console.scene.at] == b"SCORES"

    def test_the_list_has_each_table_with_an_entry_and_its_best(self, console: Console) -> None:
        for number, results in ((0, [234_567, 9]), (3, [61_230]), (5, [45_000])):
            fill_table(console, number, results)
        record = find(SPRINT)
        means.add(console.journal, find_kind(record, 40), record, 65_000)
        console.settings.variant = SPRINT
        console.open("menus.score_list", frames=2)
        shown = [(line, console.scene.value(at)) for at, line in enumerate(console.scene.lines)]
        assert shown[:2] == [(b"MARATHON", b"234567"), (b"SPRINT 40", b"1:01")]
        assert shown[2:] == [(b"ULTRA 2", b"45000"), (b"STATISTICS", b"")]
        assert console.scene.at == 1 and console.scene.notes[1] == b"SPRINT 40|ADA 1:01.23|MEAN 1:05.00"
        console.compare("score_list")
        assert console.leads(A) == "menus.scores" and console.scene.at == 3
        assert console.leads(B) == "menus.score_list" and console.scene.at == 1

    def test_the_list_without_an_entry_leads_to_the_statistics(self, console: Console) -> None:
        console.open("menus.score_list", frames=2)
        console.compare("score_list_empty")
        assert console.leads(A) == "menus.lifetime_statistics"
        assert console.leads(B) == "menus.score_list"

    def test_every_table_fits_the_list(self, console: Console) -> None:
        for number in range(len(list_tables())):
            fill_table(console, number, [5_999_990])
        console.open("menus.score_list", frames=2)
        assert len(console.scene.lines) == len(list_tables()) + 1
        for at, line in enumerate(console.scene.lines):
            assert 2 + text_width(line, FONT_3X5) + text_width(console.scene.value(at), FONT_3X5) <= 62
        console.tap(*[DOWN] * 3)
        console.compare("score_list_full")

    def test_left_and_right_turn_to_tables_with_entries_only(self, console: Console) -> None:
        for number in (0, 3, 5):
            fill_table(console, number, [9])
        console.open("menus.scores", (-1, 3))
        seen = [console.scene.at]
        for button in (RIGHT, RIGHT, RIGHT, LEFT):
            console.tap(button)
            seen.append(console.scene.at)
        assert seen == [3, 5, 0, 3, 0]

    def test_a_table_offers_others_only_if_there_are_any(self, console: Console) -> None:
        for number in (3, 5):
            fill_table(console, number, RISING, LEVELS)
        console.open("menus.scores", (1, 3))
        console.compare("scores_others")  # scores_3 is alone

    def test_a_page_that_is_left_in_its_first_frame_is_not_drawn(self, console: Console) -> None:
        console.open("menus.scores")
        before = console.picture()
        console.press(B)
        assert console.step() == before
        assert console.name == "menus.score_list"

    def test_scores_open_at_the_variant_played_last(self, console: Console) -> None:
        console.settings.variant, console.settings.aim = SPRINT, 100
        console.open("menus.scores")
        console.step(0)
        assert console.scene.at == find_table(SPRINT, 100)

    @pytest.mark.parametrize(
        ("number", "results", "below"),
        [(0, [1_234_567, 98_765, 4321, 210, 9], LEVELS), (3, [61_230, 75_004, 123_456, 599_990, 3_600_000], LEVELS)]
        + [(5, [45_000, 23_000], LEVELS), (8, [123, 99, 4], LEVELS), (12, RISING, GRADES)]
        + [(15, FALLING, GRADES), (16, FALLING, GRADES), (17, FALLING, DAYS)],
    )
    def test_columns_are_those_of_the_variant(self, console, number: int, results: list[int], below: list[int]) -> None:
        fill_table(console, number, results, below)
        console.open("menus.scores", (1, number))
        console.compare(f"scores_{number}")

    def test_picture_of_an_empty_table(self, console: Console) -> None:
        console.open("menus.scores")
        console.compare("scores_empty")

    def test_all_places_fit_the_screen(self) -> None:
        assert 14 + 18 * PLACES <= 117

    def test_times_are_written_in_minutes_and_seconds(self) -> None:
        times = (59_990, 61_230, 3_600_000)
        assert [write_result(b"time fewest", ms) for ms in times] == [b"0:59.99", b"1:01.23", b"60:00.0"]
        assert write_result(b"points most", 1200) == b"1200"


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


TICKS_SCRIPT = """
from time import ticks_us as mark
from firmware.view.canvas import Canvas
from firmware.view.layouts.fireworks import Fireworks
works = Fireworks(Canvas(), 40, 5)
for frame in range(400):
    mark()
    works.draw()
    mark()
"""


@needs_wasm
def test_a_frame_of_the_largest_fireworks_keeps_its_time() -> None:
    """It may take a quarter of a frame: its rows on the bus take half a frame, and every second frame is idle."""
    marks = interpreters.marks_of(interpreters.run(interpreters.WASM, TICKS_SCRIPT))
    unit = interpreters.turn_fuel() / TURN_US
    assert max((after - before) / unit for before, after in zip(marks[::2], marks[1::2], strict=True)) <= 4_200
