"""What counts as a spin: firmware/modes/README.md, 23."""

import random
from typing import Any

import pytest

from firmware.engine.extra_rules import ALL, STUCK, ExtraRulesGame
from firmware.engine.game import Game
from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN
from firmware.engine.options import ALL_SPINS, Options
from firmware.modes.catalogue import DAILY, MARATHON, SPRINT, ZEN, find, make_mode
from firmware.modes.classes import OTHER, find_class
from firmware.modes.rules import find_rules
from firmware.modes.slow import STILL
from firmware.save import rules
from firmware.save.settings import Settings
from firmware.scenes.rules.line_menu import describe
from firmware.scenes.rules.line_words import list_changes
from tests.support import kept
from tests.support.drill import Drill, choose, place_in_stacks
from tests.support.handhelds.handheld import Handheld
from tests.support.running import loads

T = 6
CORNERS = "#.........\n..........\n#.#.......\n"  # three Blocks around a T that can still move up
CEILING = "...#......\n..........\n##...#####\n"  # room for a T, which then cannot move; its nose has free corners


def make(spins: int, art: str = "", **options: int) -> Drill:
    return Drill(order="T", art=art, mode=make_mode(MARATHON), spins=spins, **options)


class TestStuck:
    def test_23_1_a_t_that_cannot_move_has_spun(self) -> None:
        game: Any = make(STUCK).game
        counts = {True: 0, False: 0}
        for stuck in place_in_stacks(game, 23, (T,)):
            assert game.spin() == NO_SPIN, "without a turn there is no spin"
            game.turned_last = True
            assert game.spin() == (FULL_SPIN if stuck else NO_SPIN)
            counts[stuck] += 1
        assert min(counts.values()) > 20, counts

    def test_23_1_the_corners_do_not_count(self) -> None:
        spun = []
        for spins in (0, STUCK, ALL):
            drill = make(spins, CORNERS)
            drill.put_turned(T, 0, 0, 1)
            spun.append(drill.game.spin())
        assert spun == [MINI_SPIN, NO_SPIN, MINI_SPIN]

    def test_23_1_it_scores_as_a_t_spin(self) -> None:
        scores = []
        for spins in (0, STUCK, ALL):
            drill = make(spins, CEILING)
            drill.put_turned(T, 2, -1, 0)
            drill.place()
            scores.append((drill.game.lines, drill.game.score))
        assert scores == [(1, 100), (1, 800), (1, 100)]

    @pytest.mark.parametrize("piece", [1, 2, 3, 4, 5, 7])
    def test_23_1_no_other_tetrimino_spins(self, piece: int) -> None:
        game: Any = make(STUCK).game
        for _stuck in place_in_stacks(game, piece, (piece,)):
            game.turned_last = True
            assert game.spin() == NO_SPIN


class TestAll:
    def test_23_2_it_is_the_rule_4_of_older_recordings(self) -> None:
        games: list[Any] = [make(ALL).game, make(0, modern=ALL_SPINS).game]
        found = set()
        for _stuck in zip(*(place_in_stacks(game, 5, (1, 2, 3, 4, 5, T, 7)) for game in games), strict=True):
            for game in games:
                game.turned_last = True
            spun = {game.spin() for game in games}
            assert len(spun) == 1
            found |= spun
        assert found == {NO_SPIN, MINI_SPIN, FULL_SPIN}

    def test_23_2_older_settings_become_it(self) -> None:
        handheld = Handheld(first="menus.title")
        handheld.settings.modern = 5
        handheld.context.apply_settings()
        assert (handheld.settings.modern, handheld.settings.spins) == (1, ALL)

    @pytest.mark.parametrize(
        ("variant", "modern", "changes", "table"),
        [
            (MARATHON, 4, [(b"SPINS", b"ALL")], b"MARATHON OTHER"),
            (SPRINT, 5, [(b"COMBOS", b"ON"), (b"SPINS", b"ALL")], b"SPRINT 40 OTHER"),
            (MARATHON, 5, [(b"COMBOS", b"ON"), (b"SPINS", b"ALL")], b"NO SCORE TABLE"),
        ],
    )
    def test_23_2_an_older_line_is_told_as_the_game_that_it_loads(
        self, variant: int, modern: int, changes: list[tuple[bytes, bytes]], table: bytes
    ) -> None:
        numbers = [variant + 1, 20, modern]
        settings = Settings()
        assert list_changes(numbers, settings) == changes
        assert describe(numbers, settings).endswith(table)
        rules.apply(numbers, settings)
        assert (settings.modern, settings.spins) == (modern ^ 4, ALL)
        assert list_changes(numbers, settings) == []


class TestModes:
    def test_23_by_default_a_t_spins_by_its_corners(self) -> None:
        assert Options().spins == Settings().spins == 0
        assert type(make(0).game) is Game and type(make(STUCK).game) is ExtraRulesGame

    def test_23_a_game_by_the_guideline_loads_no_other_rule(self) -> None:
        script = "from firmware.modes.rules import find_rules; from firmware.engine.options import Options\n"
        script += "from firmware.engine.mode import Mode; find_rules(Mode(), Options())"
        assert not loads(script, "firmware.engine.extra_rules")

    @pytest.mark.parametrize("other", [{}, {"kicks": 2}, {"slow": 2}, {"slow": STILL}, {"kicks": 1, "slow": 1}])
    def test_23_zen_has_them(self, other: dict[str, int]) -> None:
        spun = []
        for spins in (0, STUCK, ALL):
            mode = make_mode(ZEN)
            options = choose(Options(), spins=spins, **other)
            game: Any = find_rules(mode, options)(1, options, mode)
            assert hasattr(type(game), "full_us")
            for y, row in enumerate(("#.#.......", "..........", "#.........")):
                game.matrix.set_row(y, bytes(8 * (cell == "#") for cell in row))
            game.place(T, 0, 0, 1)
            game.turned_last = True
            spun.append(game.spin())
        assert spun == [MINI_SPIN, NO_SPIN, MINI_SPIN]

    @pytest.mark.parametrize("spins", [STUCK, ALL])
    @pytest.mark.parametrize("variant", [MARATHON, SPRINT, ZEN])
    def test_23_3_the_game_has_class_6(self, variant: int, spins: int) -> None:
        assert find_class(choose(Options(), spins=spins), find(variant)) == OTHER

    def test_23_a_daily_recording_with_the_option_spins_by_the_guideline(self) -> None:
        game = kept.start_game(20261122, DAILY, choose(Options(), spins=STUCK))
        assert game.options.spins == 0

    @pytest.mark.parametrize("spins", [STUCK, ALL])
    @pytest.mark.no_cover
    def test_23_a_game_switched_off_at_every_edge_is_the_same_game(self, spins: int) -> None:
        game = kept.start_game(3, MARATHON, choose(Options(), spins=spins))
        kept.play(game, MARATHON, kept.chance_edges(random.Random(spins), 150))
