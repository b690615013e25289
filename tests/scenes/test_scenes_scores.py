"""Guideline 11.2: initials, the table of scores and the list of tables."""

import pytest

from firmware.modes.catalogue import SPRINT, find
from firmware.modes.days import pack_day
from firmware.modes.listing import list_tables
from firmware.save import means
from firmware.save.journal import TABLES
from firmware.save.scores import LETTERS, PLACES, find_kind, find_table, open_table
from firmware.scenes.menus.scores_result import write_result
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tests.support.results import Console, ended, fill_table

RISING, FALLING = [30_000 + 7_777 * place for place in range(5)], [90_000 - 7_777 * place for place in range(5)]
LEVELS, GRADES = [15, 14, 13, 12, 11], [28, 23, 18, 13, 8]
DAYS = [pack_day(day) for day in (20261122, 20261120, 20261121, 20260229, 20271231)]


@pytest.fixture
def console() -> Console:
    return Console()


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
