"""The Worst Piece: the handheld deals against the player, at three strengths."""

import pytest

from firmware.engine import controls, phases
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.engine.tables import FALL_US
from firmware.modes.catalogue import MARATHON, WORST
from firmware.save.scores import find_table
from tests.support.kept import copy, start_game
from tests.support.needs import needs_wasm
from tools import interpreters
from tools.measure import board, scripts
from tools.robot import Robot

S, Z = 5, 7
LOOK_US = 65_000  # to rate all places of all pieces


def begin(strength: int, level: int = 1) -> Game:
    options = Options()
    options.aim, options.level = strength, level
    return start_game(3, WORST, options)


def wait_for_piece(game: Game, think: bool = False) -> int:
    while not game.piece and not game.over:
        game.advance(game.now_ms + 16)
        if think:
            game.mode.think(game)
    return game.piece


def drop(game: Game, think: bool, column: int) -> int:
    """Drop a Tetrimino towards a column; return its number."""
    piece = wait_for_piece(game, think)
    direction = controls.LEFT if column < 4 else controls.RIGHT
    for button in [direction] * abs(column - 4) + [controls.HARD_DROP]:
        game.input(button, 1, game.now_ms)
        game.input(button, 0, game.now_ms)
    return piece


def deal_pieces(strength: int, count: int, think: bool = True) -> list[int]:
    game = begin(strength)
    return [drop(game, think, (3 * i) % 10) for i in range(count)]


@pytest.fixture(scope="module")
def measured() -> scripts.Frames:
    """The frames of a robot's game of the strongest, measured on MicroPython."""
    options = Options()
    options.aim = 3
    robot = Robot(21, options, WORST, 60)
    recording = robot.play(16)
    assert robot.game.lock_downs > 10
    return scripts.measure_frames(recording)


class TestWorst:
    def test_weakest_strength_deals_only_s_and_z(self) -> None:
        assert set(deal_pieces(1, 14)) == {S, Z}

    @pytest.mark.parametrize("strength", [1, 2, 3])
    def test_thinking_in_slices_changes_no_choice(self, strength: int) -> None:
        assert deal_pieces(strength, 16, think=True) == deal_pieces(strength, 16, think=False)

    @pytest.mark.parametrize("strength", [1, 2, 3])
    def test_next_queue_stays_empty(self, strength: int) -> None:
        game = begin(strength)
        drop(game, True, 4)
        assert bytes(game.next) == bytes(6)

    @pytest.mark.parametrize("strength", [2, 3])
    def test_no_i_is_dealt_if_there_is_a_well(self, strength: int) -> None:
        """Nine columns are four rows high, so an I would make a Tetris."""
        game = begin(strength)
        for y in range(4):
            game.matrix.set_row(y, b"\x01" * 9 + b"\0")
        drop(game, True, 4)
        assert game.mode.pick(game) != 1

    def test_hold_deals_the_worst_of_the_same_matrix(self) -> None:
        game = begin(2)
        piece = wait_for_piece(game)
        game.input(controls.HOLD, 1, game.now_ms)
        assert wait_for_piece(game) == game.hold == piece

    @pytest.mark.parametrize("level", range(1, 16))
    def test_search_never_takes_longer_than_one_fall(self, level: int) -> None:
        game = begin(3, level=level)
        game.mode.pick(game)
        looks = 1 + game.mode.spent  # type: ignore[attr-defined]
        assert looks * LOOK_US <= FALL_US[level - 1] * 20

    @pytest.mark.parametrize("level", range(1, 11))
    def test_up_to_level_10_the_piece_after_two_pieces_is_searched(self, level: int) -> None:
        game = begin(3, level=level)
        game.mode.pick(game)
        assert game.mode.spent == 2  # type: ignore[attr-defined]

    @pytest.mark.parametrize("strength", [2, 3])
    def test_choice_is_ready_when_the_generation_phase_ends(self, strength: int) -> None:
        game = begin(strength)
        for i in range(5):
            drop(game, True, i)
            while game.phase != phases.GENERATION:
                game.advance(game.now_ms + 1)
            for _ in range(game.wait_us // 16_700):
                game.advance(game.now_ms + 16)
                game.mode.think(game)
            assert game.mode.done  # type: ignore[attr-defined]

    @needs_wasm
    @pytest.mark.parametrize("rows", [0, 8, 18])
    def test_one_look_keeps_its_time_limit(self, rows: int) -> None:
        """The script's locked heap proves as well that a look allocates nothing."""
        script = """
from time import ticks_us as mark
import micropython
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import WORST, make_mode
options = Options()
options.aim = 3
game = Game(3, options, make_mode(WORST))
for y in range({rows}):
    game.matrix.set_row(y, bytes((x * 3 + y * 5) % 4 and 1 for x in range(10)))
i = 0
micropython.heap_lock()
game.mode.prepare(game)
mark()
for i in range(19):
    game.mode.step()
mark()
game.mode.pick(game)
micropython.heap_unlock()
"""
        played = interpreters.run(interpreters.WASM, script.format(rows=rows))
        begun, ended = interpreters.marks_of(played)
        assert board.to_us(ended - begun) <= LOOK_US

    @needs_wasm
    def test_no_frame_is_late_during_a_search(self, measured: scripts.Frames) -> None:
        frames = board.frames_of("worst", measured)
        assert max(frame.board_us for frame in frames) <= board.FRAME_US

    @needs_wasm
    def test_no_frame_allocates_during_a_search(self, measured: scripts.Frames) -> None:
        assert measured.allocated == 0

    def test_saved_game_deals_the_same_pieces(self) -> None:
        game = begin(2)
        for i in range(5):
            drop(game, False, i)
        restored = copy(game, WORST)
        restored.start(game.now_ms)
        assert [drop(restored, False, i) for i in range(5)] == [drop(game, False, i) for i in range(5)]

    def test_the_game_goes_on_after_level_15(self) -> None:
        game = begin(3, level=15)
        game.lines = 200
        game.goal = 0
        game.mode.complete(game)
        assert game.phase != phases.GAME_OVER and game.level > 15

    def test_all_strengths_share_a_table_of_their_own(self) -> None:
        assert {find_table(WORST, aim) for aim in (0, 1, 2, 3)} == {find_table(WORST, 1)}
        assert find_table(WORST, 1) not in (-1, find_table(MARATHON, 0), find_table(MARATHON, 1))
