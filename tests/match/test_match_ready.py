"""Rounds of a match begin with READY, which swallows no press: what is down at its end is pressed then."""

from typing import Any

from firmware.engine.options import AFTER_READY, Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.scenes.play_state import PAUSED, READY, START_HELD_MS
from tests.support.handhelds.arcade import HOLD as C
from tests.support.handhelds.arcade import LEFT, RIGHT, START, A, Arcade
from tests.support.handhelds.handheld import Buttons

FRAME_MS = 10
READY_MS = 1300
DAS_MS, ARR_MS = 150, 0


class Waiting(Arcade):
    """An Arcade whose rounds begin with READY."""

    waits = True

    def __init__(self, **choices: int) -> None:
        super().__init__("menus.title", None, (), **choices)
        settings = self.settings
        settings.das_ms, settings.arr_ms, settings.initial_rotation, settings.early_presses = DAS_MS, ARR_MS, 1, 1
        self.open("match.play", ms=0)

    def end_countdown(self) -> None:
        self.wait_until(self.scene.is_playing, FRAME_MS)
        self.step(FRAME_MS)


def test_a_match_begins_with_ready_and_its_clock_stands() -> None:
    arcade = Waiting()
    assert arcade.scene.state == READY and not arcade.voice.playing
    arcade.step(FRAME_MS, 5)
    arcade.compare("ready")
    arcade.step(FRAME_MS, READY_MS // FRAME_MS - 7)
    assert arcade.scene.state == READY and arcade.match.time_ms == 0
    assert [seat.game.piece for seat in arcade.match.seats] == [0, 0]
    arcade.end_countdown()
    assert 0 < arcade.match.time_ms < 50 and all(seat.game.piece for seat in arcade.match.seats)


def test_held_buttons_charge_and_turn_the_first_tetrimino() -> None:
    arcade = Waiting()
    arcade.move(LEFT, 1)
    arcade.move(A, 1)
    arcade.end_countdown()
    game = arcade.match.seats[0].game
    assert game.facing == 1 and game.x < 1
    assert game.options.das_ms == DAS_MS and game.options.edition == AFTER_READY


def test_the_recording_plays_the_same_match() -> None:
    arcade = Waiting()
    arcade.move(LEFT, 1)
    arcade.move(C, 1)
    arcade.end_countdown()
    arcade.step(FRAME_MS, 30)
    arcade.move(LEFT, 0)
    arcade.step(FRAME_MS, 100)
    arcade.tap(START)
    blob = arcade.session.last()
    player = MatchPlayer(MatchRecording(blob))
    player.advance(arcade.match.time_ms)
    games = [[seat.game for seat in match.seats] for match in (player.match, arcade.match)]
    fields = ("piece", "x", "y", "facing", "hold", "lock_downs", "score", "shift_us")
    assert len({str([[getattr(game, name) for name in fields] for game in each]) for each in games}) == 1


def test_the_next_round_begins_with_ready_too() -> None:
    arcade = Waiting(WINS=1)
    arcade.end_countdown()
    arcade.lose_round(80)
    arcade.follow(A)
    assert arcade.match.round == 1 and arcade.scene.state == READY and arcade.match.time_ms == 0


def test_start_pauses_and_held_it_restarts() -> None:
    arcade = Waiting()
    arcade.move(START, 1, FRAME_MS)
    assert arcade.scene.state == PAUSED
    seed = arcade.match.seed
    arcade.step(FRAME_MS, START_HELD_MS // FRAME_MS + 4)
    assert arcade.name == "match.play" and arcade.match.seed != seed and arcade.scene.state == READY


def test_a_second_persons_buttons_charge_too() -> None:
    other: Any = Buttons()
    match = Match(3, MatchOptions(), [Options(), Options()])
    arcade = Arcade("menus.title")
    arcade.device.others = (other,)
    arcade.open("match.play", match, frames=3)
    arcade.tap(START)
    assert arcade.scene.state == READY
    x = [seat.game.x for seat in match.seats]
    other.edges.append((RIGHT, 1, arcade.clock.now_ms))
    arcade.wait_until(arcade.scene.is_playing)
    arcade.step()
    assert [seat.game.x for seat in match.seats] == [x[0], x[1] + 2]
