"""An endless game stays correct past level 255: score, screen, table, suspended game and recording."""

import pytest

from firmware.engine import controls, events
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.modes.listing import list_tables
from firmware.save.journal import Journal
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.scores import find_table, open_table
from firmware.scenes.again import pack
from firmware.view.art import FONT_3X7
from firmware.view.canvas import Canvas
from firmware.view.effects import EffectsView
from firmware.view.layouts.large import LargeView
from tests.support.drill import state
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.kept import copy
from tests.support.stacking import choose_moves
from tests.support.stage import settle

LEVEL = 257
DELAY_MS = 10


class Stacker:
    """Keep the stack low and flat; press all edges when a Tetrimino appears, and record them."""

    def __init__(self, seed: int) -> None:
        options = Options()
        options.aim, options.level, options.generation_ms, options.animate_ms = 1, 15, DELAY_MS, 0
        self.game = Game(seed, options, make_mode(MARATHON))
        self.recorder = Recorder(1 << 18)
        self.recorder.begin_game(MARATHON, seed, options)
        self.happened = 0
        self.points = 0
        self.game.start(0)
        self.game.advance(0)

    def tap(self, control: int) -> None:
        for pressed in (1, 0):
            self.recorder.record_edge(control, pressed, self.game.now_ms)
            self.happened |= self.game.input(control, pressed, self.game.now_ms)

    def play_tetrimino(self) -> None:
        """Move the new Tetrimino to its place and count its points (Guideline 8)."""
        game = self.game
        for control in choose_moves(game):
            self.tap(control)
        level, lines = game.level, game.lines
        self.points += 2 * (game.y - game.ghost_y)
        self.tap(controls.HARD_DROP)
        action = game.action
        self.happened |= game.advance(game.now_ms + DELAY_MS)
        line_points = (0, 100, 300, 500, 800)[game.lines - lines] * level
        self.points += line_points * 3 // 2 if action & events.BACK_TO_BACK else line_points

    def play(self, level: int) -> None:
        while self.game.level < level:
            self.play_tetrimino()
            assert not self.game.over
            assert not self.happened & (events.T_SPIN | events.MINI_T_SPIN), "T-Spins are not counted here"


@pytest.fixture(scope="module")
def stacker() -> Stacker:
    stacker = Stacker(2)
    stacker.play(LEVEL)
    return stacker


def read_number(canvas: Canvas, x: int, y: int, count: int) -> int:
    """Return the number that a row of narrow digits shows; blank digits are skipped."""
    width, height, _first, glyphs = FONT_3X7[:4]
    digits = [list(FONT_3X7[4 + height * digit :][:height]) for digit in range(glyphs)]
    number = ""
    for left in range(x, x + count * (width + 1), width + 1):
        seen = [sum(canvas.pixel(left + i, y + row) << i for i in range(width)) for row in range(height)]
        number += str(digits.index(seen)) if any(seen) else ""
    return int(number)


class TestEndless:
    def test_score_equals_the_points_counted(self, stacker: Stacker) -> None:
        game = stacker.game
        assert (game.level, game.lines // 10) == (LEVEL, LEVEL - 1) and game.score == stacker.points > 10_000_000

    def test_screen_shows_every_digit(self, stacker: Stacker) -> None:
        game = stacker.game
        view = EffectsView(Canvas())
        view.best = 1
        settle(view, game)
        assert read_number(view.canvas, 25, 0, 10) == game.score
        assert read_number(view.canvas, 25, 8, 10) == game.score, "the best score"
        assert read_number(view.canvas, 53, 94, 3) == LEVEL
        assert 1000 * read_number(view.canvas, 53, 112, 3) + read_number(view.canvas, 53, 120, 3) == game.lines
        large = LargeView(Canvas())
        settle(large, game)
        assert read_number(large.canvas, 25, 0, 10) == game.score

    def test_suspended_game_is_the_same_game(self, stacker: Stacker) -> None:
        """3,400 levels of Tetrises score 2**34. Once, a game of 2**29 points (600 levels) or more was not restored."""
        game = copy(stacker.game, MARATHON)
        assert state(game) == state(stacker.game)
        game.level, game.score = 3400, 1 << 34
        assert state(copy(game, MARATHON)) == state(game)

    def test_recording_is_the_same_game(self, stacker: Stacker) -> None:
        assert not stacker.recorder.full
        recording = Recording(stacker.recorder.recorded(stacker.game.now_ms))
        game = recording.game(make_mode(MARATHON))
        game.start(0)
        Player(recording, game).advance(stacker.game.now_ms)
        assert state(game) == state(stacker.game)

    def test_table_and_result_screens_show_the_level(self, stacker: Stacker) -> None:
        game = copy(stacker.game, MARATHON)
        handheld = Handheld(first="menus.title", store=[RamStore(), RamStore()])
        handheld.settings.aim = 1
        handheld.session.finish(game, pack(game.options))
        number = find_table(MARATHON, 1)
        table = open_table(Journal(handheld.journal.stores), list_tables()[number].kind)
        assert table.entry(0)[1:] == (game.score, game.lines, LEVEL)
        handheld.open("menus.over", game, ms=500, frames=3)
        handheld.tap(controls.ROTATE_CW)
        assert read_number(handheld.display.canvas, 3, 19, 8) == game.score
        assert handheld.scene.list_lines()[0] == b"%d" % LEVEL
        handheld.tap(controls.ROTATE_CW, controls.PAUSE)
        handheld.step(16, 2)
        assert handheld.name == "menus.scores"
        handheld.compare("scores_endless")
