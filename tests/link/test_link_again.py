"""START held through the end of a linked match is the press for the next round, or for another match."""

from collections.abc import Callable

import pytest

from firmware.link.members import READY
from firmware.save import goals
from firmware.scenes.play_state import OVER as ENDED
from firmware.scenes.play_state import REST_MS, START_HELD_MS
from sim.scenes import can_restart
from tests.support.handhelds.linked import DOWN, FRAME_MS, RIGHT, START, UP, A, B, Table

HALF_SECOND = 500 // FRAME_MS


def start(rounds: int) -> Table:
    """Return two handhelds in a match that is won by one round, or by two."""
    table = Table()
    if rounds > 1:
        table.meet()
        table.tap(0, DOWN, DOWN, DOWN, RIGHT, frames=40)
        table.tap(0, UP, UP, UP)
    return table.start_match()


def move(table: Table, pressed: int, held_ms: int = 0) -> None:
    table[0].buttons.edges.append((START, pressed, table[0].clock.now_ms - held_ms))
    table.step()


def hold_before(table: Table) -> None:
    """Press START while the time of the round is over, but its winner not yet known: that is still a pause."""
    match = table[0].match
    table.wait(lambda: table.drop(1) and match.time_ms == match.ends_ms)
    table.step()
    assert not match.over
    move(table, 1)
    table.wait(lambda: table[0].scene.state == ENDED)


def hold_early(table: Table) -> None:
    """Press START in the first second after the end."""
    table.wait(lambda: table.drop(1) and table[0].scene.state == ENDED)
    table.step(REST_MS // 3 // FRAME_MS)
    move(table, 1)


def press_r(table: Table) -> None:
    """Tap R on a PC: START that has been held."""
    table.wait(lambda: table.drop(1) and table[0].scene.state == ENDED)
    assert can_restart(table[0].scene)
    move(table, 1, START_HELD_MS)
    table.step(2)
    move(table, 0)


def tap_b(table: Table) -> None:
    """Press B a second after the end."""
    table.wait(lambda: table.drop(1) and table[0].scene.state == ENDED)
    table.step(REST_MS // FRAME_MS + 1)
    table.tap(0, B)


WAYS = pytest.mark.parametrize("way", [hold_before, hold_early, press_r])


@WAYS
def test_a_round_that_decides_nothing_leads_to_the_next(way: Callable[[Table], None]) -> None:
    table = start(2)
    way(table)
    table.step(REST_MS // FRAME_MS + HALF_SECOND)
    session = table[0].link_session
    assert session.state == READY and table[0].match.round == 0, "both players must want it"
    table.wait(lambda: table[1].scene.state == ENDED)
    table.step(REST_MS // FRAME_MS + 2)
    table.tap(1, A)
    table.wait(lambda: all(handheld.match.round == 1 for handheld in table.handhelds))
    table.wait(session.is_running)
    table.step(HALF_SECOND)
    assert session.is_running(), "START that is still down neither pauses nor restarts"


@WAYS
def test_a_decided_match_leads_to_the_lobby(way: Callable[[Table], None]) -> None:
    table = start(1)
    way(table)
    table.step(REST_MS // FRAME_MS // 2)
    assert table[0].name == "link.play", "the other one may still need reports"
    table.step(REST_MS // FRAME_MS // 2 + HALF_SECOND)
    assert table[0].name == "link.lobby"
    assert table[1].scene.said.startswith("YOU LOSE")


@pytest.mark.parametrize("way", [hold_early, tap_b])
def test_22_3_each_way_to_the_lobby_judges_the_goals_once(way: Callable[[Table], None]) -> None:
    table = start(1)
    way(table)
    table.wait(lambda: table[0].name == "link.lobby", REST_MS // FRAME_MS + HALF_SECOND)
    assert table[1].scene.said.startswith("YOU LOSE")
    figures = goals.count_saves(table[0].journal, b"cable")
    assert any(goals.load(table[0].journal)[1:]) and goals.judge(table[0].context, figures) == b""


@pytest.mark.parametrize("held_ms", [0, START_HELD_MS])
def test_its_result_leads_to_the_lobby_too(held_ms: int) -> None:
    table = start(1)
    table.finish(1)
    table.tap(0, A)
    assert table[0].name == "link.over" and can_restart(table[0].scene)
    table.step(2)
    move(table, 1, held_ms)
    table.wait(lambda: table[0].name == "link.lobby", HALF_SECOND)


def test_a_tap_in_the_first_second_skips_no_result() -> None:
    table = start(1)
    table.wait(lambda: table.drop(1) and table[0].scene.state == ENDED)
    table.tap(0, START, frames=REST_MS // FRAME_MS)
    assert table[0].name == "link.play"
    table.tap(0, START, frames=2)
    assert table[0].name == "link.over"
