"""FINESSE (firmware/modes/README.md, 8): its rules, and the trainer played by button edges."""

import itertools
from typing import Any

import pytest

from firmware.engine import events
from firmware.engine.finesse import PRESSES
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.options import Options
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.modes.catalogue import FINESSE, make_mode
from firmware.modes.lessons.finesse_ways import find_way
from firmware.save.recordings.recording import Player, Recording
from tests.support.drill import CODES, Drill
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import START, UP, choose, paused
from tests.support.kept import copy

BUTTONS = {"A": "cw", "B": "ccw", "<": "left", ">": "right"}


def count_presses(piece: int, facing: int, x: int) -> int:
    return PRESSES[(piece * 4 + facing - 4) * 13 + x + 3]


class Trainer(Drill):
    def __init__(self, seed: int = 1, **options: int) -> None:
        super().__init__("", "", make_mode(FINESSE), seed, **options)

    def press_way(self, way: bytes) -> None:
        for press in way.decode().split():
            if press == "DROP":
                continue
            name = BUTTONS[press[0]]
            self.press(name)
            if len(press) == 2:
                self.wait(900)
            self.release(name)

    def way(self) -> bytes:
        mode: Any = self.game.mode
        mode.aim(self.game, self.game.piece)
        return find_way(mode.piece, mode.facing, mode.x)

    def drop(self) -> int:
        """Drop, and wait for the next Tetrimino; return the event bits."""
        return self.tap("hard") | self.wait(200)

    def hit(self) -> int:
        """Reach the place with the fewest presses; return the event bits."""
        self.press_way(self.way())
        return self.drop()

    def miss(self) -> None:
        """Reach the place with four extra presses."""
        self.press_way(self.way())
        self.tap("cw", "cw", "cw", "cw")
        self.drop()


def read_origin(piece: int, facing: int) -> int:
    return PROFILES[(piece - 1) * 40 + facing * 10]


def aim_at(mode: Any, piece: int, facing: int, x: int) -> None:
    """Set the trainer's place; of two facings with the same outline use the first."""
    first = facing % FACINGS[piece - 1]
    column = x + (read_origin(piece, facing) & 15)

    def aim(game: Game, _piece: int) -> None:
        mode.piece, mode.facing = piece, first
        mode.x = column - (read_origin(piece, first) & 15)
        mode.y = -(read_origin(piece, first) >> 4)
        mode.at = (piece * 4 + first - 4) * 13 + mode.x + 3

    mode.aim = aim


class TestRules:
    @pytest.mark.parametrize("piece", range(1, 8))
    def test_8_2_shortest_way_has_the_presses_of_the_table(self, piece: int) -> None:
        for facing, x in itertools.product(range(4), range(-3, 10)):
            if count_presses(piece, facing, x) == 255:
                continue
            way = find_way(piece, facing, x)
            drill = Trainer()
            drill.game.place(piece, 3, 18 if piece == 1 else 19, 0)
            drill.game.statistics.enter()
            drill.press_way(way)
            mode: Any = drill.game.mode
            assert drill.game.statistics.presses == count_presses(piece, facing, x)
            aim_at(mode, piece, facing, x)
            drill.tap("hard")
            assert mode.was_right, (CODES[piece], facing, x, way)
        assert find_way(4, 0, 9) == b"-", "no way leads beyond a wall"

    def test_8_1_every_place_of_a_tetrimino_comes_up(self) -> None:
        mode: Any = make_mode(FINESSE)
        game = Game(1, Options(), mode)
        seen = set()
        for seed in range(400):
            game.seed = seed
            mode.aim(game, 6)
            seen.add((mode.facing, mode.x))
        assert len(seen) == 34 and all(count_presses(6, facing, x) != 255 for facing, x in seen)

    def test_8_3_an_extra_press_repeats_the_same_place(self) -> None:
        trainer = Trainer(seed=3)
        game, before = trainer.game, (trainer.piece, trainer.way(), trainer.game.goal)
        trainer.miss()
        assert (trainer.piece, trainer.way(), game.goal) == before and game.matrix.top == 0
        trainer.hit()
        assert (game.goal, game.lines) == (before[2] - 1, 0)

    def test_8_3_a_wrong_place_does_not_count(self) -> None:
        trainer = Trainer(seed=3)
        piece = trainer.piece
        trainer.press_way(b"<<" if trainer.way().startswith(b">") else b">>")
        trainer.drop()
        assert (trainer.piece, trainer.game.goal) == (piece, 40)

    def test_8_4_the_streak_starts_again_after_a_miss(self) -> None:
        trainer = Trainer(seed=5)
        for streak in range(1, 6):
            trainer.hit()
            assert trainer.game.lines == streak
        trainer.miss()
        assert trainer.game.lines == 0
        trainer.hit()
        trainer.hit()
        assert (trainer.game.lines, trainer.game.statistics.longest_combo) == (1, 5)

    def test_8_5_hold_levels_and_early_presses_are_off(self) -> None:
        trainer = Trainer(level=7, initial_rotation=1, early_presses=1)
        piece = trainer.piece
        assert trainer.tap("hold") & events.HOLD_FAILED and (trainer.piece, trainer.game.level) == (piece, 1)
        trainer.tap("hard")
        trainer.press("cw")
        trainer.wait(200)
        assert trainer.game.facing == 0

    @pytest.mark.parametrize("misses", [0, 10])
    def test_8_6_game_ends_and_has_a_result_after_forty_places(self, misses: int) -> None:
        trainer = Trainer(seed=8)
        game, happened = trainer.game, 0
        for number in range(40):
            assert game.mode.result(game) == 0
            if number < misses:
                trainer.miss()
            happened = trainer.hit()
        assert happened & events.COMPLETED and (game.over, game.mode.result(game)) == (AIM_REACHED, 40 - misses)
        assert (game.level, game.lines) == (40 - misses, 40)

    def test_suspended_game_continues_at_the_same_place(self) -> None:
        trainer = Trainer(seed=4)
        trainer.hit()
        trainer.miss()
        game = copy(trainer.game, FINESSE)
        way = trainer.way()
        trainer.game = game
        game.start(trainer.t_ms)
        assert trainer.way() == way
        trainer.hit()
        assert (game.goal, game.lines) == (38, 0)

    def test_saved_game_without_places_left_ends_at_the_next_hit(self) -> None:
        """The game never saves this state. Such a save used to count below 0 and never end."""
        trainer = Trainer(seed=4)
        trainer.game.goal = 0
        trainer.game = copy(trainer.game, FINESSE)
        trainer.game.start(trainer.t_ms)
        trainer.miss()
        assert not trainer.game.over and trainer.hit() & events.COMPLETED and trainer.game.goal == 0


class TestScene:
    @pytest.fixture
    def handheld(self) -> Handheld:
        handheld = paused(0, FINESSE)
        choose(handheld, 0)
        return handheld

    def test_trainer_marks_the_place_and_shows_the_shortest_way(self, handheld: Handheld) -> None:
        handheld.step(frames=3)
        handheld.compare("play_finesse")
        handheld.tap(4, 4, UP)
        handheld.step(frames=30)
        handheld.compare("play_finesse_missed")

    def test_recording_replays_the_same_game(self, handheld: Handheld) -> None:
        for button in (0, UP, 4, UP, 1, UP):
            handheld.tap(button)
            handheld.step(frames=20)
        recording = Recording(handheld.session.recorder.recorded(handheld.scene.played_ms))
        twin = recording.game(make_mode(FINESSE))
        Player(recording, twin).advance(handheld.scene.played_ms)
        for name in ("lock_downs", "goal", "lines", "piece"):
            assert getattr(twin, name) == getattr(handheld.game, name)

    def test_screen_is_the_same_after_a_pause(self, handheld: Handheld) -> None:
        handheld.step(frames=3)
        before = handheld.step()
        handheld.follow(START, frames=3)
        handheld.tap(START)
        assert handheld.step(0, frames=6) == before or handheld.step(0) == before

    def test_scores_appear_after_the_last_place(self, handheld: Handheld) -> None:
        game = handheld.game
        game.goal = 1
        game.mode.is_right = lambda game: True
        handheld.tap(UP)
        handheld.step(frames=20)
        assert game.over == AIM_REACHED
        handheld.step(1500)
        assert handheld.follow(4, frames=2) == "menus.scores_initials"
        handheld.follow(START, frames=2)
        handheld.compare("scores_finesse")
