"""A half turn keeps Rotation Point 5 as two quarter turns do (Guideline 9.1.1; modes/README.md, 5.2)."""

from typing import Any

import pytest

from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN
from firmware.engine.options import HALF_TURNS, NAMES, Options
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from tests.support.drill import Drill, choose

HALF = "+cw +ccw -cw -ccw"
QUARTERS = "+cw -cw 1 +cw -cw"
T = 6
OLD = 22  # options in a recording from before


def turn_by_point_5(**options: int) -> Drill:
    """Return a T after a turn by point 5, with the corners of a Mini there and also after a half turn."""
    drill = Drill("T", "", make_mode(MARATHON), modern=HALF_TURNS, level=1, **options)
    drill.draw("...#......\n..........\n..#.#.....\n..........\n..#.......")
    game: Any = drill.game
    game.place(T, 3, 2, 0)
    game.fall_us = 500_000
    assert game.turn(1) == 5
    return drill


@pytest.mark.parametrize("script", [QUARTERS, HALF], ids=["two quarter turns", "a half turn"])
def test_9_1_1_a_turn_to_the_same_cells_keeps_point_5(script: str) -> None:
    drill = turn_by_point_5()
    before = drill.game.x, drill.game.y
    drill.act(script)
    game = drill.game
    assert (game.facing, game.x, game.y) == (3, *before)
    game.matrix.set_row(game.y, bytes(8 * (x == game.x + 2) for x in range(10)))
    game.matrix.set_row(game.y + 2, bytes(8 * (x in (game.x, game.x + 2)) for x in range(10)))
    assert game.spin() == FULL_SPIN
    game.point_5_used = False
    assert game.spin() == MINI_SPIN


def test_9_1_1_a_half_turn_without_point_5_gives_none() -> None:
    drill = turn_by_point_5()
    drill.game.point_5_used = False
    drill.act(HALF)
    assert drill.game.facing == 3 and not drill.game.point_5_used


def test_a_recording_from_before_keeps_its_spins() -> None:
    """It does not say its edition: a half turn loses point 5 there."""
    recorder = Recorder()
    recorder.begin_game(MARATHON, 1, choose(Options(), modern=HALF_TURNS))
    today = Recording(recorder.recorded(0))
    assert today.options.edition == Options().edition == 1
    recorder.continue_at(4, 0)
    for number in (MARATHON, 1, OLD):
        recorder.put(number)
    recorder.put_fields(choose(Options(), modern=HALF_TURNS), NAMES[:OLD])
    before = Recording(recorder.recorded(0))
    assert before.options.edition == 0 and before.options.modern == HALF_TURNS
    drill = turn_by_point_5(edition=before.options.edition)
    drill.act(HALF)
    assert drill.game.facing == 3 and not drill.game.point_5_used
