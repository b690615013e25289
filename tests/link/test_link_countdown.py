"""READY of a linked match swallows no press: what is down at its end is pressed then, and START pauses."""

from typing import Any

import pytest

from firmware.link.members import PAUSED
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from tests.support.handhelds.linked import DOWN, HOLD, LEFT, RIGHT, START, UP, A, Table

DAS_MS, ARR_MS = 150, 0
WALL_X = -1


@pytest.fixture
def table() -> Table:
    table = Table()
    for handheld in table.handhelds:
        handheld.settings.das_ms, handheld.settings.arr_ms = DAS_MS, ARR_MS
        handheld.settings.initial_rotation = handheld.settings.initial_hold = 1
    table.agree()
    table.wait(lambda: is_counting(table))
    return table


def is_counting(table: Table) -> bool:
    return all(handheld.link_session.clock.counting for handheld in table.handhelds)


def end_countdown(table: Table) -> None:
    table.wait(lambda: all(handheld.link_session.is_running() for handheld in table.handhelds))


def move(table: Table, place: int, button: int, pressed: int) -> None:
    table[place].buttons.edges.append((button, pressed, table[place].clock.now_ms))
    table.step()


def pause_and_resume(table: Table) -> None:
    end_countdown(table)
    table.step(30)
    table.tap(0, START, frames=30)
    table.tap(0, START)
    table.wait(lambda: is_counting(table))


def check(table: Table) -> None:
    """Finish the round: both devices saw the same match, and each recording plays it again."""
    table.finish(1)
    matches = [handheld.match for handheld in table.handhelds]
    assert matches[0].hash() == matches[1].hash()
    for handheld in table.handhelds:
        player: Any = LinkPlayer(LinkRecording(handheld.session.last()))
        player.advance(handheld.match.time_ms)
        assert player.match.hash() == handheld.match.hash() and not player.damaged
        assert player.match.choices[handheld.match.me].das_ms == DAS_MS


@pytest.mark.parametrize("place", [0, 1])
def test_held_buttons_charge_turn_and_hold_the_first_tetrimino(table: Table, place: int) -> None:
    for button in (LEFT, A, HOLD):
        move(table, place, button, 1)
    table.step(20)
    end_countdown(table)
    table.step(20)
    game, other = (table[at].own_seat.game for at in (place, 1 - place))
    assert game.hold and game.facing == 1 and game.x <= 0
    assert (other.hold, other.facing, other.x) == (0, 0, 3)
    for button in (LEFT, A, HOLD):
        move(table, place, button, 0)
    check(table)


@pytest.mark.parametrize(("held_frames", "at_wall"), [(20, True), (2, False)])
def test_a_direction_has_charged_since_it_went_down(table: Table, held_frames: int, at_wall: bool) -> None:
    pause_and_resume(table)
    game = table[0].own_seat.game
    table.wait(lambda: table[0].link_session.clock.read_countdown_ms(table[0].clock.now_ms) < 17 * (held_frames + 1))
    x = game.x
    move(table, 0, RIGHT, 1)
    end_countdown(table)
    table.step(2)
    assert (game.x > x + 1) == at_wall
    table.step(20)
    assert game.x > x + 1
    move(table, 0, RIGHT, 0)
    check(table)


def test_what_goes_up_in_time_and_a_hard_drop_do_nothing(table: Table) -> None:
    pause_and_resume(table)
    game = table[0].own_seat.game
    x, dropped = game.x, game.lock_downs
    move(table, 0, LEFT, 1)
    move(table, 0, LEFT, 0)
    move(table, 0, UP, 1)
    end_countdown(table)
    table.step(10)
    assert (game.x, game.lock_downs, game.pressed) == (x, dropped, 0)


def test_what_was_held_before_a_pause_in_the_countdown_is_forgotten(table: Table) -> None:
    move(table, 0, LEFT, 1)
    table.tap(0, START, frames=20)
    assert table[0].link_session.state == PAUSED
    move(table, 0, LEFT, 0)
    table.tap(0, START)
    end_countdown(table)
    table.step(20)
    assert table[0].own_seat.game.x == 3


@pytest.mark.parametrize("button", [A, DOWN])
def test_no_press_ends_a_countdown(table: Table, button: int) -> None:
    """A round begins after three seconds, as READY; it continues after 3-2-1 of half a second each."""
    start_ms = table.now_ms
    table.tap(1, button)
    end_countdown(table)
    assert 2800 < table.now_ms - start_ms < 3200
    pause_and_resume(table)
    start_ms, seen = table.now_ms, [table[1].scene.said]
    table.tap(1, button)
    while not table[0].link_session.is_running():
        table.step()
        seen.append(table[1].scene.said)
    assert list(dict.fromkeys(seen))[:3] == ["READY 3", "READY 2", "READY 1"]
    assert 1300 < table.now_ms - start_ms < 1700
