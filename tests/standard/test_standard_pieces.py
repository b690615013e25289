"""Standard, "Board", "Pieces" and "Piece Spawning": shapes, places of new pieces, turns, and who imports the rules."""

import random
from pathlib import Path

import pytest

from firmware.engine import events
from firmware.modes.standard_pieces import STARTS, TURNS
from sim.terminal import Refusal
from tests.references.standard_reference import SHAPES
from tests.support import needs
from tests.support.drill import CODES
from tests.support.kept import chance_edges, keep_and_restore, start_game
from tests.support.standard_drill import StandardDrill
from tests.support.variants import both_standards
from tools.assets import standard
from tools.assets.tetriminos import find_facing

PIECES = "OISZLJT"
TEXT = Path(__file__).resolve().parents[3] / "shared" / "specs" / "README.md"


class TestPieces:
    def test_the_table_of_pieces_is_that_of_the_specifications(self) -> None:
        needs.demand("measurements")
        assert standard.PIECES.strip() in TEXT.read_text(encoding="utf-8")

    def test_the_board_has_ten_columns_and_twenty_rows(self) -> None:
        """Pieces reach all of its 10 x 20 = 200 cells, and no others."""
        reached = set()
        for piece in PIECES:
            for shift in range(-7, 8):
                drill = StandardDrill(order=piece)
                drill.tap(*["left" if shift < 0 else "right"] * abs(shift))
                while drill.piece == piece:
                    reached |= drill.place
                    drill.iterate()
        assert reached == {(x, y) for x in range(1, 11) for y in range(1, 21)}

    @both_standards
    @pytest.mark.parametrize("orientation", [1, 2, 3, 4])
    @pytest.mark.parametrize("piece", PIECES)
    def test_orientation_covers_the_cells_of_the_table(self, piece: str, orientation: int, variant: int) -> None:
        """All 28 drawings: the origin of a new piece is (6, 20), two rows down it is (6, 18)."""
        drill = StandardDrill(order=piece, variant=variant)
        drill.iterate(2)
        drill.tap(*["ccw"] * (orientation - 1))
        assert drill.place == {(6 + x, 18 + y) for x, y in SHAPES[piece][orientation - 1]}

    @pytest.mark.parametrize("piece", PIECES)
    def test_new_piece_touches_the_top_and_lies_flat(self, piece: str) -> None:
        """The shaded area: four columns, two rows; the major axis is horizontal."""
        place = StandardDrill(order=piece).place
        assert max(y for _, y in place) == 20 and len({y for _, y in place}) == (1 if piece == "I" else 2)
        assert place <= {(x, y) for x in (4, 5, 6, 7) for y in (19, 20)}

    @pytest.mark.parametrize("piece", "ISZLJT")
    def test_new_piece_cannot_turn(self, piece: str) -> None:
        drill = StandardDrill(order=piece)
        first = drill.place
        for _ in range(4):
            drill.tap("ccw")
            assert drill.place == first

    @pytest.mark.parametrize("piece", PIECES)
    def test_a_piece_can_take_every_orientation_after_one_row(self, piece: str) -> None:
        drill = StandardDrill(order=piece)
        drill.iterate()
        for _ in range(4):
            assert drill.tap("ccw") & events.ROTATED


class TestRotation:
    @pytest.mark.parametrize("requests", range(13))
    def test_rotation_requests_queue_up_until_the_piece_falls(self, requests: int) -> None:
        """ "The player can queue up rotation requests while the piece persists in this initial altitude"."""
        drill = StandardDrill(order="T")
        drill.tap(*["ccw"] * requests)
        drill.iterate()
        assert drill.place == {(6 + x, 19 + y) for x, y in SHAPES["T"][requests % 4]}

    def test_queued_rotation_without_room_is_not_executed(self) -> None:
        drill = StandardDrill(order="I", art="IIIIIIIII.\n" * 18)
        drill.tap("ccw")
        assert drill.iterate() & events.ROTATE_FAILED and drill.place == {(x, 19) for x in (4, 5, 6, 7)}

    def test_queued_rotations_end_with_their_piece(self) -> None:
        drill = StandardDrill(order="TL")
        drill.tap("ccw", "hard")
        drill.iterate(2)
        assert drill.place == {(6 + x, 19 + y) for x, y in SHAPES["L"][0]}

    @pytest.mark.parametrize("button", ["cw", "ccw"])
    def test_both_rotate_buttons_turn_counter_clockwise(self, button: str) -> None:
        drill = StandardDrill(order="T")
        drill.iterate()
        drill.tap(button)
        assert drill.place == {(6 + x, 19 + y) for x, y in SHAPES["T"][1]}

    @pytest.mark.parametrize(
        ("piece", "orientation", "side"),
        [*[(piece, 2, "left") for piece in "ISZLJT"], *[(piece, 4, "right") for piece in "ILJT"]],
    )
    def test_no_kick_from_a_wall(self, piece: str, orientation: int, side: str) -> None:
        drill = StandardDrill(order=piece)
        drill.iterate(2)
        drill.tap(*["ccw"] * (orientation - 1), *[side] * 9)
        before = drill.place
        assert {1, 10} & {x for x, _ in before}
        assert drill.tap("ccw") & events.ROTATE_FAILED and drill.place == before

    def test_no_kick_from_the_pile(self) -> None:
        drill = StandardDrill(order="I", art="IIIII.IIII\n" * 6)
        drill.iterate(2)
        drill.tap("ccw")
        drill.iterate(13)
        before = drill.place
        assert min(y for _, y in before) < 6 and drill.tap("ccw") & events.ROTATE_FAILED and drill.place == before

    def test_no_kick_from_the_floor(self) -> None:
        drill = StandardDrill(order="I")
        drill.iterate(19)
        assert {y for _, y in drill.place} == {1} and drill.tap("ccw") & events.ROTATE_FAILED

    def test_every_turn_of_the_table_leads_to_a_place_of_the_table(self) -> None:
        """TURNS lead from STARTS through defined facings only, and back after four turns."""
        for piece in range(1, 8):
            facing = STARTS[piece * 3 - 3]
            for _ in range(4):
                turn = TURNS[piece * 4 - 4 + facing]
                assert turn, CODES[piece]
                facing = turn & 3
            assert facing == STARTS[piece * 3 - 3]

    def test_an_unknown_drawing_is_refused(self) -> None:
        with pytest.raises(Refusal, match="T has no facing"):
            find_facing("T", frozenset({(0, 0), (1, 1), (2, 2), (3, 3)}))


UNUSED_FACINGS = [(1, 2), (1, 3), (4, 1), (4, 2), (4, 3), (5, 2), (7, 3)]


class TestSaved:
    @both_standards
    def test_an_unused_facing_is_never_met(self, variant: int) -> None:
        """I, S and Z have two orientations, O has one: a suspended game holds no other."""
        game = start_game(5, variant)
        facings: dict[int, set[int]] = {}
        for control, pressed, t_ms in chance_edges(random.Random(1), 3000):
            game.input(4 if control == 3 else control, pressed, t_ms)
            if game.piece:
                facings.setdefault(game.piece, set()).add(game.facing)
            if game.over:
                break
        assert facings and all(len(seen) <= {1: 2, 4: 1, 5: 2, 7: 2}.get(piece, 4) for piece, seen in facings.items())

    @both_standards
    @pytest.mark.parametrize(
        ("piece", "facing"), [*UNUSED_FACINGS, pytest.param(0, 0, id="fell through more rows than there are")]
    )
    def test_game_with_an_unused_facing_is_no_game(self, variant: int, piece: int, facing: int) -> None:
        """Its piece could turn out of the Matrix, or fall so many rows that its points are negative."""
        game = start_game(5, variant)
        game.advance(3000)
        assert game.lowest > 0 and keep_and_restore(game, variant)
        if piece:
            game.place(piece, 3, 8, facing)
        else:
            game.lowest = 20 - game.y
        assert keep_and_restore(game, variant) is None
