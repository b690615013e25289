"""Whole frames of a game, compared with pictures that a reader can check in a diff (see tests/golden/README.md)."""

from typing import TypeVar

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

CLEARING = "...JJ.....\n..JJLLZ...\n"
View = TypeVar("View", bound=PlayView)
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


def mid_game(piece: str = "T", x: int = 3, y: int = 13, facing: int = 1) -> Stage:
    """Return a game in progress with all seven Mino patterns, garbage, Ghost Piece, Hold and six Next."""
    stage = Stage(MID_GAME, piece, x, y, facing)
    stage.queue("IJLOSZ")
    stage.hold = 6
    stage.score, stage.level, stage.lines, stage.goal, stage.time_ms = 123450, 7, 64, 6, 201_400
    return stage


def shown(game: Stage | Game, kind: type[View] = PlayView) -> View:  # type: ignore[assignment]
    view = kind(Canvas())
    settle(view, game)
    return view


LARGEST: dict[str, object] = {"score": 9_999_999, "level": 15, "goal": 75, "lines": 150, "time_ms": 3_599_999}
LARGE: dict[str, object] = {"lines": 999, "goal": 750, "time_ms": 35_999_999, "hold": 1, "held": True}
# An endless game shows its numbers in full.
NUMBERS = ((10_000_000, 100, 1000, 999), (70_123_456, 256, 2567, 1280), (1_070_123_456, 1256, 123_456, 6280))
ENDLESS = [LARGEST | dict(zip(("score", "level", "lines", "goal"), numbers, strict=True)) for numbers in NUMBERS]
# For each picture: the view, attributes of the game, and attributes of the view.
STILLS: dict[str, tuple[type[PlayView], dict[str, object], dict[str, object]]] = {
    "mid_game": (PlayView, {}, {}),
    "largest_numbers": (PlayView, LARGEST, {}),
    "large_largest_numbers": (LargeView, LARGEST | LARGE, {}),
    "high_score": (PlayView, {}, {"best": 654_321}),
    "high_score_beaten": (PlayView, {"score": 654_421}, {"best": 654_321}),
    "sprint": (PlayView, {}, {"best": 83_400, "timed": True}),
    "sprint_110": (PlayView, {"goal": 110, "time_ms": 3_500}, {"timed": True}),
    "ultra": (PlayView, {"limit_ms": 300_000}, {}),  # the time left
    "large_ultra": (LargeView, {"limit_ms": 300_000}, {}),  # without a goal
    "no_hold": (PlayView, {"hold": 0}, {"show_hold": False}),
    "large_no_hold": (LargeView, {"hold": 0}, {"show_hold": False}),
    **{f"endless_level_{values['level']}": (PlayView, values, {"best": 1}) for values in ENDLESS},
    **{f"large_level_{values['level']}": (LargeView, values, {}) for values in ENDLESS},
}


class TestStills:
    def test_opening_position_of_a_real_game(self) -> None:
        game = Game(1)
        game.start(0)
        game.advance(200)
        assert game.phase == phases.FALLING
        compare(shown(game).canvas, "opening")

    @pytest.mark.parametrize("name", STILLS)
    def test_everything_is_shown_and_fits(self, name: str) -> None:
        kind, changes, attributes = STILLS[name]
        view, stage = kind(Canvas()), mid_game()
        for what, values in ((stage, changes), (view, attributes)):
            for attribute, value in values.items():
                setattr(what, attribute, value)
        settle(view, stage)
        compare(view.canvas, name)

    @pytest.mark.parametrize(("blocks", "name"), [(SOLID, "solid"), (OUTLINES, "outlines"), (PATTERNS, "patterns")])
    @pytest.mark.parametrize(("kind", "size"), [(PlayView, "blocks"), (LargeView, "large")])
    def test_blocks_have_the_chosen_look(self, blocks: int, name: str, kind: type[PlayView], size: str) -> None:
        canvas = Canvas()
        canvas.blocks = blocks
        settle(kind(canvas), mid_game())
        compare(canvas, f"{size}_{name}")

    def test_a_used_hold_is_dimmed(self) -> None:
        stage = mid_game("L", 5, 12, 2)
        stage.hold, stage.held = 1, True
        compare(shown(stage).canvas, "hold_spent")

    @pytest.mark.parametrize("piece", "IJLOSTZ")
    def test_tetrimino_in_play_and_its_ghost(self, piece: str) -> None:
        stage = Stage("IIJJLLOO..\nSSTTZZ##..", piece, 3, 5)
        stage.queue("ZTSOLJ")
        compare(shown(stage).canvas, f"piece_{piece}")

    def test_a_few_pixels_show_above_the_skyline(self) -> None:
        """Guideline 3.4: of a Tetrimino and of Blocks in the row above the Skyline."""
        stage = Stage("SS........\n" * 21, "O", 3, 19)
        stage.queue("TTTTTT")
        compare(shown(stage).canvas, "peek_above_skyline")

    @pytest.mark.parametrize("lines", [1, 2, 3, 4])
    @pytest.mark.parametrize("left_ms", [285, 135, 15])
    def test_a_line_clear_effect_grows_with_the_lines(self, lines: int, left_ms: int) -> None:
        stage = Stage(CLEARING + "IJLOSTZ#IO\n" * lines + "TTTT.OOOOO")
        stage.queue("TJZOSL")
        stage.clear_lines(left_ms * 1000)
        compare(shown(stage).canvas, f"line_clear_{lines}_{300 - left_ms:03}ms")

    def test_game_over(self) -> None:
        stage = mid_game()
        stage.piece, stage.phase = 0, phases.GAME_OVER
        view: PlayView = shown(stage)
        view.draw_message("GAME OVER")
        compare(view.canvas, "game_over")


ACTIONS = [
    "single", "double", "triple", "tetris", "t_spin", "t_spin single", "t_spin triple", "mini_t_spin",
    "back_to_back mini_t_spin single", "back_to_back tetris", "back_to_back t_spin double", "level_up",
    "single level_up", "double level_up",
]  # fmt: skip


class TestNotices:
    @pytest.mark.parametrize("action", ACTIONS)
    def test_notice_names_the_action_outside_the_matrix(self, action: str) -> None:
        """Guideline 13.1.5: by its exact name, so that it may show above level 10, too; a Single has no notice."""
        view, stage = EffectsView(Canvas()), mid_game()
        buffer = view.canvas.buffer
        view.best = 654_321
        settle(view, stage)
        before = bytes(buffer)
        view.tell(sum(getattr(events, word.upper()) for word in action.split()), stage)
        for word in action.removeprefix("single").split():
            view.draw(stage)
            compare(view.canvas, f"notice_{word}")
            for at in range(len(before)):  # its own place: three quarters of nine rows of pixels
                if not (7 <= (at - 1) // 8 < 16 and (at - 1) % 8 >= 2):
                    assert buffer[at] == before[at]
            for _ in range(19):  # each word except the last is shown for a third of a second
                view.draw(stage)
        settle(view, stage)
        assert buffer == before

    @pytest.mark.parametrize("moves", [True, False])
    @pytest.mark.parametrize("kind", [EffectsView, LargeView])
    def test_the_notice_of_a_tetris_flashes_only_with_motion_on(self, kind: type[EffectsView], moves: bool) -> None:
        stage = mid_game()
        view = shown(stage, kind)
        view.motion_on = moves
        view.tell(events.TETRIS, stage)
        pictures = set()
        for _ in range(50):
            view.draw(stage)
            pictures.add(bytes(view.canvas.buffer))
        assert len(pictures) == 1 + moves

    @pytest.mark.parametrize("kind", [EffectsView, LargeView])
    @pytest.mark.parametrize(("happened", "frames"), [(events.TETRIS, 3), (events.SINGLE, 1)])
    def test_level_up_waits_until_the_action_is_read(self, kind: type[EffectsView], happened: int, frames: int) -> None:
        """It comes 300 ms later, at the end of the Line Clear; a Single has no notice."""
        stage = mid_game()
        view, other = shown(stage, kind), shown(stage, kind)
        view.motion_on = False
        for event, count in ((happened, 18), (events.LEVEL_UP, frames)):
            view.tell(event, stage)
            for _ in range(count):
                view.draw(stage)
        other.tell(events.LEVEL_UP, stage)
        other.draw(stage)
        assert view.canvas.buffer == other.canvas.buffer

    def test_a_new_notice_replaces_the_old_one_at_once(self) -> None:
        stage = mid_game()
        view = shown(stage, EffectsView)
        for happened in (events.TETRIS | events.BACK_TO_BACK, events.DOUBLE):
            view.tell(happened, stage)
            view.draw(stage)
        compare(view.canvas, "notice_double")


def hard_drop(view: PlayView) -> Game:
    """Return a game whose first Tetrimino has just been hard-dropped; the view has all events."""
    game = Game(1)
    game.start(0)
    for t_ms in range(0, 1100, 50):
        view.tell(game.advance(t_ms), game)
        view.draw(game)
    view.tell(game.input(controls.HARD_DROP, 1, 1100), game)
    return game


class TestEffects:
    def test_hard_drop_lights_up_and_leaves_a_trail(self) -> None:
        """Guideline 13.1.2, 13.1.3: each effect lasts one frame."""
        view = EffectsView(Canvas())
        game = hard_drop(view)
        for name in ("lock_flash", "hard_drop_trail"):
            view.draw(game)
            compare(view.canvas, name)
        settle(view, game)
        compare(view.canvas, "hard_dropped")

    def test_without_motion_nothing_lights_up(self) -> None:
        view = EffectsView(Canvas())
        view.motion_on = False
        settle(view, hard_drop(view))
        compare(view.canvas, "hard_dropped")
        stage = Stage("IJLOSTZ#IO\n" * 4)
        stage.clear_lines(299_000)
        view.reset()
        settle(view, stage)
        assert not any(view.canvas.pixel(x, y) for x in range(1, 51) for y in range(27, 127))

    @pytest.mark.parametrize(
        ("happened", "names"),
        [
            (events.BACK_TO_BACK | events.T_SPIN | events.DOUBLE, ("back_to", "back", "t_spin", "double")),
            (events.MINI_T_SPIN, ("mini", "t_spin")),
        ],
    )
    def test_large_cells_show_the_game_and_notices(self, happened: int, names: tuple[str, ...]) -> None:
        stage = mid_game()
        view = shown(stage, LargeView)
        compare(view.canvas, "large")
        view.tell(happened, stage)
        for name in names:
            for _ in range(20):
                view.draw(stage)
            compare(view.canvas, f"large_{name}")
        assert not view._words, "no other word follows"
        settle(view, stage)
        compare(view.canvas, "large")

    def test_large_cells_light_up_too(self) -> None:
        view = LargeView(Canvas())
        game = hard_drop(view)
        view.draw(game)
        view.draw(game)
        compare(view.canvas, "large_hard_drop_trail")
        stage = Stage(CLEARING + "IJLOSTZ#IO\n" * 3 + "TTTT.OOOOO")
        stage.clear_lines(135_000)
        compare(shown(stage, LargeView).canvas, "large_line_clear")
