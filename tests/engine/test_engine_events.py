"""Guideline A1.2: the events that `input` and `advance` return, and the state that a view reads."""

import pytest

from firmware.engine import events, phases
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.statistics import Statistics
from tests.support.drill import Drill, Garbage

GAP_FOR_I = "###....###"


def assert_events(reported: int, *wanted: int) -> None:
    assert [bit for bit in wanted if not reported & bit] == []


class TestEvents:
    def test_a1_2_one_long_wait_reports_landing_to_next_tetrimino(self) -> None:
        reported = Drill("I", art=GAP_FOR_I).wait(25_000)
        assert_events(reported, events.LANDED, events.LOCKED, events.SINGLE, events.ELIMINATED, events.GENERATED)

    def test_a1_2_auto_repeat_and_fall_are_reported_together(self) -> None:
        drill = Drill("T", script="+left +soft")
        assert_events(drill.wait(1500), events.MOVED, events.SOFT_DROPPED, events.LANDED, events.LOCKED)

    def test_a1_2_garbage_is_reported_with_the_lock_down(self) -> None:
        drill = Drill("I", art=GAP_FOR_I, mode=Garbage(2))
        assert_events(
            drill.wait(25_000), events.LOCKED, events.SINGLE, events.ELIMINATED, events.GARBAGE, events.GENERATED
        )

    def test_5_4_a_hard_drop_reports_lock_down_and_line_clear(self) -> None:
        assert Drill("I", art=GAP_FOR_I).tap("hard") == events.HARD_DROPPED | events.LOCKED | events.SINGLE

    def test_5_6_initial_hold_is_reported_with_the_lock_down_before(self) -> None:
        drill = Drill("IT", initial_hold=1, script="19000")
        assert_events(drill.game.input(6, True, drill.t_ms), events.HELD)
        drill.act("-hold +hold")
        assert_events(drill.wait(30_000), events.LANDED, events.LOCKED, events.GENERATED, events.HELD)

    def test_a1_2_an_event_is_reported_once(self) -> None:
        drill = Drill("T")
        assert [drill.act(step) for step in ("+left", "0", "-left")] == [events.MOVED, 0, 0]

    @pytest.mark.parametrize(
        ("control", "expected"),
        [("left", events.MOVE_FAILED), ("cw", events.ROTATE_FAILED), ("hold", events.HOLD_FAILED)],
    )
    def test_5_a_failed_input_is_the_only_event(self, control: str, expected: int) -> None:
        drill = Drill("I", art="####.#####\n" * 12, hold_on=0, script="cw left +soft 700 -soft")
        assert drill.game.phase == phases.FALLING and drill.tap(control) == expected

    @pytest.mark.no_cover
    @pytest.mark.parametrize(
        ("control", "expected"),
        [("left", events.MOVE_FAILED), ("ccw", events.ROTATE_FAILED), ("hold", events.HOLD_FAILED)]
        + [("hard", events.HARD_DROPPED | events.LOCKED | events.TETRIS)],
    )
    def test_a1_2_an_edge_also_reports_the_time_before(self, control: str, expected: int) -> None:
        before, drill = (Drill("I", art="####.#####\n" * 12, hold_on=0) for _ in range(2))
        for one in (before, drill):
            one.tap("cw", "left")
        drill.t_ms = before.until(events.LANDED)
        assert drill.tap(control) == expected | events.LANDED

    @pytest.mark.parametrize("control", ["cw", "ccw", "right"])
    def test_a1_2_a_successful_move_also_reports_the_time_before(self, control: str) -> None:
        drill = Drill("T")
        drill.t_ms = Drill("T").until(events.LANDED)
        moved = events.MOVED if control == "right" else events.ROTATED
        assert drill.tap(control) == moved | events.LANDED


class TestState:
    def test_without_a_tetrimino_in_play_the_piece_is_0(self) -> None:
        drill = Drill("T", script="hard 100")
        assert (drill.game.phase, drill.game.piece) == (phases.GENERATION, 0)

    def test_5_6_held_is_true_from_a_hold_to_the_lock_down(self) -> None:
        drill = Drill("T")
        assert [drill.game.held for step in ("", "hold", "hard") if drill.act(step) >= 0] == [False, True, False]

    def test_a1_2_7_eliminated_rows_are_no_longer_marked(self) -> None:
        drill = Drill("I", art=GAP_FOR_I)
        assert [drill.game.hit_count for step in ("hard", "300") if drill.act(step)] == [1, 0]

    def test_a_mode_sees_lines_and_points_of_each_lock_down(self) -> None:
        class Witness(Mode):
            seen: list[tuple[int, int, int, int]] = []  # noqa: RUF012

            def complete(self, game) -> None:
                self.seen.append((game.cleared, game.awarded, game.lines, game.score))

        Drill("I", art=GAP_FOR_I, mode=Witness(), script="25000 hard 1")
        assert [cleared_to_lines for *cleared_to_lines, _ in Witness.seen] == [[1, 1, 1], [0, 0, 1]]
        assert Witness.seen[0][3] == 100


class TestModes:
    def test_a1_2_7_statistics_are_counted_in_the_eliminate_phase(self) -> None:
        class Witness(Statistics):
            seen: list[int] = []  # noqa: RUF012

            def count(self, spun: int, lines: int, action: int) -> None:
                self.seen.append(drill.game.phase)

        drill = Drill("T")
        drill.game.statistics = Witness()
        drill.place()
        assert Witness.seen == [phases.ELIMINATE]

    def test_10_garbage_that_fits_lets_the_game_continue(self) -> None:
        mode = Garbage(3)
        drill = Drill("O", mode=mode)
        drill.place()
        assert (mode.answers, drill.piece, drill.matrix(3)) == ([True], "O", [".#########"] * 3)

    @pytest.mark.parametrize("slice_ms", [1, 50, 150, 300])
    def test_5_2_at_the_same_moment_a_row_falls_before_a_step(self, slice_ms: int) -> None:
        # Rows of Soft Drop take 50 ms, the delay of the Auto-Repeat 300 ms: the sixth row meets the first step.
        # The Block is beside the O after that row; after that step the Block is below the O.
        drill = Drill("O", art=".......#..\n" + "..........\n" * 13, script="+right +soft")
        for _ in range(300 // slice_ms):
            drill.wait(slice_ms)
        assert (drill.columns, min(y for _, y in drill.cells), drill.game.phase) == ([6, 7], 14, phases.LOCK)

    def test_a_mode_picks_no_tetrimino_by_default(self) -> None:
        assert Mode().pick(Game(1)) == 0
