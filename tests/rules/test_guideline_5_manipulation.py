"""Guideline 5.1-5.6: moving, turning, dropping and holding."""

from __future__ import annotations

import pytest

from firmware.engine import events, phases
from tests.support.drill import CODES, Drill


class TestMovement51:
    def test_a_tap_moves_one_cell(self) -> None:
        drill = Drill("T")
        assert drill.tap("left") & events.MOVED
        assert drill.columns == [2, 3, 4]
        drill.tap("right")
        assert drill.columns == [3, 4, 5]

    def test_walls_stop_it_and_say_so(self) -> None:
        drill = Drill("T")
        drill.tap("left", "left", "left")
        assert drill.tap("left") & events.MOVE_FAILED
        assert drill.columns == [0, 1, 2]
        for _ in range(7):
            drill.tap("right")
        assert drill.tap("right") & events.MOVE_FAILED
        assert drill.columns == [7, 8, 9]

    def test_blocks_stop_it(self) -> None:
        drill = Drill("O", art="...#......\n" * 20)
        assert drill.tap("left") & events.MOVE_FAILED
        assert drill.columns == [4, 5]

    def test_a_control_does_nothing_without_a_tetrimino(self) -> None:
        drill = Drill("T")
        drill.tap("hard")
        assert not drill.tap("cw", "ccw", "hard", "hold", "left")

    def test_pause_is_not_the_engines_affair(self) -> None:
        drill = Drill("T")
        assert not drill.game.input(7, True, 0)


class TestAutoRepeat52:
    def test_it_starts_after_300_ms(self) -> None:
        drill = Drill("T")
        drill.press("left")
        drill.wait(299)
        assert drill.columns[0] == 2
        drill.wait(1)
        assert drill.columns[0] == 1

    def test_from_wall_to_wall_in_about_half_a_second(self) -> None:
        drill = Drill("I")
        drill.tap("cw")
        for _ in range(6):
            drill.tap("left")
        assert drill.columns == [0]
        drill.press("right")
        drill.wait(300)
        assert drill.columns == [2]
        drill.wait(450)
        assert drill.columns == [9]  # nine steps, the first with the press: 0.5 s within a tenth

    def test_it_goes_on_to_the_next_tetrimino(self) -> None:
        drill = Drill("TJ")
        drill.press("left")
        drill.wait(400)
        drill.tap("hard")
        drill.wait(200)
        assert drill.piece == "J"
        drill.wait(200)
        assert drill.columns[0] == 0

    def test_it_charges_while_no_tetrimino_is_in_play(self) -> None:
        drill = Drill("T")
        drill.tap("hard")
        drill.press("right")
        drill.wait(200)
        assert drill.columns == [3, 4, 5]
        drill.wait(100)
        assert drill.columns == [4, 5, 6]

    def test_the_direction_pressed_last_wins_with_the_initial_delay(self) -> None:
        drill = Drill("T")
        drill.press("left")
        drill.wait(300)
        assert drill.columns[0] == 1
        drill.press("right")
        assert drill.columns[0] == 2
        drill.wait(299)
        assert drill.columns[0] == 2
        drill.wait(1)
        assert drill.columns[0] == 3

    def test_released_the_other_goes_on_after_the_initial_delay(self) -> None:
        drill = Drill("T")
        drill.press("left")
        drill.wait(100)
        drill.press("right")
        drill.wait(100)
        drill.release("right")
        assert drill.columns[0] == 3
        drill.wait(299)
        assert drill.columns[0] == 3
        drill.wait(1)
        assert drill.columns[0] == 2

    def test_releasing_the_first_of_two_also_applies_the_delay_once_more(self) -> None:
        drill = Drill("T")
        drill.press("left")
        drill.press("right")
        drill.wait(300)
        assert drill.columns[0] == 4
        drill.release("left")
        drill.wait(299)
        assert drill.columns[0] == 4
        drill.wait(1)
        assert drill.columns[0] == 5

    @pytest.mark.parametrize("older_for_ms", [0, 200])
    def test_letting_go_of_the_older_direction_leaves_a_steady_repeat_alone(self, older_for_ms: int) -> None:
        drill = Drill("T", steady_repeat=1)
        drill.press("left")
        drill.wait(older_for_ms)
        drill.press("right")
        drill.wait(299)
        drill.release("left")
        assert drill.columns[0] == 3
        drill.wait(1)
        assert drill.columns[0] == 4
        drill.wait(55)
        assert drill.columns[0] == 5

    def test_releasing_the_newer_direction_reverses_after_the_initial_delay(self) -> None:
        drill = Drill("T", steady_repeat=1)
        drill.press("left", "right")
        drill.wait(300)
        drill.release("right")
        drill.wait(299)
        assert drill.columns[0] == 4
        drill.wait(1)
        assert drill.columns[0] == 3

    def test_a_steady_repeat_without_steps_in_time_goes_on_sliding(self) -> None:
        drill = Drill("TO", steady_repeat=1, arr_ms=0)
        drill.press("left", "right")
        drill.wait(300)
        drill.release("left")
        drill.place()
        assert drill.columns == [8, 9]

    def test_no_direction_held_no_repeat(self) -> None:
        drill = Drill("T")
        drill.tap("left")
        drill.wait(900)
        assert drill.columns[0] == 2

    def test_a_repeat_against_the_wall_is_silent(self) -> None:
        drill = Drill("T")
        drill.press("left")
        drill.wait(500)
        assert not drill.wait(200) & (events.MOVED | events.MOVE_FAILED)

    def test_das_and_arr_are_options(self) -> None:
        drill = Drill("T", das_ms=100, arr_ms=20)
        drill.press("right")
        drill.wait(99)
        assert drill.columns[0] == 4
        drill.wait(21)
        assert drill.columns[0] == 6

    def test_a_repeat_without_time_goes_to_the_wall_at_once(self) -> None:
        drill = Drill("T", das_ms=100, arr_ms=0)
        drill.press("right")
        drill.wait(100)
        assert drill.columns == [7, 8, 9]

    def test_a_repeat_without_time_enters_every_opening_it_falls_past(self) -> None:
        ledges = "......####\n" * 10 + "..........\n" * 2 + "......####\n" * 8
        drill = Drill("O", art=ledges, das_ms=50, arr_ms=0, level=10)
        drill.press("right")
        drill.until(events.LOCKED)
        # It slid into the two-row opening between the ledges, and came to rest on the lower one.
        assert drill.matrix(10)[0][8:] == "OO"

    def test_a_repeat_without_time_takes_up_the_next_and_a_turned_tetrimino(self) -> None:
        drill = Drill("TI", das_ms=50, arr_ms=0)
        drill.press("right")
        drill.wait(50)
        drill.tap("hard")
        drill.wait(200)
        assert (drill.piece, drill.columns) == ("I", [6, 7, 8, 9])
        drill.tap("cw")
        assert drill.columns == [9]

    def test_a_new_tetrimino_may_cut_the_repeat(self) -> None:
        drill = Drill("TJ", cut_repeat=1)
        drill.press("left")
        drill.wait(400)
        drill.tap("hard")
        drill.wait(200)
        drill.wait(299)
        assert drill.columns[0] == 3
        drill.wait(1)
        assert drill.columns[0] == 2


class TestRotation53:
    def test_clockwise_and_counterclockwise(self) -> None:
        drill = Drill("T")
        assert drill.tap("cw") & events.ROTATED
        assert drill.game.facing == 1
        drill.tap("ccw", "ccw")
        assert drill.game.facing == 3

    def test_there_is_no_auto_repeat(self) -> None:
        drill = Drill("T")
        drill.press("cw")
        drill.wait(900)
        assert drill.game.facing == 1

    def test_while_repeating(self) -> None:
        drill = Drill("T")
        drill.press("left")
        drill.wait(300)
        drill.tap("cw")
        drill.wait(55)
        assert (drill.game.facing, drill.game.x) == (1, 0)

    def test_where_all_five_points_fail_it_says_so(self) -> None:
        drill = Drill("I", art="####.#####\n" * 17)
        drill.tap("cw")
        drill.tap("left")
        drill.tap("soft")
        drill.press("soft")
        drill.wait(1200)
        assert drill.tap("cw") & events.ROTATE_FAILED
        assert drill.game.facing == 1

    def test_o_turns_on_the_spot(self) -> None:
        drill = Drill("O")
        before = drill.cells
        for turn in ("cw", "ccw", "ccw"):
            drill.tap(turn)
            assert drill.cells == before


class TestHardDrop54:
    def test_it_locks_at_once_on_the_surface(self) -> None:
        drill = Drill("T")
        assert drill.tap("hard") & (events.HARD_DROPPED | events.LOCKED) == events.HARD_DROPPED | events.LOCKED
        assert drill.matrix(2) == ["....T.....", "...TTT...."]

    def test_there_is_no_auto_repeat(self) -> None:
        drill = Drill("T")
        drill.press("hard")
        drill.wait(900)
        assert drill.game.lock_downs == 1

    def test_a_guard_ignores_it_right_after_a_natural_lock_down(self) -> None:
        drill = Drill("O", art="....##....\n" * 18, guard_ms=80)
        drill.until(events.LOCKED)
        drill.draw("..........\n" * 3, bottom=18)
        drill.wait(200)
        drill.wait(79)
        assert not drill.tap("hard")
        drill.wait(1)
        assert drill.tap("hard") & events.LOCKED

    def test_the_guard_lets_a_quick_player_drop_on(self) -> None:
        drill = Drill("O", guard_ms=80)
        drill.place()
        assert drill.tap("hard") & events.LOCKED


class TestSoftDrop55:
    def test_twenty_times_as_fast(self) -> None:
        drill = Drill("T")
        drill.wait(100)
        drill.press("soft")
        drill.wait(0)
        top = drill.game.y
        for rows in (1, 2, 3):
            drill.wait(49)
            assert top - drill.game.y == rows - 1
            drill.wait(1)
            assert top - drill.game.y == rows

    def test_a_press_moves_it_at_once_when_the_last_row_is_long_ago(self) -> None:
        drill = Drill("T")
        drill.wait(500)
        top = drill.game.y
        assert drill.press("soft") == 0
        assert drill.wait(0) & events.SOFT_DROPPED
        assert drill.game.y == top - 1

    def test_tapping_is_not_faster_than_holding(self) -> None:
        drill = Drill("T")
        drill.wait(500)
        top = drill.game.y
        for _ in range(100):
            drill.press("soft")
            drill.wait(1)
            drill.release("soft")
            drill.wait(1)
        assert top - drill.game.y <= 200 // 50 + 1

    def test_the_normal_speed_comes_back_with_the_release(self) -> None:
        drill = Drill("T")
        drill.wait(500)
        drill.press("soft")
        drill.wait(100)
        drill.release("soft")
        row = drill.game.y
        drill.wait(999)
        assert drill.game.y == row
        drill.wait(1)
        assert drill.game.y == row - 1

    def test_landing_waits_for_the_lock_down_timer(self) -> None:
        drill = Drill("T", art="....##....\n" * 15)
        drill.wait(100)
        drill.press("soft")
        drill.until(events.LANDED)
        assert not drill.wait(499) & events.LOCKED
        assert drill.wait(1) & events.LOCKED

    def test_it_carries_on_to_the_next_tetrimino_and_ends_with_the_release(self) -> None:
        drill = Drill("TJ")
        drill.press("soft")
        drill.tap("hard")
        drill.wait(200)
        row = drill.game.y
        drill.wait(100)
        assert row - drill.game.y == 2
        drill.release("soft")
        drill.wait(100)
        assert row - drill.game.y == 2

    def test_pressed_while_landed_it_changes_nothing(self) -> None:
        drill = Drill("O", art="....##....\n" * 20)
        drill.press("soft")
        assert not drill.wait(499) & events.LOCKED
        assert drill.wait(1) & events.LOCKED

    def test_the_factor_is_an_option(self) -> None:
        drill = Drill("T", soft_factor=40)
        drill.wait(500)
        drill.press("soft")
        row = drill.game.y
        drill.wait(75)
        assert row - drill.game.y == 4


class TestHold56:
    def test_the_first_hold_brings_the_next_tetrimino_at_once(self) -> None:
        drill = Drill("TJL")
        assert drill.tap("hold") & events.HELD
        assert (drill.piece, CODES[drill.game.hold]) == ("J", "T")

    def test_a_lock_down_must_take_place_between_holds(self) -> None:
        drill = Drill("TJL")
        drill.tap("hold")
        assert drill.tap("hold") & events.HOLD_FAILED
        assert (drill.piece, CODES[drill.game.hold]) == ("J", "T")
        drill.place()
        drill.tap("hold")
        assert (drill.piece, CODES[drill.game.hold]) == ("T", "L")

    def test_it_starts_from_the_generation_position_facing_north(self) -> None:
        drill = Drill("TJL")
        drill.wait(3000)
        drill.tap("cw", "left", "hold")
        drill.place()
        drill.wait(2000)
        drill.tap("hold")
        assert drill.piece == "T"
        assert drill.game.facing == 0
        assert drill.cells == {(3, 19), (4, 19), (5, 19), (4, 20)}

    def test_it_can_be_turned_off(self) -> None:
        drill = Drill("TJL", hold_on=0)
        assert drill.tap("hold") & events.HOLD_FAILED
        assert (drill.piece, drill.game.hold) == ("T", 0)

    def test_a_held_tetrimino_has_its_lock_down_time_anew(self) -> None:
        drill = Drill("OTL", art="....##....\n" * 20)
        drill.wait(400)
        drill.tap("hold")
        drill.draw("..........\n" * 20)
        assert drill.game.phase in (phases.FALLING, phases.LOCK)
        assert drill.game.lock_us == 500_000


@pytest.mark.parametrize("name", ["left", "right"])
def test_2_4_a_direction_held_during_a_line_clear_works_on(name: str) -> None:
    drill = Drill("I", art="####....##")
    drill.tap("right")
    drill.tap("hard")
    drill.press(name)
    drill.wait(500)
    assert drill.game.shift_us < 300_000
