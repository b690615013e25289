"""Guideline 5.1-5.6: moving, turning, dropping and holding."""

from typing import Any

import pytest

from firmware.engine import events, phases
from tests.support.drill import Drill

PILLAR = "....##....\n"
STEADY = {"steady_repeat": 1}


def count_fallen_rows(drill: Drill, *scripts: str) -> list[int]:
    """Return the number of rows that the Tetrimino has fallen after each script."""
    top = drill.game.y
    return [top - drill.game.y for script in scripts if drill.act(script) >= 0]


class TestMovement51:
    def test_a_tap_moves_one_cell(self) -> None:
        drill = Drill("T")
        assert drill.tap("left") & events.MOVED and drill.walk("", "right") == ["234", "345"]

    def test_walls_stop_a_movement_with_an_event(self) -> None:
        drill = Drill("T")
        for side, times, columns in (("left", 3, [0, 1, 2]), ("right", 7, [7, 8, 9])):
            drill.tap(*[side] * times)
            assert drill.tap(side) & events.MOVE_FAILED and drill.columns == columns

    def test_a_control_does_nothing_without_a_tetrimino(self) -> None:
        assert not Drill("T", script="hard").tap("cw", "ccw", "hard", "hold", "left")

    def test_engine_ignores_the_pause_control(self) -> None:
        assert not Drill("T").game.input(7, True, 0)


class TestAutoRepeat52:
    @pytest.mark.parametrize(
        ("options", "script", "columns"),
        [
            pytest.param({}, "+left 299 | 1", "234 123", id="the repeat starts after 300 ms"),
            # Nine steps: one by the press, eight by the Auto-Repeat.
            pytest.param({"order": "I"}, "cw left*6 | +right 300 | 450", "0 2 9", id="across in half a second"),
            pytest.param({}, "hard +right 200 | 100", "345 456", id="the delay runs without a Tetrimino in play"),
            pytest.param({}, "+left 300 | +right | 299 | 1", "123 234 234 345", id="the direction pressed last wins"),
            pytest.param({}, "+left 100 +right 100 -right | 299 | 1", "345 345 234", id="after a release, the other"),
            pytest.param({}, "+left +right 300 | -left 299 | 1", "456 456 567", id="the older is released"),
            pytest.param(STEADY, "+left +right 299 -left | 1 | 55", "345 456 567", id="steady, both at once"),
            pytest.param(STEADY, "+left 200 +right 299 -left | 1 | 55", "345 456 567", id="steady, one later"),
            pytest.param(STEADY, "+left +right 300 -right 299 | 1", "456 345", id="steady, the newer is released"),
            pytest.param(
                STEADY | {"order": "TO", "arr_ms": 0}, "+left +right 300 -left hard 200", "89", id="steady at 0 ms"
            ),
            pytest.param({}, "left 900", "234", id="no repeat without a held direction"),
            pytest.param({"das_ms": 100, "arr_ms": 20}, "+right 99 | 21", "456 678", id="both times are options"),
            pytest.param({"das_ms": 100, "arr_ms": 0}, "+right 100", "789", id="a repeat of 0 ms goes to the wall"),
        ],
    )
    def test_5_2_auto_repeat(self, options: dict[str, Any], script: str, columns: str) -> None:
        assert Drill(**{"order": "T", **options}).walk(*script.split("|")) == columns.split()

    def test_auto_repeat_continues_with_the_next_tetrimino(self) -> None:
        drill = Drill("TJ", script="+left 400 hard 200")
        assert drill.piece == "J" and drill.walk("200") == ["012"]

    def test_a_repeat_against_the_wall_gives_no_event(self) -> None:
        assert not Drill("T", script="+left 500").wait(200) & (events.MOVED | events.MOVE_FAILED)

    def test_a_repeat_of_0_ms_enters_every_opening_on_the_way_down(self) -> None:
        ledges = "......####\n" * 10 + "..........\n" * 2 + "......####\n" * 8
        drill = Drill("O", art=ledges, das_ms=50, arr_ms=0, level=10, script="+right")
        drill.until(events.LOCKED)
        # It slid into the two-row opening between the ledges, and came to rest on the lower one.
        assert drill.matrix(10)[0][8:] == "OO"

    def test_a_repeat_of_0_ms_moves_the_next_and_a_turned_tetrimino(self) -> None:
        drill = Drill("TI", das_ms=50, arr_ms=0)
        assert drill.walk("+right 50 hard 200") == ["6789"] and drill.piece == "I" and drill.walk("cw") == ["9"]


class TestHandsDcd:
    """A new Tetrimino waits (OPTIONS > HANDLING > DCD)."""

    @pytest.mark.parametrize(
        ("options", "script", "columns"),
        [
            pytest.param({}, "+left 460 hard 200 | 25", "345 234", id="none: repeats go on with the next one"),
            pytest.param({"cut_repeat": 60}, "+left 460 hard 200 59 | 1 | 55", "345 234 123", id="60 ms, then repeats"),
            pytest.param({"cut_repeat": 60}, "+left 20 hard 200 79 | 1", "345 234", id="it shortens no running DAS"),
            pytest.param({"cut_repeat": 60, "arr_ms": 0}, "+left 460 hard 200 59 | 1", "345 012", id="to the wall"),
            pytest.param({"cut_repeat": 1}, "+left 460 hard 200 299 | 1", "345 234", id="DAS again, as older records"),
            pytest.param({"cut_repeat": 400}, "+left 460 hard 200 399 | 1", "345 234", id="longer than DAS"),
        ],
    )
    def test_a_new_tetrimino_waits(self, options: dict[str, Any], script: str, columns: str) -> None:
        assert Drill(order="TJ", **options).walk(*script.split("|")) == columns.split()

    def test_it_waits_after_hold_too(self) -> None:
        drill = Drill("TJ", cut_repeat=60, script="+left 460 hold")
        assert drill.walk("59", "1") == ["345", "234"]


class TestRotation53:
    def test_clockwise_and_counterclockwise(self) -> None:
        drill = Drill("T")
        assert drill.tap("cw") & events.ROTATED and drill.game.facing == 1
        drill.tap("ccw", "ccw")
        assert drill.game.facing == 3

    def test_there_is_no_auto_repeat(self) -> None:
        assert Drill("T", script="+cw 900").game.facing == 1

    def test_rotation_works_during_auto_repeat(self) -> None:
        drill = Drill("T", script="+left 300 cw 55")
        assert (drill.game.facing, drill.game.x) == (1, 0)

    def test_rotation_fails_if_all_five_points_fail(self) -> None:
        drill = Drill("I", art="####.#####\n" * 17, script="cw left soft +soft 1200")
        assert drill.tap("cw") & events.ROTATE_FAILED and drill.game.facing == 1


class TestHardDrop54:
    def test_hard_drop_locks_at_once_on_the_surface(self) -> None:
        drill = Drill("T")
        assert drill.tap("hard") & (events.HARD_DROPPED | events.LOCKED) == events.HARD_DROPPED | events.LOCKED
        assert drill.matrix(2) == ["....T.....", "...TTT...."]

    def test_there_is_no_auto_repeat(self) -> None:
        assert Drill("T", script="+hard 900").game.lock_downs == 1

    def test_the_guard_ignores_a_hard_drop_after_a_natural_lock_down(self) -> None:
        drill = Drill("O", art=PILLAR * 18, guard_ms=80)
        drill.until(events.LOCKED)
        drill.draw("..........\n" * 3, bottom=18)
        drill.act("200 79")
        assert not drill.tap("hard")
        drill.wait(1)
        assert drill.tap("hard") & events.LOCKED

    def test_the_guard_allows_one_hard_drop_after_another(self) -> None:
        drill = Drill("O", guard_ms=80)
        drill.place()
        assert drill.tap("hard") & events.LOCKED


class TestSoftDrop55:
    def test_soft_drop_is_twenty_times_as_fast(self) -> None:
        assert count_fallen_rows(Drill("T", script="100 +soft 0"), *["49", "1"] * 3) == [0, 1, 1, 2, 2, 3]

    def test_a_press_moves_it_at_once_if_the_last_row_was_long_ago(self) -> None:
        drill = Drill("T", script="500")
        top = drill.game.y
        assert drill.press("soft") == 0 and drill.wait(0) & events.SOFT_DROPPED and drill.game.y == top - 1

    def test_tapping_is_not_faster_than_holding(self) -> None:
        assert count_fallen_rows(Drill("T", script="500"), "+soft 1 -soft 1 " * 100)[0] <= 200 // 50 + 1

    def test_the_release_restores_the_normal_speed(self) -> None:
        assert count_fallen_rows(Drill("T", script="500 +soft 100 -soft"), "999", "1") == [0, 1]

    def test_landing_waits_for_the_lock_down_timer(self) -> None:
        drill = Drill("T", art=PILLAR * 15, script="100 +soft")
        drill.until(events.LANDED)
        assert not drill.wait(499) & events.LOCKED and drill.wait(1) & events.LOCKED

    def test_soft_drop_continues_with_the_next_tetrimino_until_released(self) -> None:
        assert count_fallen_rows(Drill("TJ", script="+soft hard 200"), "100", "-soft 100") == [2, 2]

    def test_a_press_while_landed_changes_nothing(self) -> None:
        drill = Drill("O", art=PILLAR * 20)
        assert not drill.act("+soft 499") & events.LOCKED and drill.wait(1) & events.LOCKED

    def test_the_factor_is_an_option(self) -> None:
        assert count_fallen_rows(Drill("T", soft_factor=40, script="500 +soft"), "75") == [4]


class TestHold56:
    def test_the_first_hold_brings_the_next_tetrimino_at_once(self) -> None:
        drill = Drill("TJL")
        assert drill.tap("hold") & events.HELD and drill.queues == ("J", "T")

    def test_a_lock_down_must_take_place_between_holds(self) -> None:
        drill = Drill("TJL", script="hold")
        assert drill.tap("hold") & events.HOLD_FAILED and drill.queues == ("J", "T")
        drill.act("hard 200 hold")
        assert drill.queues == ("T", "L")

    def test_held_tetrimino_returns_at_its_generation_position_facing_north(self) -> None:
        drill = Drill("TJL", script="3000 cw left hold hard 200 2000 hold")
        assert (drill.piece, drill.game.facing) == ("T", 0)
        assert drill.cells == {(3, 19), (4, 19), (5, 19), (4, 20)}

    def test_hold_can_be_turned_off(self) -> None:
        drill = Drill("TJL", hold_on=0)
        assert drill.tap("hold") & events.HOLD_FAILED and drill.queues == ("T", ".")

    def test_a_held_tetrimino_gets_its_full_lock_down_time(self) -> None:
        drill = Drill("OTL", art=PILLAR * 20, script="400 hold")
        drill.draw("..........\n" * 20)
        assert drill.game.phase in (phases.FALLING, phases.LOCK) and drill.game.lock_us == 500_000


@pytest.mark.parametrize("name", ["left", "right"])
def test_2_4_the_delay_of_a_direction_runs_during_a_line_clear(name: str) -> None:
    assert Drill("I", art="####....##", script=f"right hard +{name} 500").game.shift_us < 300_000
