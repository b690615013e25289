"""A linked match has the delays that all devices agreed on (firmware/link/README.md)."""

import pytest

from firmware.engine.options import Options
from firmware.link.lobby import Lobby
from firmware.link.wire import Wire
from firmware.modes.delays import GUIDELINE, NONE, SHORT, find_delays, set_delays
from tests.support.handhelds.linked import DOWN, RIGHT, UP, Table
from tests.support.handhelds.ring_harness import Line, Pipe, RingHarness, check_by_one_device

pytestmark = pytest.mark.no_cover

_AT = 10  # the line DELAYS


def test_the_lobby_begins_with_the_delays_of_one_of_the_devices() -> None:
    table = Table(2, "menus.title")
    set_delays(table[0].settings, NONE)
    for handheld in table.handhelds:
        handheld.go("link.lobby")
    table.meet()
    assert table.lobby(0).me.delays == table.lobby(1).me.delays in (GUIDELINE, NONE)


def test_a_change_reaches_all_and_is_played_by_all() -> None:
    table = Table(3).meet()
    table.tap(1, *[DOWN] * _AT, RIGHT, frames=40)
    for handheld in table.handhelds:
        assert handheld.scene.lobby.me.delays == SHORT and handheld.scene.value(_AT) == b"SHORT"
    table[1].compare("lobby_delays")
    table.tap(1, RIGHT, *[UP] * _AT, frames=40)
    table.start_match()
    for handheld in table.handhelds:
        assert [find_delays(seat.game.options) for seat in handheld.match.seats] == [NONE] * 3
    assert find_delays(table[0].settings) == GUIDELINE, "the own choice for other games stays"


def test_delays_that_only_a_line_brings_count_as_the_guidelines() -> None:
    table = Table(2, "menus.title")
    for handheld in table.handhelds:
        handheld.settings.generation_ms, handheld.settings.animate_ms = 80, 250
        handheld.go("link.lobby")
    table.start_match()
    for handheld in table.handhelds:
        assert [find_delays(options) for options in handheld.match.choices] == [GUIDELINE] * 2


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("delays", [SHORT, NONE])
def test_a_linked_match_equals_one_on_one_device_whatever_its_delays(count: int, delays: int) -> None:
    ring = RingHarness(count, count)
    for side in ring.sides:
        side.lobby.me.delays = delays
    ring.finish()
    choices = [Options() for _ in ring.sides]
    for choice in choices:
        set_delays(choice, delays)
    check_by_one_device(ring, choices)


def test_a_greeting_with_its_delays_is_one_write() -> None:
    """In two, the clocks of the devices would differ by more."""
    line = Line()
    lobby = Lobby(Wire(Pipe(Line(), line)), 5, b"ABC", 7, 3, 0)
    lobby.greet(0)
    lobby.wire.push()
    assert line.writes == 1 and line.carried == 32
