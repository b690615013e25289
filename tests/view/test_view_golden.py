"""Whole frames of a game, compared with pictures that a reader can check in a diff (see tests/golden/README.md)."""

import pytest

from firmware.engine import controls, events, phases
from firmware.engine.game import Game
from firmware.view.blocks import OUTLINES, PATTERNS, SOLID
from firmware.view.canvas import Canvas
from firmware.view.effects import EffectsView
from firmware.view.layouts.large import LargeView
from firmware.view.playfield import PlayView
from tests.support.golden import compare
from tests.support.stage import Stage, settle

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
    settle(PlayView(canvas), game)
    return canvas


def mid_game(piece: str = "T", x: int = 3, y: int = 13, facing: int = 1) -> Stage:
    """Return a game under way with all seven Mino patterns, garbage, Ghost Piece, Hold and six Next."""
    stage = Stage(MID_GAME, piece, x, y, facing)
    stage.queue("IJLOSZ")
    stage.hold = 6
    stage.score, stage.level, stage.lines, stage.goal, stage.time_ms = 123450, 7, 64, 6, 201_400
    return stage


LARGEST: dict[str, object] = {"score": 9_999_999, "level": 15, "goal": 75, "lines": 150, "time_ms": 3_599_999}
# Of each picture: the view, what is true of the game, and what the view was told.
STILLS: dict[str, tuple[type[PlayView], dict[str, object], dict[str, object]]] = {
    "mid_game": (PlayView, {}, {}),
    "largest_numbers": (PlayView, LARGEST, {}),
    "large_largest_numbers": (
        LargeView,
        LARGEST | {"lines": 999, "goal": 750, "time_ms": 35_999_999, "hold": 1, "held": True},
        {},
    ),
    "high_score": (PlayView, {}, {"best": 654_321}),
    "high_score_beaten": (PlayView, {"score": 654_421}, {"best": 654_321}),
    "sprint": (PlayView, {}, {"best": 83_400, "timed": True}),
    "sprint_110": (PlayView, {"goal": 110, "time_ms": 3_500}, {"timed": True}),
    "ultra": (PlayView, {"limit_ms": 300_000}, {}),  # the time left
    "large_ultra": (LargeView, {"limit_ms": 300_000}, {}),  # and no goal
    "no_hold": (PlayView, {"hold": 0}, {"show_hold": False}),
    "large_no_hold": (LargeView, {"hold": 0}, {"show_hold": False}),
}


class TestStills:
    def test_opening_position_of_a_real_game(self) -> None:
        game = Game(1)
        game.start(0)
        game.advance(200)
        assert game.phase == phases.FALLING
        compare(draw(game), "opening")

    @pytest.mark.parametrize("name", STILLS)
    def test_everything_shows_and_fits(self, name: str) -> None:
        kind, changes, told = STILLS[name]
        canvas, stage = Canvas(), mid_game()
        view = kind(canvas)
        for what, values in ((stage, changes), (view, told)):
            for attribute, value in values.items():
                setattr(what, attribute, value)
        settle(view, stage)
        compare(canvas, name)

    @pytest.mark.parametrize(("blocks", "name"), [(SOLID, "solid"), (OUTLINES, "outlines"), (PATTERNS, "patterns")])
    @pytest.mark.parametrize(("kind", "size"), [(PlayView, "blocks"), (LargeView, "large")])
    def test_blocks_look_as_the_player_likes(self, blocks: int, name: str, kind: type[PlayView], size: str) -> None:
        canvas = Canvas()
        canvas.blocks = blocks
        settle(kind(canvas), mid_game())
        compare(canvas, f"{size}_{name}")

    def test_hold_spent_is_dimmed(self) -> None:
        stage = mid_game("L", 5, 12, 2)
        stage.hold, stage.held = 1, True
        compare(draw(stage), "hold_spent")

    @pytest.mark.parametrize(
        ("score", "level", "lines", "goal"),
        [(10_000_000, 100, 1000, 999), (70_123_456, 256, 2567, 1280), (1_070_123_456, 1256, 123_456, 6280)],
    )
    def test_numbers_of_a_game_without_end_are_shown_whole(self, score: int, level: int, lines: int, goal: int) -> None:
        stage = mid_game()
        stage.score, stage.level, stage.lines, stage.goal, stage.time_ms = score, level, lines, goal, 3_599_999
        canvas = Canvas()
        view = PlayView(canvas)
        view.best = 1
        settle(view, stage)
        compare(canvas, f"endless_level_{level}")
        canvas = Canvas()
        settle(LargeView(canvas), stage)
        compare(canvas, f"large_level_{level}")

    @pytest.mark.parametrize("piece", "IJLOSTZ")
    def test_tetrimino_in_play_and_its_ghost(self, piece: str) -> None:
        stage = Stage("IIJJLLOO..\nSSTTZZ##..", piece, 3, 5)
        stage.queue("ZTSOLJ")
        compare(draw(stage), f"piece_{piece}")

    def test_a_few_pixels_show_above_the_skyline(self) -> None:
        """Guideline 3.4: of a Tetrimino and of Blocks in the row above the Skyline."""
        stage = Stage("SS........\n" * 21, "O", 3, 19)
        stage.queue("TTTTTT")
        compare(draw(stage), "peek_above_skyline")

    @pytest.mark.parametrize("lines", [1, 2, 3, 4])
    @pytest.mark.parametrize("left_ms", [285, 135, 15])
    def test_line_clear_grows_with_the_lines(self, lines: int, left_ms: int) -> None:
        stage = Stage("...JJ.....\n..JJLLZ...\n" + "IJLOSTZ#IO\n" * lines + "TTTT.OOOOO")
        stage.queue("TJZOSL")
        stage.clear_lines(left_ms * 1000)
        compare(draw(stage), f"line_clear_{lines}_{300 - left_ms:03}ms")

    def test_game_over(self) -> None:
        stage = mid_game()
        stage.piece, stage.phase = 0, phases.GAME_OVER
        canvas = Canvas()
        view = PlayView(canvas)
        settle(view, stage)
        view.draw_message("GAME OVER")
        compare(canvas, "game_over")


ACTIONS = [
    (events.SINGLE, ()),
    (events.DOUBLE, ("double",)),
    (events.TRIPLE, ("triple",)),
    (events.TETRIS, ("tetris",)),
    (events.T_SPIN, ("t_spin",)),
    (events.T_SPIN | events.SINGLE, ("t_spin", "single")),
    (events.T_SPIN | events.TRIPLE, ("t_spin", "triple")),
    (events.MINI_T_SPIN, ("mini_t_spin",)),
    (events.BACK_TO_BACK | events.MINI_T_SPIN | events.SINGLE, ("back_to_back", "mini_t_spin", "single")),
    (events.BACK_TO_BACK | events.TETRIS, ("back_to_back", "tetris")),
    (events.BACK_TO_BACK | events.T_SPIN | events.DOUBLE, ("back_to_back", "t_spin", "double")),
    (events.LEVEL_UP, ("level_up",)),
    (events.SINGLE | events.LEVEL_UP, ("level_up",)),
    (events.DOUBLE | events.LEVEL_UP, ("double", "level_up")),
]


class TestNotices:
    @pytest.mark.parametrize(("happened", "words"), ACTIONS, ids=["-".join(words) or "single" for _, words in ACTIONS])
    def test_notice_names_the_action_outside_the_matrix(self, happened: int, words: tuple[str, ...]) -> None:
        """Guideline 13.1.5: by its exact name, so that it may show above level 10 too; a Single is not worth one."""
        canvas = Canvas()
        view = EffectsView(canvas)
        stage = mid_game()
        view.best = 654_321
        settle(view, stage)
        before = bytes(canvas.buffer)
        view.tell(happened, stage)
        for word in words:
            view.draw(stage)
            compare(canvas, f"notice_{word}")
            for at in range(len(before)):  # it has a place of its own: three quarters of nine rows of pixels
                if not (7 <= (at - 1) // 8 < 16 and (at - 1) % 8 >= 2):
                    assert canvas.buffer[at] == before[at]
            for _ in range(19):  # a third of a second for each word but the last
                view.draw(stage)
        settle(view, stage)
        assert canvas.buffer == before

    @pytest.mark.parametrize("kind", [EffectsView, LargeView])
    def test_a_great_notice_flashes_and_without_motion_stands_still(self, kind: type[EffectsView]) -> None:
        for moves in (True, False):
            canvas = Canvas()
            view = kind(canvas)
            view.motion_on = moves
            stage = mid_game()
            settle(view, stage)
            view.tell(events.TETRIS, stage)
            pictures = set()
            for _ in range(50):
                view.draw(stage)
                pictures.add(bytes(canvas.buffer))
            assert len(pictures) == (2 if moves else 1)

    @pytest.mark.parametrize("kind", [EffectsView, LargeView])
    def test_level_up_notice_waits_until_the_action_can_be_read(self, kind: type[EffectsView]) -> None:
        """It comes 300 ms later, at the end of the Line Clear; a Single is not told at all."""
        for happened, frames in ((events.TETRIS, 3), (events.SINGLE, 1)):
            canvas = Canvas()
            view = kind(canvas)
            view.motion_on = False
            stage = mid_game()
            settle(view, stage)
            view.tell(happened, stage)
            for _ in range(18):
                view.draw(stage)
            view.tell(events.LEVEL_UP, stage)
            for _ in range(frames):
                view.draw(stage)
            alone = Canvas()
            other = kind(alone)
            settle(other, stage)
            other.tell(events.LEVEL_UP, stage)
            other.draw(stage)
            assert canvas.buffer == alone.buffer

    def test_the_next_action_takes_the_place_of_the_last_at_once(self) -> None:
        canvas = Canvas()
        view = EffectsView(canvas)
        stage = mid_game()
        settle(view, stage)
        for happened in (events.TETRIS | events.BACK_TO_BACK, events.DOUBLE):
            view.tell(happened, stage)
            view.draw(stage)
        compare(canvas, "notice_double")


def hard_drop(view: PlayView) -> Game:
    """Return a game whose first Tetrimino was just hard dropped and told to the view."""
    game = Game(1)
    game.start(0)
    for t_ms in range(0, 1100, 50):
        view.tell(game.advance(t_ms), game)
        view.draw(game)
    view.tell(game.input(controls.HARD_DROP, 1, 1100), game)
    return game


class TestEffects:
    def test_hard_drop_lights_up_and_leaves_a_trail(self) -> None:
        """Guideline 13.1.2, 13.1.3; a frame each, then both are gone."""
        canvas = Canvas()
        view = EffectsView(canvas)
        game = hard_drop(view)
        view.draw(game)
        compare(canvas, "lock_flash")
        view.draw(game)
        compare(canvas, "hard_drop_trail")
        settle(view, game)
        compare(canvas, "hard_dropped")

    def test_without_motion_nothing_lights_up(self) -> None:
        canvas = Canvas()
        view = EffectsView(canvas)
        view.motion_on = False
        settle(view, hard_drop(view))
        compare(canvas, "hard_dropped")
        stage = Stage("IJLOSTZ#IO\n" * 4)
        stage.clear_lines(299_000)
        view.reset()
        settle(view, stage)
        assert not any(canvas.pixel(x, y) for x in range(1, 51) for y in range(27, 127))

    def test_large_cells(self) -> None:
        canvas = Canvas()
        view = LargeView(canvas)
        stage = mid_game()
        settle(view, stage)
        compare(canvas, "large")
        view.tell(events.BACK_TO_BACK | events.T_SPIN | events.DOUBLE, stage)
        for name in ("back_to", "back", "t_spin", "double"):
            for _ in range(20):
                view.draw(stage)
            compare(canvas, f"large_{name}")
        settle(view, stage)
        compare(canvas, "large")

    def test_large_cells_light_up_too(self) -> None:
        canvas = Canvas()
        view = LargeView(canvas)
        game = hard_drop(view)
        view.draw(game)
        view.draw(game)
        compare(canvas, "large_hard_drop_trail")
        canvas = Canvas()
        stage = Stage("...JJ.....\n..JJLLZ...\n" + "IJLOSTZ#IO\n" * 3 + "TTTT.OOOOO")
        stage.clear_lines(135_000)
        settle(LargeView(canvas), stage)
        compare(canvas, "large_line_clear")
