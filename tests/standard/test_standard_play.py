"""Standard, "Spawning", "Controls", "Piece Landing" and "Lines Completed": the course of a game."""

import pytest

from firmware.engine import events
from firmware.engine.game import BLOCK_OUT
from firmware.engine.phases import FALLING, GAME_OVER, GENERATION
from tests.support.standard_drill import DELAY_MS, StandardDrill
from tests.support.variants import both_standards

every_level = pytest.mark.parametrize("level", range(10))


@pytest.fixture
def drill(variant: int) -> StandardDrill:
    return StandardDrill(variant=variant)


@both_standards
class TestSpawning:
    @every_level
    def test_a_full_delay_elapses_before_the_first_piece(self, variant: int, level: int) -> None:
        """ "When a new game is started, a full free-fall delay elapses"."""
        drill = StandardDrill(variant=variant, level=level, spawned=False)
        drill.wait(DELAY_MS[level] - 1)
        assert drill.piece == "." and drill.wait(1) & events.GENERATED and drill.piece == "O"

    @every_level
    @pytest.mark.parametrize("landing", ["free fall", "drop"])
    def test_a_full_delay_elapses_before_every_other_piece(self, variant: int, level: int, landing: str) -> None:
        drill = StandardDrill(variant=variant, level=level)
        if landing == "drop":
            drill.wait(17)  # the delay counts from the landing
            assert drill.tap("hard") & events.LOCKED
        else:
            assert drill.iterate(19) & events.LOCKED
        drill.wait(DELAY_MS[level] - 1)
        assert drill.game.phase == GENERATION and drill.piece == "."
        assert drill.wait(1) & events.GENERATED and drill.game.phase == FALLING


def test_a_new_piece_does_not_fall_by_the_iteration_that_spawned_it() -> None:
    drill = StandardDrill(order="O")
    for ms, rows in ((0, {19, 20}), (499, {19, 20}), (1, {18, 19})):
        drill.wait(ms)
        assert {y for _, y in drill.place} == rows


@both_standards
class TestControls:
    @pytest.mark.parametrize(("name", "step"), [("left", -1), ("right", 1)])
    def test_left_and_right_translate_by_one_column(self, drill: StandardDrill, name: str, step: int) -> None:
        before = drill.place
        assert drill.press(name) & events.MOVED and drill.place == {(x + step, y) for x, y in before}

    def test_rotate_does_one_counter_clockwise_rotation(self, variant: int) -> None:
        drill = StandardDrill(order="T", variant=variant)
        drill.iterate()
        assert drill.press("ccw") & events.ROTATED and drill.place == {(6, 20), (6, 19), (7, 19), (6, 18)}

    def test_drop_lands_the_piece_at_once(self, drill: StandardDrill) -> None:
        assert drill.press("hard") & (events.LOCKED | events.HARD_DROPPED) == events.LOCKED | events.HARD_DROPPED
        assert drill.pile == {(5, 1), (6, 1), (5, 2), (6, 2)}

    @pytest.mark.parametrize("name", ["left", "right", "ccw", "cw", "hard"])
    def test_only_the_press_counts_not_the_release(self, variant: int, name: str) -> None:
        drill = StandardDrill(order="T", variant=variant)
        drill.iterate(2)
        drill.press(name)
        before = drill.game.piece and drill.place, drill.pile
        drill.release(name)
        assert (drill.game.piece and drill.place, drill.pile) == before

    @pytest.mark.parametrize("held", [["left"], ["right"], ["left", "right"], ["right", "left"]])
    def test_a_held_direction_does_not_repeat(self, drill: StandardDrill, held: list[str]) -> None:
        """Auto-repeat "is external to the game engine"."""
        drill.press(*held)
        drill.release(held[0])
        before = drill.columns
        drill.iterate(15)
        assert drill.columns == before


def test_auto_repeat_may_be_added_from_outside() -> None:
    """Option aim 1: a held direction presses again, at the pace of the handling."""
    drill = StandardDrill(aim=1, das_ms=100, arr_ms=50)
    assert drill.walk("+left", "99", "1", "50", "1000") == ["34", "34", "23", "12", "01"]
    drill.release("left")
    assert drill.tap("right") & events.MOVED


def test_auto_repeat_of_0_ms_goes_to_the_wall() -> None:
    assert StandardDrill(aim=1, das_ms=100, arr_ms=0).walk("+right 100") == ["89"]


@both_standards
class TestOtherControls:
    @pytest.mark.parametrize("name", ["soft", "hold"])
    def test_there_are_no_other_inputs(self, variant: int, name: str) -> None:
        drill = StandardDrill(order="OT", variant=variant)
        before = drill.place
        assert drill.press(name) == 0
        drill.wait(499)
        assert drill.release(name) == 0
        assert drill.place == before and drill.piece == "O" and not drill.game.can_hold()

    @pytest.mark.parametrize(
        ("order", "art", "before", "control", "event"),
        [
            pytest.param("O", "", "left*4", "left", events.MOVE_FAILED, id="translation beyond the left"),
            pytest.param("O", "", "right*4", "right", events.MOVE_FAILED, id="translation beyond the right"),
            pytest.param("O", "...I......\n" * 19, "", "left", events.MOVE_FAILED, id="translation into the pile"),
            pytest.param("I", "IIIIIIIII.\n" * 17, "500", "ccw", events.ROTATE_FAILED, id="rotation into the pile"),
        ],
    )
    def test_a_move_without_room_is_refused(
        self, variant: int, order: str, art: str, before: str, control: str, event: int
    ) -> None:
        drill = StandardDrill(order, art, variant)
        drill.act(before)
        place = drill.place
        assert drill.press(control) & event and drill.place == place

    def test_translations_and_a_drop_are_no_free_fall(self, drill: StandardDrill) -> None:
        drill.tap("left", "left", "left", "hard")
        assert (drill.game.lowest, drill.game.time_ms) == (0, 500)
        assert drill.pile == {(2, 1), (3, 1), (2, 2), (3, 2)}

    def test_inputs_without_a_piece_do_nothing(self, variant: int) -> None:
        drill = StandardDrill(variant=variant, spawned=False)
        assert drill.tap("left", "right", "ccw", "cw", "hard", "soft", "hold") == 0
        drill.iterate()
        assert drill.place == {(5, 20), (6, 20), (5, 19), (6, 19)}


@both_standards
class TestLanding:
    def test_a_piece_falls_by_one_row_an_iteration(self, drill: StandardDrill) -> None:
        for rows in range(1, 19):
            drill.iterate()
            assert min(y for _, y in drill.place) == 19 - rows

    def test_an_iteration_that_ends_in_contact_does_not_land_the_piece(self, drill: StandardDrill) -> None:
        drill.iterate(17)
        assert drill.iterate() & (events.LANDED | events.LOCKED) == events.LANDED
        drill.wait(499)
        assert drill.piece == "O" and drill.tap("left") & events.MOVED  # it can still be moved

    def test_an_iteration_that_begins_in_contact_lands_it(self, drill: StandardDrill) -> None:
        drill.iterate(18)
        assert drill.iterate() & events.LOCKED and drill.pile == {(5, 1), (6, 1), (5, 2), (6, 2)}

    def test_a_piece_moved_off_its_support_falls_further(self, variant: int) -> None:
        drill = StandardDrill(variant=variant, art="....I.....\n" * 10)
        drill.iterate(8)
        assert {y for _, y in drill.place} == {11, 12}
        drill.tap("right")
        drill.iterate()
        assert {y for _, y in drill.place} == {10, 11}

    def test_a_piece_that_spawns_in_contact_lands_by_the_next_iteration(self, variant: int) -> None:
        assert StandardDrill(order="OI", variant=variant, art="....II....\n" * 18).iterate() & events.LOCKED


# By piece: the most rows that it completes, a pile for that, and the turns needed.
MOST_ROWS = [
    ("O", 2, "IIII..IIII " * 2, 0),
    ("I", 4, "IIIII.IIII " * 4, 1),
    ("S", 2, "IIIII..III IIIIII.III", 1),
    ("Z", 2, "IIIII..III IIIII.IIII", 1),
    ("L", 3, "IIII..IIII IIIII.IIII IIIII.IIII", 3),
    ("J", 3, "IIIII..III IIIII.IIII IIIII.IIII", 1),
    ("T", 2, "IIII...III IIIII.IIII", 0),
]


@both_standards
@pytest.mark.parametrize(("piece", "rows", "art", "turns"), MOST_ROWS, ids=[row[0] for row in MOST_ROWS])
def test_piece_can_complete_its_most_rows(piece: str, rows: int, art: str, turns: int, variant: int) -> None:
    drill = StandardDrill(order=piece, variant=variant, art=art)
    drill.iterate(2)
    drill.tap(*["ccw"] * turns)
    event = drill.tap("hard") & events.LINES
    assert drill.game.lines == rows
    assert event == [0, events.SINGLE, events.DOUBLE, events.TRIPLE, events.TETRIS][rows]


@pytest.mark.parametrize(("piece", "rows"), [(row[0], row[1]) for row in MOST_ROWS])
def test_piece_cannot_complete_more_than_its_most_rows(piece: str, rows: int) -> None:
    """Only rows with a cell of the piece can be completed, so its height in any orientation is the limit."""
    # S, Z and T can be three rows high, but complete only two: one of the three rows has a gap below the piece.
    best = 0
    for orientation in range(4):
        for shift in range(-5, 6):
            drill = StandardDrill(order=piece)
            drill.iterate(2)
            drill.tap(*["ccw"] * orientation, *["left" if shift < 0 else "right"] * abs(shift))
            low = min(y for _, y in drill.place) - 1
            cells = {(x, y - low) for x, y in drill.place}
            height = max(y for _, y in cells)
            # Blocks everywhere except in the cells of the piece and above them, so that it can fall there.
            open_cells = {(x, above) for x, y in cells for above in range(y, height + 1)}
            art = ["".join("." if (x, y) in open_cells else "I" for x in range(1, 11)) for y in range(height, 0, -1)]
            drill.draw("\n".join(art))
            drill.game.find_ghost(drill.game.y)
            drill.tap("hard")
            best = max(best, drill.game.lines)
    assert best == rows


@both_standards
class TestLines:
    def test_completed_rows_are_eliminated_immediately(self, variant: int) -> None:
        """Rows above are shifted down, also those between; no time passes."""
        drill = StandardDrill("I", "S.........\nIIIII.IIII\nT.........\n" + "IIIII.IIII\n" * 2, variant)
        drill.iterate(2)
        drill.tap("ccw")
        assert drill.tap("hard") & events.ELIMINATED and drill.game.lines == 3
        assert drill.matrix(4) == ["..........", "..........", "S.........", "T....I...."]

    def test_no_line_without_a_completed_row(self, drill: StandardDrill) -> None:
        assert not drill.tap("hard") & (events.LINES | events.ELIMINATED) and drill.game.lines == 0


@both_standards
class TestEnd:
    @pytest.mark.parametrize(
        ("column", "row", "over"),
        [(column, row, True) for column in (5, 6) for row in (19, 20)]
        + [(4, 19, False), (7, 19, False), (4, 20, False), (7, 20, False), (5, 18, False), (6, 18, False)],
    )
    def test_the_game_is_over_when_a_new_piece_overlaps(self, variant: int, column: int, row: int, over: bool) -> None:
        drill = StandardDrill(variant=variant, spawned=False)
        drill.draw("".join("T" if x == column else "." for x in range(1, 11)), row - 1)
        assert bool(drill.iterate() & events.GAME_OVER) == over
        game, expected = drill.game, (GAME_OVER, BLOCK_OUT, ".") if over else (FALLING, 0, "O")
        assert (game.phase, game.over, drill.piece) == expected

    def test_a_game_that_is_over_takes_no_input_and_no_time(self, variant: int) -> None:
        drill = StandardDrill(variant=variant, spawned=False)
        drill.draw("....TT....", 19)
        drill.iterate()
        assert drill.act("10000 left ccw hard") == 0 and drill.game.time_ms == 500
        assert drill.game.mode.result(drill.game) == drill.game.score == 0
