"""Soft Drop AT ONCE takes no time (Guideline 5.5, 7.1, 8): the option `soft_factor` at 1000."""

from typing import Any

import pytest

from firmware.engine.events import LANDED
from firmware.engine.options import AT_ONCE
from firmware.engine.phases import FALLING, LOCK
from firmware.modes.catalogue import MARATHON, PUZZLE, make_mode
from tests.support.drill import Drill
from tests.support.kept import keep_and_restore

ROWS = 18  # from the first row of an O to the floor


def drop(script: str, **options: Any) -> Drill:
    return Drill("O", script=script, soft_factor=AT_ONCE, **options)


@pytest.mark.parametrize("level", [1, 15])
@pytest.mark.parametrize("script", ["+soft 0", "+soft -soft", "+soft 5 -soft", "7 +soft 1 -soft"])
def test_7_1_at_once_falls_to_the_surface_in_the_moment_of_the_press(script: str, level: int) -> None:
    drill = Drill("O", soft_factor=AT_ONCE, level=level)
    rows = drill.game.y - drill.game.ghost_y
    drill.act(script)
    assert (drill.game.y, drill.game.phase, drill.game.score) == (drill.game.ghost_y, LOCK, rows)
    assert not drill.game.lock_downs


def test_5_5_the_lock_down_timer_begins_with_the_press() -> None:
    drill = drop("100 +soft -soft")
    drill.wait(499)
    assert drill.game.lock_downs == 0
    drill.wait(1)
    assert drill.game.lock_downs == 1 and drill.game.time_ms == 600


def test_5_5_a_held_drop_takes_each_tetrimino_down_as_it_appears() -> None:
    drill = drop("+soft hard 200")
    assert drill.piece == "O" and drill.game.y == drill.game.ghost_y and drill.game.phase == LOCK


def test_5_5_a_held_drop_follows_a_step_over_an_edge() -> None:
    drill = Drill("O", "....##....\n" * 4, soft_factor=AT_ONCE, script="+soft 1 right right -soft")
    assert drill.game.y == drill.game.ghost_y and drill.game.phase == LOCK and drill.game.y < 3


def test_5_2_a_direction_at_once_slides_in_each_row_on_the_way() -> None:
    """With a REPEAT of 0 the Tetrimino slides under an overhang that it passes, as with a slow Soft Drop."""
    art = "........##\n" * 2 + "..........\n" * 2
    places = []
    for factor in (100, AT_ONCE):
        drill = Drill("O", art, soft_factor=factor, arr_ms=0, das_ms=10, script="+right 11 +soft 400")
        places.append((drill.game.x, drill.game.y))
    assert places[0] == places[1]


def test_a_released_drop_falls_at_its_usual_speed_again() -> None:
    drill = Drill("OO", soft_factor=AT_ONCE, script="+soft -soft hard 200")
    y = drill.game.y
    drill.wait(999)
    assert drill.game.phase == FALLING and drill.game.y == y
    drill.wait(2)
    assert drill.game.y == y - 1


def test_edges_of_one_time_act_after_the_fall() -> None:
    """A rotation in the same millisecond turns the Tetrimino on the Surface."""
    drill = Drill("T", soft_factor=AT_ONCE, script="+soft +cw")
    assert drill.game.facing == 1 and drill.game.ghost_y == drill.game.y and drill.game.score >= ROWS - 1


def test_slices_of_time_change_nothing() -> None:
    scripts = ("+soft 400", "+soft " + "1 " * 400)
    states = [drop(script) for script in scripts]
    assert len({(drill.game.lock_us, drill.game.score, drill.game.y) for drill in states}) == 1


def test_in_puzzles_too() -> None:
    drill = Drill("", "", make_mode(PUZZLE), soft_factor=AT_ONCE)
    assert drill.act("5000 +soft -soft") & LANDED and drill.game.y == drill.game.ghost_y


def test_a_game_saved_in_a_drop_can_be_restored() -> None:
    drill = Drill("", "", make_mode(MARATHON), soft_factor=AT_ONCE, script="+soft 100")
    game = keep_and_restore(drill.game, MARATHON)
    assert game and game.soft and game.y == drill.game.y


def test_recordings_from_before_fall_a_row_in_a_millisecond() -> None:
    drill = drop("+soft 5 -soft", edition=0)
    assert drill.game.score == 5 and drill.wait(12) == drill.game.events == 0
