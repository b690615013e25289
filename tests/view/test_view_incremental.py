"""A picture drawn step by step equals that of a fresh view, and every changed row is marked dirty."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.engine import controls, phases
from firmware.engine.events import HARD_DROPPED, LINES
from firmware.engine.game import Game
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player
from firmware.view.canvas import HEIGHT, WIDTH, Canvas
from firmware.view.effects import EffectsView
from firmware.view.layouts.large import LargeView
from firmware.view.playfield import PlayView
from tests.support.recorded import read
from tests.support.stage import CODES, Stage, settle

LETTERS = st.sampled_from("IJLOSTZ")
VIEWS = [PlayView, EffectsView, LargeView]


class Screen:
    """A canvas with a view and a display that copies only dirty rows; it may show a game at once."""

    def __init__(self, kind: type[PlayView] = PlayView, game: Stage | None = None, **attributes: object) -> None:
        self.canvas = Canvas()
        self.view = kind(self.canvas)
        self.picture = bytearray(len(self.canvas.buffer))
        for name, value in attributes.items():
            setattr(self.view, name, value)
        if game:
            self.check(game)

    def show(self) -> None:
        """Copy the dirty rows, as a display's driver does."""
        for y in range(HEIGHT):
            if self.canvas.dirty[y]:
                self.canvas.dirty[y] = 0
                self.picture[1 + 8 * y : 9 + 8 * y] = self.canvas.buffer[1 + 8 * y : 9 + 8 * y]
        assert self.picture == self.canvas.buffer, "a row changed that is not dirty"

    def cover(self) -> None:
        """Draw something else over the game, as a pause does."""
        self.canvas.fill(0, 0, WIDTH, HEIGHT, 1)
        self.view.reset()

    def check(self, game: Stage | Game, message: str = "") -> None:
        """Draw until nothing is left to draw and compare with a fresh view."""
        settle(self.view, game)
        self.show()
        fresh = Canvas()
        view = type(self.view)(fresh)
        view.show_ghost, view.next_count = self.view.show_ghost, self.view.next_count
        settle(view, game)
        if message:
            view.draw_message(message)
        assert self.canvas.buffer == fresh.buffer


def begin(name: str, animate_ms: int = -1) -> tuple[Game, Player]:
    recording = read(name)
    game = recording.game(make_mode(recording.variant))
    if animate_ms >= 0:
        game.animate_us = animate_ms * 1000
    player = Player(recording, game)
    game.start(0)
    return game, player


@st.composite
def positions(draw: st.DrawFn) -> Stage:
    """Return any position without a Tetrimino in play, or with one that overlaps no Block."""
    depth = draw(st.integers(0, 22))
    row = st.text(CODES, min_size=10, max_size=10)
    stage = Stage("\n".join(draw(row) for _ in range(depth)))
    if draw(st.booleans()):
        stage.put(draw(LETTERS), draw(st.integers(0, 6)), draw(st.integers(depth, 24)), draw(st.integers(0, 3)))
    stage.queue("".join(draw(LETTERS) for _ in range(6)))
    stage.hold = draw(st.integers(0, 7))
    stage.held = bool(stage.hold) and draw(st.booleans())
    stage.score = draw(st.sampled_from((0, 9_999_900, 99_999_900))) + draw(st.integers(0, 12_000_000))
    stage.level = draw(st.integers(1, 20)) + draw(st.sampled_from((0, 0, 90, 990)))
    stage.lines = draw(st.integers(0, 12_000))
    stage.goal = draw(st.integers(0, 75)) + draw(st.sampled_from((0, 0, 950)))
    stage.time_ms = draw(st.integers(0, 6_100_000))
    return stage


class TestAnything:
    @settings(max_examples=30)
    @given(
        st.sampled_from(VIEWS),
        st.lists(positions(), min_size=2, max_size=6),
        st.booleans(),
        st.integers(1, 6),
        st.sampled_from((0, 6_200_000)),
    )
    def test_any_position_after_any_other(
        self, kind: type[PlayView], stages: list[Stage], ghost: bool, next_count: int, limit_ms: int
    ) -> None:
        screen = Screen(kind, show_ghost=ghost, next_count=next_count)
        for version, stage in enumerate(stages, 1):
            stage.matrix.version = version
            stage.limit_ms = limit_ms
            screen.check(stage)

    @settings(max_examples=30)
    @given(LETTERS, st.lists(st.tuples(*map(st.integers, (-2, -1, 0), (8, 24, 3))), min_size=2, max_size=12))
    def test_a_tetrimino_moved_over_the_same_blocks(self, letter: str, places: list[tuple[int, int, int]]) -> None:
        stage = Stage("I.........\nOO......JJ\nTTT#.ZZZSS")
        screen = Screen(game=stage)
        for x, y, facing in places:
            stage.piece, stage.x, stage.facing = CODES.index(letter), x, facing
            if stage.fits(y):
                stage.put(letter, x, y, facing)
                screen.check(stage)

    @pytest.mark.parametrize("letter", "IJLOSTZ")
    @pytest.mark.parametrize("rows", [1, 2, 3, 7])
    def test_a_tetrimino_falls_to_its_ghost_and_is_lifted_again(self, letter: str, rows: int) -> None:
        """In steps of `rows`: the Ghost Piece stays until the Tetrimino covers it, and reappears later."""
        screen = Screen()
        for facing in range(4):
            stage = Stage("#.........", letter, 3, 21, facing)
            fall = [*range(21, stage.ghost_y, -rows), stage.ghost_y]
            for y in fall + fall[::-1]:
                stage.y = y
                screen.check(stage)

    @settings(max_examples=30)
    @given(
        st.integers(0, 16),
        st.lists(st.booleans(), min_size=4, max_size=4),
        st.lists(st.integers(0, 300_000), max_size=6).map(lambda waits: sorted(waits, reverse=True)),
        st.lists(st.text(CODES, min_size=9, max_size=9), min_size=21, max_size=21),
    )
    def test_line_clear_and_collapse(self, low: int, full: list[bool], waits: list[int], rest: list[str]) -> None:
        """Any full rows among four are drawn at any moments of the Animate Phase, then removed."""
        rows = [f".{row}" for row in rest]
        for i, complete in enumerate(full):
            if complete:
                rows[20 - low - i] = "IJLOSTZ#IO"
        stage = Stage("\n".join(rows))
        screen = Screen(game=stage)
        for wait_us in waits:
            stage.clear_lines(wait_us)
            screen.check(stage)
        stage.clear_lines(0)
        stage.matrix.collapse(stage.hits, stage.hit_count)
        stage.lines += stage.hit_count
        stage.hit_count, stage.phase = 0, phases.GENERATION
        screen.check(stage)

    def test_two_line_clears_in_a_row_at_the_same_moment_of_each(self) -> None:
        stage = Stage("IJLOSTZ#IO\n..........")
        screen = Screen()
        for blocks in ("IJLOSTZ#IO\n..........", "..........\nOI#ZTSOLJI"):
            stage.build(blocks)
            stage.clear_lines(150_000)
            screen.check(stage)

    def test_tetrimino_covers_its_ghost(self) -> None:
        stage = Stage("", "I", 3, 1, 1)
        assert stage.ghost_y == 0
        plain, covered = Screen(game=stage, show_ghost=False), Screen(game=stage)
        in_play = [(x, y) for x in range(26, 31) for y in range(27 + 15 * 5, 27 + 19 * 5)]
        assert [covered.canvas.pixel(x, y) for x, y in in_play] == [plain.canvas.pixel(x, y) for x, y in in_play]
        assert covered.canvas.buffer != plain.canvas.buffer

    @pytest.mark.parametrize("kind", VIEWS)
    def test_large_numbers_one_after_another(self, kind: type[PlayView]) -> None:
        stage, screen = Stage(), Screen(kind)
        numbers = ((12_000_000, 256, 2560), (12_000_000, 256, 2561), (12_000_100, 257, 2561), (0, 1, 0))
        for stage.score, stage.level, stage.lines in numbers:
            screen.check(stage)

    @pytest.mark.parametrize("kind", VIEWS)
    @pytest.mark.parametrize("seed", range(2))
    def test_a_real_game_frame_by_frame(self, seed: int, kind: type[PlayView]) -> None:
        """Random buttons at sixty frames a second to the end, with occasional pauses."""
        chance = random.Random(seed)
        game = Game(seed)
        game.start(0)
        screen = Screen(kind)
        held: set[int] = set()
        for frame in range(500):
            for button in range(7):
                if button != controls.HARD_DROP or chance.random() < 0.2:
                    pressed = chance.random() < 0.2
                    if pressed != (button in held):
                        held ^= {button}
                        game.input(button, int(pressed), frame * 17)
            game.advance(frame * 17)
            if chance.random() < 0.01:
                screen.cover()
            screen.check(game)
            if game.phase == phases.GAME_OVER:
                break
        assert game.lock_downs > 5

    @pytest.mark.parametrize("kind", VIEWS)
    @pytest.mark.parametrize("name", ["sprint", "marathon"])
    def test_a_recorded_game_with_line_clears(self, name: str, kind: type[PlayView]) -> None:
        """At thirty frames a second; every frame of a Line Clear and the one after it are compared."""
        game, player = begin(name)
        screen = Screen(kind)
        busy = False
        for frame in range(3000):
            player.advance(frame * 33)
            if busy or game.phase == phases.ANIMATE or frame % 40 == 0:
                screen.check(game)
            else:
                screen.view.draw(game)
            busy = game.phase == phases.ANIMATE
        assert game.lines >= 8

    @pytest.mark.parametrize("kind", VIEWS[1:])
    @pytest.mark.parametrize("animate_ms", [0, 300])
    def test_effects_leave_no_traces(self, kind: type[PlayView], animate_ms: int) -> None:
        """A recorded game with every event at thirty frames a second; some frames are compared or covered."""
        game, player = begin("fast", animate_ms)
        screen = Screen(kind)
        seen_events = 0
        for frame in range(1500):
            happened = player.advance(frame * 33)
            seen_events |= happened
            screen.view.tell(happened, game)
            screen.view.draw(game)
            screen.show()
            if frame % 97 == 0:
                screen.cover()
            if frame % 61 == 0:
                screen.check(game)
        assert seen_events & HARD_DROPPED and seen_events & LINES

    @pytest.mark.parametrize("kind", VIEWS[1:])
    @pytest.mark.parametrize("frames", range(9))
    def test_the_end_of_a_game_removes_a_trail(self, kind: type[PlayView], frames: int) -> None:
        """Or the trail would be drawn over the message."""
        game = Game(1)
        game.start(0)
        screen = Screen(kind)
        screen.view.tell(game.advance(500), game)
        screen.view.draw(game)
        screen.view.tell(game.input(controls.HARD_DROP, 1, 510), game)
        for _ in range(frames):
            screen.view.draw(game)
        game.phase = phases.GAME_OVER
        screen.view.draw(game)
        screen.view.draw_message("GAME OVER")
        screen.check(game, "GAME OVER")


class TestLittle:
    def test_an_unchanged_game_draws_nothing(self) -> None:
        stage = Stage("IJLOST....", "T", 3, 10)
        screen = Screen(game=stage)
        screen.view.draw(stage)
        assert not any(screen.canvas.dirty)

    def test_a_step_down_draws_only_the_rows_of_the_tetrimino(self) -> None:
        stage = Stage("", "O", 3, 10)
        screen = Screen(game=stage)
        stage.y -= 1
        assert not screen.view.draw(stage)
        left = {y for y in range(HEIGHT) if screen.canvas.dirty[y]}
        top_of_row_12 = 122 - 5 * 12
        assert left == {*range(top_of_row_12, top_of_row_12 + 5), *range(top_of_row_12 + 10, top_of_row_12 + 15)}

    def test_the_same_message_again_draws_nothing(self) -> None:
        screen = Screen(game=Stage("IJLOST...."))
        for _ in range(2):
            screen.show()
            screen.view.draw_message("GAME OVER")
        assert not any(screen.canvas.dirty)

    def test_only_the_tetrimino_is_drawn_if_the_ghost_is_off(self) -> None:
        canvas = Screen(game=Stage("", "T", 3, 10), show_ghost=False).canvas
        assert not any(canvas.pixel(x, y) for x in range(1, 51) for y in range(27 + 9 * 5, 127))

    def test_next_count_limits_the_queue(self) -> None:
        stage = Stage("")
        stage.queue("OOOOOO")
        canvas = Screen(game=stage, next_count=2).canvas
        lit = [y for y in range(28, 84) if any(canvas.pixel(x, y) for x in range(53, 64))]
        assert lit == [*range(28, 34), *range(37, 43)]
