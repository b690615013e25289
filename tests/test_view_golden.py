"""Whole frames of a game, compared with pictures that a reader can check in a diff (see tests/golden/README.md)."""

from __future__ import annotations

import pytest

from firmware.engine import phases
from firmware.engine.game import Game
from firmware.view.canvas import Canvas
from firmware.view.playfield import PlayView
from tests.golden import compare
from tests.stage import Stage

MID_GAME = """
    #.........
    ##........
    LLL.......
    LOO.......
    .OOSS..J..
    TTTISS.J..
    ZTIISSJJI.
    ZZIISS.TI.
    IZZIZJTTI.
    #IIII#.##.
    ####.#####
"""


def draw(game: Stage | Game) -> Canvas:
    """Return a fresh picture of the game."""
    canvas = Canvas()
    PlayView(canvas).draw(game)
    return canvas


def mid_game(piece: str = "T", x: int = 3, y: int = 13, facing: int = 1) -> Stage:
    """Return a game under way with all seven Mino patterns, garbage, Ghost Piece, Hold and six Next."""
    stage = Stage(MID_GAME, piece, x, y, facing)
    stage.queue("IJLOSZ")
    stage.hold = 6
    stage.score, stage.level, stage.lines, stage.goal, stage.time_ms = 123450, 7, 64, 6, 201_400
    return stage


def test_opening_position_of_a_real_game() -> None:
    game = Game(1)
    game.start(0)
    game.advance(200)
    assert game.phase == phases.FALLING
    compare(draw(game), "opening")


def test_mid_game_shows_everything_at_once() -> None:
    compare(draw(mid_game()), "mid_game")


def test_hold_spent_is_dimmed() -> None:
    stage = mid_game("L", 5, 12, 2)
    stage.hold, stage.held = 1, True
    compare(draw(stage), "hold_spent")


def test_largest_numbers_fit() -> None:
    stage = mid_game()
    stage.score, stage.level, stage.lines, stage.goal, stage.time_ms = 9_999_999, 15, 150, 75, 3_599_999
    compare(draw(stage), "largest_numbers")


@pytest.mark.parametrize("piece", "IJLOSTZ")
def test_tetrimino_in_play_and_its_ghost(piece: str) -> None:
    stage = Stage("IIJJLLOO..\nSSTTZZ##..", piece, 3, 5)
    stage.queue("ZTSOLJ")
    compare(draw(stage), f"piece_{piece}")


def test_a_few_pixels_show_above_the_skyline() -> None:
    """Guideline 3.4: of a Tetrimino and of Blocks in the row above the Skyline."""
    stage = Stage("SS........\n" * 21, "O", 3, 19)
    stage.queue("TTTTTT")
    compare(draw(stage), "peek_above_skyline")


@pytest.mark.parametrize("lines", [1, 2, 3, 4])
@pytest.mark.parametrize("left_ms", [285, 135, 15])
def test_line_clear_grows_with_the_lines(lines: int, left_ms: int) -> None:
    stage = Stage("...JJ.....\n..JJLLZ...\n" + "IJLOSTZ#IO\n" * lines + "TTTT.OOOOO")
    stage.queue("TJZOSL")
    stage.clear_lines(left_ms * 1000)
    compare(draw(stage), f"line_clear_{lines}_{300 - left_ms:03}ms")


def test_pause_hides_matrix_next_and_hold() -> None:
    """Guideline 13.1.6: the contents are hidden, the word is prominent."""
    canvas = Canvas()
    view = PlayView(canvas)
    view.draw(mid_game())
    view.hide("PAUSE")
    compare(canvas, "pause")


def test_game_over() -> None:
    stage = mid_game()
    stage.piece, stage.phase = 0, phases.GAME_OVER
    canvas = Canvas()
    view = PlayView(canvas)
    view.draw(stage)
    view.draw_message("GAME OVER")
    compare(canvas, "game_over")
