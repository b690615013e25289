"""The cost of computer players on a board: time per frame, heap, and no allocation in play.

Fuel is the number of instructions that 32-bit MicroPython executes; a loop over `s += i & 3` takes an RP2040 7 us.
"""

import sys

import pytest

from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.players.computer_team import ComputerTeam
from tests.support.call_depth import DEEPEST, Depth
from tests.support.needs import needs_wasm
from tools.measure import players

pytestmark = needs_wasm

HEAP_OF_ONE_BYTES = 10 * 1024


@pytest.mark.parametrize(("opponents", "garbage", "most_ms"), [(1, 0, 4.0), (1, 6, 4.0), (3, 0, 6.0)])
def test_thought_takes_little_of_a_frame(opponents: int, garbage: int, most_ms: float) -> None:
    assert max(players.measure_thought(opponents, garbage)) <= most_ms


def test_playing_allocates_nothing() -> None:
    """Neither thinking, nor deciding, nor a reaction to risen rows."""
    assert players.play_locked(5, 900) > 10 and players.play_locked(1, 900) > 3


def test_a_player_takes_little_of_the_heap() -> None:
    assert players.measure_heap(1) <= HEAP_OF_ONE_BYTES and players.measure_heap(3) <= 2 * HEAP_OF_ONE_BYTES


def test_thinking_stays_within_the_call_depth_of_a_board() -> None:
    """Minus three calls: App.step, a scene's draw and its think (test_call_depth.py)."""
    options = MatchOptions()
    options.who = 0x55
    match = Match(3, options, [Options(), Options()])
    for seat in match.seats:
        for row in range(6):
            seat.game.matrix.raise_row(3 + row // 3)
    team = ComputerTeam(match)
    depth = Depth()
    for frame in range(1, 400):
        team.press(frame * 50 // 3)
        match.advance(frame * 50 // 3)
        sys.setprofile(depth.see)
        try:
            for player in team.players:
                player.look()
        finally:
            sys.setprofile(None)
        depth.stack.clear()
    assert "features.py:refine" in depth.longest and len(depth.longest) <= DEEPEST - 3, depth.longest
