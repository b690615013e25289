"""Guideline 2.3, 3.4, A1.2: the start of a game, its events, the state that a view reads, and its statistics."""

import pytest

from firmware.engine import events, phases
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.randomizer import Random
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
        for control, held in (("", False), ("hold", True), ("hard", False)):
            drill.act(control)
            assert drill.game.held is held

    def test_a1_2_7_eliminated_rows_are_no_longer_marked(self) -> None:
        drill = Drill("I", art=GAP_FOR_I, script="hard")
        assert drill.game.hit_count == 1
        drill.wait(300)
        assert drill.game.hit_count == 0

    def test_a_mode_sees_lines_and_points_of_each_lock_down(self) -> None:
        seen: list[tuple[int, int, int, int]] = []

        class Witness(Mode):
            def complete(self, game: Game) -> None:
                seen.append((game.cleared, game.awarded, game.lines, game.score))

        game = Drill("I", art=GAP_FOR_I, mode=Witness(), script="25000 hard 1").game
        assert seen == [(1, 1, 1, 100), (0, 0, 1, game.score)]


class TestModes:
    def test_a_game_without_options_or_mode_plays_by_the_guideline(self) -> None:
        game = Game(1)
        assert isinstance(game.mode, Mode) and vars(game.options) == vars(Options())

    def test_a1_2_7_statistics_are_counted_in_the_eliminate_phase(self) -> None:
        seen: list[int] = []

        class Witness(Statistics):
            def count(self, spun: int, lines: int, action: int) -> None:
                seen.append(drill.game.phase)

        drill = Drill("T")
        drill.game.statistics = Witness()
        drill.place()
        assert seen == [phases.ELIMINATE]

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


class Sweeper(Mode):
    """Clear the Matrix in each Iterate Phase: the game never ends."""

    def iterate(self, game) -> None:
        for y in range(40):
            game.matrix.set_row(y, bytes(10))


def find_starting_rows(seed: int, rows: int) -> list[bytes]:
    options = Options()
    options.garbage_rows = rows
    return [bytes(row) for row in Game(seed, options).matrix.rows[:rows]]


class TestStart:
    def test_a_new_game_has_no_points_no_time_and_nothing_in_play(self) -> None:
        game = Game(77)
        assert (game.seed, game.phase, game.piece, game.over) == (77, phases.GENERATION, 0, 0)
        assert [game.score, game.lines, game.goal, game.hold, game.chain, game.lock_downs] == [0] * 6
        assert (game.time_ms, game.time_us, game.limit_ms) == (0, 0, 0)
        assert (game.hits, game.hit_count) == (bytearray(40), 0) and game.level == 1
        # A view may read these before the first Tetrimino.
        assert (game.facing, game.x, game.y, game.ghost_y) == (0, 0, 0, 0)

    def test_a_new_game_has_empty_statistics_and_results(self) -> None:
        game = Game(77)
        assert [game.action, game.spun, game.cleared, game.awarded] == [0] * 4
        counts = game.statistics
        assert counts.kinds == [0] * 15
        assert [counts.pieces, counts.holds, counts.faults, counts.back_to_backs] == [0] * 4

    def test_2_4_each_row_of_starting_blocks_has_one_gap(self) -> None:
        for seed in range(50):
            rows = find_starting_rows(seed, 15)
            assert len(rows) == 15 and all(sorted(row) == [0] + [8] * 9 for row in rows)

    def test_2_4_the_gaps_depend_on_the_seed_alone(self) -> None:
        assert find_starting_rows(5, 15) == find_starting_rows(5, 15)
        assert len({tuple(find_starting_rows(seed, 15)) for seed in range(64)}) == 64

    def test_3_3_the_bag_draws_again_to_avoid_a_modulo_bias(self) -> None:
        # 32768 is no multiple of 7: number 32767 is drawn again.
        drawing = Random(1)
        while True:
            before = drawing.a, drawing.b
            if drawing.below(32768) == 32767:
                break
        following = drawing.below(32768)
        drawing.a, drawing.b = before
        assert drawing.below(7) == following % 7

    def test_5_4_the_hard_drop_guard_skips_the_first_tetrimino(self) -> None:
        assert Drill("O", guard_ms=80).tap("hard") & events.LOCKED

    @pytest.mark.parametrize(("control", "columns"), [("cw", [3, 4]), ("ccw", [4, 5])])
    def test_5_3_initial_rotation_tries_the_points_of_its_direction(self, control: str, columns: list[int]) -> None:
        drill = Drill("T", initial_rotation=1, script="hard")
        drill.draw("....#.....", bottom=19)  # where the lowest Mino would be after a turn at point 1
        drill.act(f"+{control} 200")
        assert (drill.piece, drill.columns) == ("T", columns)

    @pytest.mark.parametrize("leap_ms", [500_000, 500_001, 1_700_000])
    def test_a_long_wait_passes_its_exact_time(self, leap_ms: int) -> None:
        drill = Drill("T", mode=Sweeper())
        drill.wait(leap_ms)
        assert (drill.game.over, drill.game.time_ms) == (0, leap_ms)


class TestCounts:
    def test_lines_by_kind_and_back_to_backs(self) -> None:
        drill = Drill("I")
        for rows in (1, 2, 2, 3, 4, 4, 4):
            drill.clear(rows)
        statistics = drill.game.statistics
        assert (statistics.kinds[1:5], statistics.back_to_backs) == ([1, 2, 1, 3], 2)

    def test_t_spins_by_kind(self) -> None:
        drill = Drill("T")
        drill.draw("##........\n#...######\n##.#######")
        drill.game.place(6, 1, 0, 1)
        drill.act("cw hard 500")
        assert drill.game.statistics.kinds[2 * 5 + 2] == 1

    def test_more_than_four_lines_count_as_a_tetris(self) -> None:
        drill = Drill("T")
        drill.game.statistics.count(0, 6, 0)
        assert drill.game.statistics.kinds[4] == 1

    def test_the_longest_combo_counts_from_the_second_line_clear_on(self) -> None:
        drill = Drill("I")
        for longest in (0, 1, 2):
            drill.clear(1)
            assert drill.game.statistics.longest_combo == longest
        drill.place()
        drill.clear(1)
        assert (drill.game.statistics.combo, drill.game.statistics.longest_combo) == (0, 2)

    def test_pieces_and_holds(self) -> None:
        drill = Drill("TJL", script="hold hard 200 hard 200")
        assert (drill.game.statistics.pieces, drill.game.statistics.holds) == (2, 1)

    @pytest.mark.parametrize(
        ("art", "before", "until", "after"),
        [
            pytest.param("", "", events.LANDED, "left right hard", id="moved"),
            pytest.param(".#########", "left left left", events.LANDED, "cw hard", id="turned into a hole"),
            pytest.param("", "left right", events.LOCKED, "", id="locked down by itself"),
        ],
    )
    def test_finesse_ignores_presses_after_landing(self, art: str, before: str, until: int, after: str) -> None:
        drill = Drill("T", art=art, script=before)
        drill.until(until)
        drill.act(after)
        assert drill.game.statistics.faults == 0
