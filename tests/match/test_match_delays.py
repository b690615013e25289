"""In a match all players have the match's delays, computers too (firmware/modes/README.md, 16)."""

from typing import Any

import pytest

from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.modes.delays import GUIDELINE, NONE, SHORT, find_delays, set_delays
from firmware.players.alone import pass_time
from firmware.players.levels import BEST, LEVELS, REACTION_MS, STRONGEST, TABLE
from firmware.players.player import NERVE_MS, Player
from firmware.save import match_choices, rules, rules_line
from firmware.scenes.match import new_match
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import START, Arcade
from tests.support.handhelds.handheld import Handheld

pytestmark = pytest.mark.no_cover

NO_DELAYS = [rules.MATCH, 10, 0, 1, 0]  # the numbers of a line


def choose_for(delays: int, *levels: int) -> list[Options]:
    """Return the options of a match of a person against these levels."""
    handheld = Handheld(first="menus.title")
    set_delays(handheld.settings, delays)
    options = match_choices.make_options(match_choices.unpack(handheld.settings.versus), bytes([0, *levels]))
    return new_match.choose_all(handheld.context, options)


class TestShared:
    @pytest.mark.parametrize("delays", [GUIDELINE, SHORT, NONE])
    @pytest.mark.parametrize("levels", [(1,), (5, 3, 2), (6,), (5, 6)])
    def test_computers_have_the_persons_delays(self, delays: int, levels: tuple[int, ...]) -> None:
        assert [find_delays(options) for options in choose_for(delays, *levels)] == [delays] * (1 + len(levels))

    @pytest.mark.parametrize(("delays", "limited"), [(GUIDELINE, SHORT), (SHORT, SHORT), (NONE, NONE)])
    def test_the_strongest_level_shortens_the_delays_of_all(self, delays: int, limited: int) -> None:
        assert [find_delays(options) for options in choose_for(delays, STRONGEST, BEST)] == [limited] * 3

    def test_a_line_of_rules_sets_the_delays_of_a_match(self) -> None:
        arcade = Arcade("menus.title")
        rules.apply(rules_line.read(rules_line.write(NO_DELAYS)), arcade.settings)
        arcade.open("match.play", ms=0)
        assert [find_delays(seat.game.options) for seat in arcade.match.seats] == [NONE] * 2


class TestPace:
    @pytest.mark.parametrize("level", range(1, LEVELS + 1))
    def test_without_delays_no_level_is_quicker_than_its_looks(self, level: int) -> None:
        options = Options()
        set_delays(options, NONE)
        match = Match(5, choose(MatchOptions(), players=2), [options, options])
        player: Any = Player(level)
        game = match.seats[0].game
        player.watch(game)
        least_ms = TABLE[level - 1][REACTION_MS] + NERVE_MS
        before_ms, number = 0, 0
        spans = []
        while game.lock_downs < 40 and not game.over:
            pass_time(player, game.time_ms + 10)
            if game.lock_downs > number:
                if game.hard_dropped:  # high up the Lock Down Timer may be quicker
                    spans.append(game.time_ms - before_ms)
                before_ms, number = game.time_ms, game.lock_downs
        assert min(spans[1:]) >= least_ms and len(spans) > 15
        assert game.matrix.top < 16 or level < 3, "it still plays well"


class TestShown:
    def test_in_the_menu_of_versus_before_the_match(self) -> None:
        handheld = Handheld(store=[RamStore(4096)], first="menus.title")
        handheld.open("match.menu", ms=0, frames=2)
        assert handheld.scene.notes[0].rstrip(b"|") == b"LAST PLAYER|STANDING WINS"
        set_delays(handheld.settings, NONE)
        handheld.open("match.menu", ms=0, frames=2)
        assert handheld.scene.notes[0] == b"LAST PLAYER|STANDING WINS|DELAYS NONE"

    def test_in_the_pause_and_the_result(self) -> None:
        arcade = Arcade("menus.title")
        set_delays(arcade.settings, SHORT)
        arcade.open("match.play", ms=0)
        arcade.step(16, 30)
        arcade.tap(START)
        arcade.compare_at_rest("pause_delays")
        arcade.open("match.over", arcade.match, ms=2000, frames=3)
        arcade.compare_at_rest("over_delays")
