"""Guideline A1.2: what `input` and `advance` tell of the time since last asked, and what a view then reads."""

import pytest

from firmware.engine import events, phases
from firmware.engine.game import TOP_OUT
from firmware.engine.mode import Mode
from firmware.engine.statistics import Statistics
from tests.support.drill import Drill

GAP_FOR_I = "###....###"


def assert_told(happened: int, *wanted: int) -> None:
    """Check that every one of the events was told."""
    assert [bit for bit in wanted if not happened & bit] == []


class Garbage(Mode):
    """Send rows of garbage after each Lock Down; remember what `receive` answered."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.answers: list[bool] = []

    def complete(self, game) -> None:
        self.answers.append(game.receive(self.rows, 0))


def test_a1_2_one_long_wait_reports_landing_to_next_tetrimino() -> None:
    drill = Drill("I", art=GAP_FOR_I)
    happened = drill.wait(25_000)
    assert_told(happened, events.LANDED, events.LOCKED, events.SINGLE, events.ELIMINATED, events.GENERATED)


def test_a1_2_auto_repeat_and_fall_are_told_together() -> None:
    drill = Drill("T")
    drill.press("left", "soft")
    assert_told(drill.wait(1500), events.MOVED, events.SOFT_DROPPED, events.LANDED, events.LOCKED)


def test_a1_2_level_up_and_garbage_are_told_with_the_lock_down() -> None:
    drill = Drill("I", art=GAP_FOR_I, mode=Garbage(2))
    assert_told(drill.wait(25_000), events.LOCKED, events.SINGLE, events.ELIMINATED, events.GARBAGE, events.GENERATED)


def test_5_4_a_hard_drop_tells_of_itself_and_of_the_line_it_made() -> None:
    drill = Drill("I", art=GAP_FOR_I)
    assert drill.tap("hard") == events.HARD_DROPPED | events.LOCKED | events.SINGLE


def test_10_a_lock_out_tells_of_drop_lock_down_and_end() -> None:
    drill = Drill("O", art="....##....\n" * 20)
    assert drill.tap("hard") == events.HARD_DROPPED | events.LOCKED | events.GAME_OVER


def test_5_6_initial_hold_is_told_with_the_lock_down_before_it() -> None:
    drill = Drill("IT", initial_hold=1)
    drill.wait(19_000)
    happened = drill.game.input(6, True, drill.t_ms)
    assert_told(happened, events.HELD)
    drill.release("hold")
    drill.press("hold")
    happened = drill.wait(30_000)
    assert_told(happened, events.LANDED, events.LOCKED, events.GENERATED, events.HELD)


def test_a1_2_an_event_is_told_once() -> None:
    drill = Drill("T")
    assert drill.press("left") == events.MOVED
    assert drill.wait(0) == 0
    assert drill.release("left") == 0


@pytest.mark.parametrize(
    ("control", "told"),
    [("left", events.MOVE_FAILED), ("cw", events.ROTATE_FAILED), ("hold", events.HOLD_FAILED)],
)
def test_5_what_cannot_be_done_is_told_and_nothing_else(control: str, told: int) -> None:
    drill = Drill("I", art="####.#####\n" * 12, hold_on=0)
    drill.tap("cw", "left")
    drill.press("soft")
    drill.wait(700)
    drill.release("soft")
    assert drill.game.phase == phases.FALLING
    assert drill.tap(control) == told


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("control", "told"),
    [
        ("left", events.MOVE_FAILED),
        ("ccw", events.ROTATE_FAILED),
        ("hold", events.HOLD_FAILED),
        ("hard", events.HARD_DROPPED | events.LOCKED | events.TETRIS),
    ],
)
def test_a1_2_an_edge_tells_of_the_time_before_it_too(control: str, told: int) -> None:
    drill = Drill("I", art="####.#####\n" * 12, hold_on=0)
    drill.tap("cw", "left")
    left_ms = drill.until(events.LANDED)
    drill = Drill("I", art="####.#####\n" * 12, hold_on=0)
    drill.tap("cw", "left")
    drill.t_ms = left_ms
    assert drill.tap(control) == told | events.LANDED


@pytest.mark.parametrize("control", ["cw", "ccw", "right"])
def test_a1_2_what_succeeds_does_not_hide_the_time_before_it(control: str) -> None:
    drill = Drill("T")
    drill.t_ms = Drill("T").until(events.LANDED)
    moved = events.MOVED if control == "right" else events.ROTATED
    assert drill.tap(control) == moved | events.LANDED


class TestWhatIsRead:
    def test_without_a_tetrimino_in_play_the_piece_is_0(self) -> None:
        drill = Drill("T")
        drill.tap("hard")
        drill.wait(100)
        assert (drill.game.phase, drill.game.piece) == (phases.GENERATION, 0)

    def test_5_6_held_is_true_from_a_hold_to_the_lock_down(self) -> None:
        drill = Drill("T")
        seen = [drill.game.held]
        drill.tap("hold")
        seen.append(drill.game.held)
        drill.tap("hard")
        seen.append(drill.game.held)
        assert seen == [False, True, False]

    def test_a1_2_7_no_rows_are_marked_once_they_are_gone(self) -> None:
        drill = Drill("I", art=GAP_FOR_I)
        drill.tap("hard")
        assert drill.game.hit_count == 1
        drill.wait(300)
        assert drill.game.hit_count == 0

    def test_lock_downs_are_counted(self) -> None:
        drill = Drill("IO")
        for count in (1, 2, 3):
            drill.place()
            assert drill.game.lock_downs == count

    def test_a_mode_is_told_what_each_lock_down_cleared_and_was_awarded(self) -> None:
        class Witness(Mode):
            seen: list[tuple[int, int, int, int]] = []  # noqa: RUF012

            def complete(self, game) -> None:
                self.seen.append((game.cleared, game.awarded, game.lines, game.score))

        drill = Drill("I", art=GAP_FOR_I, mode=Witness())
        drill.wait(25_000)
        drill.tap("hard")
        drill.wait(1)
        assert [cleared for cleared, *_ in Witness.seen] == [1, 0]
        assert [awarded for _, awarded, *_ in Witness.seen] == [1, 0]
        assert [lines for _, _, lines, _ in Witness.seen] == [1, 1]
        assert Witness.seen[0][3] == 100


def test_a1_2_7_counting_belongs_to_the_eliminate_phase() -> None:
    class Witness(Statistics):
        seen: list[int] = []  # noqa: RUF012

        def count(self, spun: int, lines: int, action: int) -> None:
            self.seen.append(drill.game.phase)

    drill = Drill("T")
    drill.game.statistics = Witness()
    drill.place()
    assert Witness.seen == [phases.ELIMINATE]


def test_10_garbage_that_fits_lets_the_game_go_on() -> None:
    mode = Garbage(3)
    drill = Drill("O", mode=mode)
    drill.place()
    assert mode.answers == [True]
    assert drill.piece == "O"
    assert drill.matrix(3) == [".#########"] * 3


def test_10_garbage_that_forces_a_block_out_ends_the_game_and_says_so() -> None:
    mode = Garbage(40)
    drill = Drill("O", mode=mode)
    happened = drill.tap("hard") | drill.wait(0)
    assert mode.answers == [False]
    assert drill.game.over == TOP_OUT
    assert_told(happened, events.GARBAGE, events.GAME_OVER)


@pytest.mark.parametrize("slice_ms", [1, 50, 150, 300])
def test_5_2_a_step_and_a_row_due_at_the_same_moment_come_in_this_order(slice_ms: int) -> None:
    # Rows of Soft Drop take 50 ms, the delay of the Auto-Repeat 300 ms: the sixth row meets the first step.
    # The Block is beside the O after that row, and below it after that step.
    drill = Drill("O", art=".......#..\n" + "..........\n" * 13)
    drill.press("right", "soft")
    for _ in range(300 // slice_ms):
        drill.wait(slice_ms)
    assert drill.columns == [6, 7]
    assert min(y for _, y in drill.cells) == 14
    assert drill.game.phase == phases.LOCK


def test_a_mode_that_leaves_dealing_to_the_bag_picks_nothing() -> None:
    from firmware.engine.game import Game
    from firmware.engine.mode import Mode

    assert Mode().pick(Game(1)) == 0
