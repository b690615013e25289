"""A line can always be cleared: the handheld's strategy, its checker, and the proof, which needs numba."""

import random
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.profiles import PROFILES
from firmware.modes import always_clear
from firmware.modes.always_clear import AlwaysClear
from tests.support import needs
from tests.support.handhelds.command_lines import refused
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, LEFT, RIGHT, UP, A, B
from tests.support.needs import needs_wasm
from tests.support.running import ROOT, run_python
from tools import interpreters, markdown
from tools.clear_a_line import __main__ as commands
from tools.clear_a_line import checker, pieces
from tools.measure import scenes

STRATEGY = ROOT / "firmware" / "winning.bin"
DENYING_PIECES = (1, 2, 3, 1, 0, 0, 0, 0, 0)  # these pieces fill the sixth row first
needs_numba = needs.mark_packages("numba")
TRACE_SCRIPT = """
import sys
import firmware.modes.always_clear as m
file = open(m.__file__.rpartition("modes")[0] + "winning.bin", "rb")
game = m.AlwaysClear(file)
trace = 0
for seed in range(12):
    game.restart()
    piece = seed % 7
    while game.left:
        filled = game.choose(piece)
        trace = (trace * 31 + game.which * 10 + game.x) % 1000003
        game.place(filled)
        piece = (piece * 3 + game.placed) % 7
print(game.count, trace)
"""


@pytest.fixture(scope="module")
def blob() -> bytes:
    return STRATEGY.read_bytes()


class TestStrategy:
    def test_strategy_is_small(self, blob: bytes) -> None:
        assert len(blob) <= 8000 and len(checker.read_small(blob)) <= 900

    @pytest.mark.long
    def test_strategy_fills_a_row_against_every_sequence(self, blob: bytes) -> None:
        """The naive checker plays every position that can come up, each of its pieces once."""
        replay = checker.Replay(checker.read_small(blob), eager=True, once=True)
        count = replay.play()
        assert (count.sequences, count.longest, count.above_five) == (346207, 16, 1499)
        text = commands.PAGE.read_text(encoding="utf-8")
        assert markdown.fill(text, *commands.FIGURES, f"\n{commands.describe_replay(replay, count)}\n\n") == text

    def test_page_has_a_place_for_the_figures_of_the_committed_strategy(self, blob: bytes) -> None:
        begin, end = markdown.mark(*commands.FIGURES)
        text = commands.PAGE.read_text(encoding="utf-8")
        assert text.partition(begin)[2].partition(end)[0].startswith(f"\n{len(checker.read_small(blob))} states, ")

    def test_checker_refuses_a_changed_drop(self, blob: bytes) -> None:
        states = checker.read_small(blob)
        rotation, column, following, mirrored = next(move for move in states[0] if move)
        piece = next(i for i in range(7) if states[0][i])
        states[0][piece] = (rotation, (column + 2) % 6, following, mirrored)
        with pytest.raises(checker.Refused):
            checker.Replay(states, eager=True, once=True).play()

    @pytest.mark.parametrize(
        ("text", "words"),
        [("1 2 3", "3 numbers, not 21"), ("x " * 21, "not numbers"), ("", "empty")]
        + [("0 0 5 " * 7, "no such rotation or state"), ("0 0 -1 " * 7, "says that piece 0 fills a row")]
        + [("0 0 0 " * 7, "full column")],
    )
    def test_checker_refuses_a_text_that_is_not_a_strategy(self, text: str, words: str) -> None:
        with pytest.raises(checker.Refused, match=words):
            checker.Replay(checker.read(text)).play()

    def test_piece_falls_until_something_is_below_it(self) -> None:
        board = checker.drop([0] * checker.ROWS, 0, 0, 0)  # an upright I in the left column
        assert board[:5] == [1, 1, 1, 1, 0] and checker.drop(board, 6, 0, 0)[4:6] == [3, 3]
        with pytest.raises(checker.Refused, match="leaves the board"):
            checker.drop(board, 6, 0, 9)
        with pytest.raises(checker.Refused, match="full column"):
            checker.drop(checker.drop(board, 6, 0, 0), 6, 0, 0)

    def test_checker_and_solver_read_the_same_pieces_from_the_text(self) -> None:
        """Checker and solver share no code: each has its own drawings."""
        for shape in pieces.orientations():
            left, rows = checker.rows_of(shape.piece, shape.rotation)
            drawn = [
                sum(1 << x for x in range(shape.width) if shape.bottoms[x] <= y < shape.tops[x])
                for y in range(max(shape.tops))
            ]
            assert (left, rows) == (shape.left, drawn)


class TestHandheld:
    def test_handheld_has_the_orientations_of_the_text(self) -> None:
        shapes = pieces.orientations()
        packed = [
            bytes([shape.width, *(low | high << 4 for low, high in zip(shape.bottoms, shape.tops, strict=True))])
            for shape in shapes
        ]
        profiles = [PROFILES[lies * 10 + 1 : lies * 10 + 6] for lies in always_clear.LIES]
        assert [columns.ljust(5, b"\0") for columns in packed] == profiles
        assert [always_clear.CELLS[shape.piece] - 1 for shape in shapes] == [lies // 4 for lies in always_clear.LIES]
        assert list(always_clear.FIRST) == [sum(shape.piece < piece for shape in shapes) for piece in range(8)]

    @pytest.mark.parametrize("kind", ["every piece", "S and Z"])
    def test_handheld_places_pieces_like_the_checker(self, kind: str, blob: bytes) -> None:
        states = checker.read_small(blob)
        replay = checker.Replay(states, eager=True)
        mirror_of = [0, 2, 1, 3, 5, 4, 6]  # of "IZSTLJO"
        with STRATEGY.open("rb") as file:
            game = AlwaysClear(file)
            for seed in range(40):
                drawn = random.Random(seed)
                game.restart()
                board = [0] * checker.ROWS
                state, mirrored = 0, False
                while game.left:
                    piece = drawn.randrange(7) if kind == "every piece" else drawn.choice((1, 2))
                    left = game.left
                    filled = game.choose(piece)
                    game.place(filled)
                    after = replay.fills(piece, board)
                    assert filled == (after is not None)
                    if after is None:
                        played = mirror_of[piece] if mirrored else piece
                        move = states[state][played]
                        assert move
                        after = checker.drop(checker.mirror(board) if mirrored else board, played, move[0], move[1])
                        after = checker.mirror(after) if mirrored else after
                        state, mirrored = move[2], mirrored ^ move[3]
                    board = after
                    assert list(game.masks) == board[: always_clear.HEIGHT] and game.left < left
                assert board[game.aim] == 1023

    def test_strategy_plays_the_same_on_every_interpreter(self) -> None:
        names = [name for name in interpreters.NAMES if not interpreters.missing(name)]
        assert len({interpreters.run(name, TRACE_SCRIPT).last_line for name in names}) == 1

    @needs_wasm
    def test_strategy_takes_less_than_4_kb_besides_the_scene(self) -> None:
        script = """
import gc
from firmware.compat import const
gc.collect()
before = gc.mem_alloc()
import firmware.modes.always_clear as m
game = m.AlwaysClear(open(m.__file__.rpartition("modes")[0] + "winning.bin", "rb"))
gc.collect()
taken = gc.mem_alloc() - before
import micropython
micropython.heap_lock()
while game.left:
    game.place(game.choose(1))
micropython.heap_unlock()
print(taken)
"""
        assert int(interpreters.run(interpreters.WASM, script, root=scenes.deployed()).last_line) <= 4 * 1024


class PieceChooser(Handheld):
    """A Handheld in the scene where the player picks the pieces."""

    def __init__(self, rows: int = 6) -> None:
        super().__init__(first="menus.main")
        self.open("against.choose", rows)
        self.step(0)

    def choose_piece(self, piece: int) -> None:
        while self.scene.at != piece:
            self.tap(RIGHT)
        self.press(A)
        self.step(40, frames=30)


class TestScene:
    @pytest.fixture
    def console(self) -> PieceChooser:
        return PieceChooser()

    @pytest.fixture
    def deny_five(self) -> PieceChooser:
        return PieceChooser(5)

    def test_scene_offers_seven_pieces(self, console: PieceChooser) -> None:
        console.compare("against_choose")
        for button, at in ((RIGHT, 1), (DOWN, 5), (UP, 1), (LEFT, 0), (LEFT, 6)):
            console.tap(button)
            assert console.scene.at == at

    def test_scene_shows_the_pieces_left_and_the_target_row(self, console: PieceChooser) -> None:
        for piece in (1, 1, 4):
            console.choose_piece(piece)
        game = console.scene.game
        assert game.placed == 3 and 0 < game.left < 14
        console.compare("against_choose_later")

    def test_handheld_fills_one_of_six_rows(self, console: PieceChooser) -> None:
        while console.scene.game.left:
            console.choose_piece(1)
        console.step(40, frames=40)
        console.compare("against_choose_full")
        console.tap(A)
        assert console.scene.game.placed == 0

    def test_b_during_a_fall_leaves_and_closes_the_file(self, console: PieceChooser) -> None:
        file = console.scene.file
        console.press(A)
        console.step(0)
        while console.scene.row > console.scene.game.y:
            console.step(40)
        console.press(B)
        console.step(40)
        assert console.name == "against.menu" and file.closed

    def test_deny_five_is_explained_first(self, deny_five: PieceChooser) -> None:
        deny_five.compare("against_choose_rules")
        deny_five.tap(A)
        deny_five.compare("against_choose_five")
        assert deny_five.scene.game.placed == 0

    def test_b_leaves_the_explanation(self, deny_five: PieceChooser) -> None:
        assert deny_five.leads(B) == "against.menu"

    def test_player_can_keep_the_bottom_five_rows_open(self, deny_five: PieceChooser) -> None:
        deny_five.tap(A)
        for piece in DENYING_PIECES:
            deny_five.choose_piece(piece)
        deny_five.step(40, frames=40)
        assert deny_five.scene.game.left == 0 and deny_five.scene.game.aim == 5
        deny_five.compare("against_choose_denied")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["check", "no such file"], "No such file"), (["check", str(ROOT / "README.md")], "README.md: ")],
)
def test_command_reports_an_error_in_one_line(arguments: list[str], words: str, capsys) -> None:
    assert words in refused(capsys, *arguments, program="tools.clear_a_line", run=commands.main)


def run(*arguments: str) -> str:
    return run_python("-m", "tools.clear_a_line", *arguments, check=True).stdout


@pytest.fixture(scope="module")
def polish(blob: bytes) -> Any:
    """Return the committed strategy as a Polish object; its root is the last plan. Built once: numba is slow."""
    from tools.clear_a_line.cover import COUNT, SERIAL, make_book
    from tools.clear_a_line.polish import Polish
    from tools.clear_a_line.search import FIRST, Solver

    shapes = pieces.orientations()
    states = checker.read_small(blob)
    book = make_book()
    for number, moves in enumerate(reversed(states)):
        book.serials[number] = number + 1
        for piece, move in enumerate(moves):
            book.plans[number, piece] = 0, 0, -1
            if move:
                rotation, column, following, mirrored = move
                shape = next(i for i in range(FIRST[piece], FIRST[piece + 1]) if shapes[i].rotation == rotation)
                lead = 2 * (len(states) - 1 - following) + mirrored
                book.plans[number, piece] = shape, column + shapes[shape].left, lead
    book.counters[[COUNT, SERIAL]] = len(states)
    solver = Solver(lanes=1)
    return Polish(book, solver.size, solver.root, seed=1)


@needs_numba
@pytest.mark.long
class TestProof:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [(["6"], "10 columns, 6 rows: 12 pieces are enough"), (["5"], "for ever")]
        + [(["6", "--strict"], "10 columns, 6 rows: 13 pieces are enough")],
    )
    def test_twelve_pieces_are_enough_and_eleven_are_not(self, arguments: list[str], message: str) -> None:
        assert message in run("prove", "--rows", *arguments)

    @pytest.mark.parametrize(("columns", "rows", "pieces"), [(4, 4, 3), (6, 5, 6), (8, 6, 9)])
    def test_pieces_needed_with_fewer_columns(self, columns: int, rows: int, pieces: int) -> None:
        output = run("prove", "--columns", str(columns)).splitlines()
        assert output[-1].startswith(f"{columns} columns, {rows} rows: {pieces} pieces are enough")
        assert len(output) == rows

    def test_fastest_strategy_needs_at_most_twelve_pieces(self, tmp_path: Path) -> None:
        path = tmp_path / "fastest.txt"
        run("fastest", str(path))
        count = checker.Replay(checker.read(path.read_text())).play()
        assert (count.sequences, count.longest, count.above_five) == (438685, 12, 762)

    def test_command_makes_the_committed_strategy(self, tmp_path: Path, blob: bytes) -> None:
        run("small", "--output", str(tmp_path / "small.bin"))
        assert (tmp_path / "small.bin").read_bytes() == blob

    def test_play_reaches_every_state_of_the_strategy(self, polish: Any, blob: bytes) -> None:
        assert polish.reach() == len(checker.read_small(blob)) and polish.wins()

    def test_two_states_for_the_same_boards_are_merged(self, polish: Any) -> None:
        from tools.clear_a_line.cover import COUNT

        plans, states = polish.book.plans, polish.reach()
        twin = int(polish.book.counters[COUNT])
        polish.book.counters[COUNT] += 1
        popular = polish.count_moves()
        plan, piece, lead = next(
            (plan, piece, int(plans[plan, piece, 2]))
            for plan in range(twin)
            for piece in range(7)
            if popular.get(int(plans[plan, piece, 2]) >> 1, 0) > 1  # another move still leads to the original
        )
        plans[twin] = plans[lead >> 1]
        plans[plan, piece, 2] = 2 * twin + (lead & 1)
        polish.book.serials[twin] = twin + 1
        assert polish.wins() and polish.reach() == states + 1
        polish.pairs_to_try()
        assert polish.unite(lead >> 1, twin, 0) and polish.reach() == states and polish.wins()

    def test_bending_a_move_never_adds_a_state(self, polish: Any) -> None:
        states = polish.reach()
        for _ in range(20):
            polish.change_move()
            assert polish.reach() <= states and polish.wins()
