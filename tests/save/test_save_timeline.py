"""Steps through a recorded game reach its end; a game that is handed over needs no recorder."""

from types import SimpleNamespace

import pytest

from firmware.engine.controls import HARD_DROP
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_timeline import Timeline
from tests.support.recorded import read


def seek(line: Timeline) -> Timeline:
    """Simulate until the target is reached."""
    while not line.work(SimpleNamespace(ticks_ms=lambda: 0), 0):
        pass
    return line


@pytest.fixture(scope="module")
def line() -> Timeline:
    return seek(Timeline(read("lost"), make_mode))


def test_steps_stop_at_the_beginning_and_at_the_end(line: Timeline) -> None:
    for mark, step, end_ms in ((0, -1, 0), (len(line.times) - 1, 1, line.end_ms)):
        line.leap(mark)
        seek(line)
        for _ in range(3):
            line.step(step)
            assert line.target_ms == end_ms


def test_game_that_ends_with_a_lock_down_has_no_step_after_it() -> None:
    options = Options()
    options.animate_ms = 0
    game = Game(7, options, make_mode(MARATHON))
    game.start(0)
    recorder = Recorder()
    recorder.begin_game(MARATHON, 7, options)
    while not game.over:
        for pressed in (1, 0):
            t_ms = game.time_ms + 300
            if not game.over:
                game.input(HARD_DROP, pressed, t_ms)
                recorder.record_edge(HARD_DROP, pressed, t_ms)
    line = seek(Timeline(Recording(recorder.recorded(game.time_ms)), make_mode))
    assert line.total == game.lock_downs == len(line.times) - 1
    assert line.times[-1] == line.end_ms == game.time_ms


@pytest.mark.parametrize("recorder", [Recorder(), None], ids=["recorded", "without a recorder"])
def test_hand_over_releases_held_buttons_and_records_it(recorder: Recorder | None) -> None:
    line = seek(Timeline(read("fast"), make_mode))
    while line.game.lock_downs < 3 or not line.game.pressed:
        line.pass_time(1)
    game = line.hand_over(recorder)
    assert game.pressed == 0
    if recorder:
        recording = Recording(recorder.recorded(line.time_ms + 1))
        played = recording.game(make_mode(recording.variant))
        Player(recording, played).advance(line.time_ms)
        assert (played.pressed, played.lock_downs) == (0, game.lock_downs)
        assert (played.piece, played.x, played.y) == (game.piece, game.x, game.y)
