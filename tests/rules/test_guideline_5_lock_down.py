"""Guideline 5.7-5.9 and A1.2.3: the three rules of Lock Down, and the lifted-off rule."""

from typing import Any

import pytest

from firmware.engine import events, phases
from firmware.engine.options import CLASSIC, EXTENDED, INFINITE
from tests.support.drill import Drill

PLATEAU = "..######..\n" * 19  # an O at its generation position rests on it; the sides are open
WELL = "...#..#...\n" * 2 + "...####...\n" * 19  # an O cannot move in it


def resting_o(rule: int, **options: Any) -> Drill:
    return Drill("O", art=PLATEAU, lock_rule=rule, **options)


def upright_t(**options: Any) -> Drill:
    """Return a T facing East that has just landed on the floor, at level 15 where a row takes 7,059 us."""
    drill = Drill("T", level=15, **options, script="cw")
    drill.until(events.LANDED)
    drill.game.lock_us = 500_000
    return drill


def locks_after(drill: Drill, ms: int) -> bool:
    """Let `ms` pass; return whether the Tetrimino locks down in the last millisecond."""
    return not drill.wait(ms - 1) & events.LOCKED and bool(drill.wait(1) & events.LOCKED)


@pytest.mark.parametrize("rule", [EXTENDED, INFINITE, CLASSIC])
class TestEveryRule:
    def test_lock_down_comes_half_a_second_after_landing(self, rule: int) -> None:
        drill = Drill("O", lock_rule=rule)
        drill.until(events.LANDED)
        assert locks_after(drill, 500)

    def test_a_lower_row_resets_the_timer(self, rule: int) -> None:
        drill = resting_o(rule, script="400 right*4")
        assert drill.game.phase == phases.FALLING and drill.until(events.LANDED) > 10_000
        assert drill.game.lock_us == 500_000

    def test_the_timer_of_a_lifted_tetrimino_pauses_until_it_lands_again(self, rule: int) -> None:
        # A turn from East to North lifts the lowest Mino of a T off the floor.
        drill = upright_t(lock_rule=rule)
        drill.act("200 ccw")
        assert (drill.game.phase, drill.game.lock_us) == (phases.FALLING, 300_000)
        assert drill.until(events.LANDED) == 8
        assert drill.game.lock_us == 300_000 - 941  # it landed 7,059 us after the turn
        assert locks_after(drill, 300)

    def test_moves_in_free_fall_do_not_count(self, rule: int) -> None:
        drill = Drill("O", lock_rule=rule)
        drill.tap(*["left", "right"] * 20)
        drill.until(events.LANDED)
        assert not drill.wait(499) & events.LOCKED


class TestExtendedPlacement57:
    @pytest.mark.parametrize("control", ["left", "cw"])
    def test_a_movement_or_rotation_resets_the_timer(self, control: str) -> None:
        assert locks_after(resting_o(EXTENDED, script=f"400 {control}"), 500)

    @pytest.mark.parametrize("rule", [EXTENDED, INFINITE])
    def test_a_failed_movement_does_not_reset_the_timer(self, rule: int) -> None:
        drill = Drill("O", art=WELL, lock_rule=rule, script="400")
        assert drill.tap("left") & events.MOVE_FAILED and drill.wait(100) & events.LOCKED

    @pytest.mark.parametrize(("moves", "last"), [("left right " * 7, "left"), ("cw left right " * 4 + "cw cw", "ccw")])
    def test_the_fifteenth_movement_or_rotation_locks_it_down(self, moves: str, last: str) -> None:
        """The Lock Down Timer does not matter."""
        drill = resting_o(EXTENDED)
        assert not drill.act(moves) & events.LOCKED and drill.tap(last) & events.LOCKED

    def test_failed_movements_do_not_count(self) -> None:
        assert not Drill("O", art=WELL).tap(*["left"] * 20) & events.LOCKED

    def test_a_new_lowest_row_gives_15_moves_again(self) -> None:
        drill = Drill("O", art="....##....\n" * 19)
        drill.tap(*["left", "right"] * 5, "right", "right")
        assert (drill.game.phase, drill.game.moves_left) == (phases.FALLING, 3)
        drill.wait(1000)
        assert drill.game.moves_left == 15

    def test_with_no_moves_left_it_moves_in_the_air_and_locks_on_a_surface(self) -> None:
        drill = upright_t()
        drill.tap(*["left", "right"] * 7)
        # The fifteenth move lifts it off: it can still move in the air until it lands.
        assert not drill.tap("ccw") & events.LOCKED
        assert (drill.game.phase, drill.game.moves_left) == (phases.FALLING, 0)
        assert not drill.tap("left", "right") & events.LOCKED and drill.until(events.LOCKED) == 8

    def test_with_no_moves_left_a_movement_onto_a_surface_locks_it(self) -> None:
        drill = Drill("T", art="##........", script="cw left +soft")
        drill.until(events.LANDED)
        drill.act("-soft" + " right left" * 7)
        assert not drill.tap("ccw") & events.LOCKED and drill.game.phase == phases.FALLING
        assert drill.tap("left") & events.LOCKED

    def test_falling_to_the_same_row_again_does_not_give_moves_back(self) -> None:
        drill = upright_t()
        drill.tap("ccw")
        drill.until(events.LANDED)
        assert drill.game.moves_left == 14

    def test_a_turn_below_the_lowest_row_counts_as_a_lower_row(self) -> None:
        drill = Drill("T", art="...#......\n" * 19, script="400 cw")
        assert (drill.game.phase, drill.game.moves_left, drill.game.lock_us) == (phases.FALLING, 15, 500_000)

    def test_rotation_onto_a_lower_surface_lands_and_counts_moves(self) -> None:
        drill = Drill("T", art="...#......", level=15)
        drill.until(events.LANDED)
        drill.tap("cw")
        assert (drill.game.phase, drill.game.moves_left) == (phases.LOCK, 15)
        drill.tap("right", "left")
        assert drill.game.moves_left == 13


class TestInfinitePlacement58:
    def test_movements_never_run_out(self) -> None:
        assert not resting_o(INFINITE).act("left 499 right 499 " * 100) & events.LOCKED


class TestClassic59:
    def test_movement_and_rotation_do_not_reset_the_timer(self) -> None:
        assert locks_after(resting_o(CLASSIC, script="400 left cw"), 100)

    def test_more_than_15_movements_do_not_lock_it_down(self) -> None:
        assert not resting_o(CLASSIC).tap(*["left", "right"] * 10) & events.LOCKED


def test_5_7_a_hard_drop_in_the_lock_phase_locks_at_once() -> None:
    drill = resting_o(EXTENDED, script="100")
    assert drill.tap("hard") & events.LOCKED and drill.game.score == 0
