"""The variants of firmware/modes/README.md on the screen: games, tables and results."""

import pytest

from firmware.engine import controls
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import DAILY, STANDARD, ZEN, find
from firmware.modes.lessons import opener_file, puzzle_file
from firmware.modes.listing import list_tables
from firmware.save import journal as kinds
from firmware.save import kept_rules
from firmware.save.goals import GOALS
from firmware.save.journal import Journal
from firmware.save.journal_layout import FRAME_BYTES
from firmware.save.means import MEANS
from firmware.save.scores import find_kind, find_table, open_table
from firmware.save.week import WEEK
from firmware.scenes.again import pack
from tests.support.flash import RamStore
from tests.support.handhelds.pauses import begin_game
from tests.support.records import KINDS
from tests.support.variants import DIG, MASTER, SURVIVE, TEST_SPEC


class TestGames:
    @pytest.mark.parametrize(
        ("name", "variant", "options", "changes"),
        [
            ("daily", DAILY, {}, {}),  # the Tetriminos left
            ("daily_large", DAILY, {"large_cells": 1}, {}),
            ("survive", SURVIVE, {}, {"time_ms": 26_000}),
            ("master", MASTER, {"level": 9}, {"level": 19}),  # a grade instead of the level
            ("master_large", MASTER, {"level": 9, "large_cells": 1}, {"level": 19}),
            ("zen", ZEN, {}, {}),  # no goal
            ("zen_large", ZEN, {"large_cells": 1}, {}),
        ],
    )
    def test_picture_of_a_mode(self, name: str, variant: int, options: dict[str, int], changes: dict[str, int]) -> None:
        handheld = begin_game(variant, motion_on=0, **options)
        for attribute, value in changes.items():
            setattr(handheld.game, attribute, value)
        handheld.press(controls.HARD_DROP)
        handheld.step(100, 4)
        handheld.compare_at_rest(f"modes_{name}")

    def test_picture_of_dig_with_its_best_time(self) -> None:
        begin_game(DIG, aim=18, motion_on=0).compare_at_rest("modes_dig")
        assert begin_game(DIG, aim=10).scene.view.timed and not begin_game(MASTER).scene.view.timed


class TestTables:
    def test_full_tables_a_game_and_a_match_of_two_fit_4096_bytes(self) -> None:
        """Everything that a player collects fits: a full journal leaves out none of it, but a mean (means.py)."""
        journal = Journal([RamStore(4096), RamStore(4096)])
        lengths = {choice.kind: 56 if open_table(journal, choice.kind).places > 2 else 23 for choice in list_tables()}
        lengths |= {kinds.SETTINGS: 84, kinds.SUSPENDED: 438, kinds.REPORT: 160, kinds.BOARD_GAME: 306}
        lengths |= {kinds.VERSUS: 128, kinds.PUZZLES: 1 + (puzzle_file.count() + 1) // 2, kinds.NUMBERS: 93}
        lengths |= {kinds.SPLITS: 65, kinds.OPENERS: 1 + len(opener_file.read()), kinds.ALL_CLEARS: 42}
        lengths |= {kept_rules.RULES: 160, GOALS: 6, WEEK: 9}
        lengths |= {kinds.MATCH_GAMES: 250, kinds.MATCH_GAMES + 1: 250, kinds.MATCH: 90}
        assert set(KINDS) - set(lengths) == {MEANS, kinds.MATCH_GAMES + 2, kinds.MATCH_GAMES + 3}
        used = sum(FRAME_BYTES + length for length in lengths.values())
        left = 4096 - FRAME_BYTES - used  # beside the mark of a bank
        assert left >= 0, f"{-left} bytes too many: see firmware/modes/README.md, The room for a mode"
        for _ in range(2):
            for kind, length in lengths.items():
                assert journal.save(kind, length), kind
        assert [kind for kind in lengths if len(journal.read(kind)) != lengths[kind]] == []

    def test_full_journal_drops_a_match_before_the_tables(self) -> None:
        journal = Journal([RamStore(1024)])
        tables = [list_tables()[0].kind, list_tables()[12].kind, find_kind(find(ZEN), 0)]
        for kind in (kinds.MATCH_GAMES, kinds.MATCH_GAMES + 1, *reversed(tables)):
            assert journal.save(kind, 300)
        assert [len(journal.read(kind)) for kind in tables] == [300] * 3

    def test_full_journal_drops_a_mean_before_a_match(self) -> None:
        journal = Journal([RamStore(1024)])
        for kind in (MEANS, kinds.MATCH_GAMES, kinds.MATCH, kinds.SETTINGS):
            assert journal.save(kind, 300)
        assert [len(journal.read(kind)) for kind in (MEANS, kinds.MATCH_GAMES, kinds.MATCH)] == [0, 300, 300]

    def test_master_shows_the_grade(self) -> None:
        handheld = begin_game(MASTER, level=12, motion_on=0)
        handheld.game.end(AIM_REACHED)
        handheld.game.level = 28
        handheld.open("menus.over", handheld.game, ms=500, frames=3)
        handheld.press(controls.ROTATE_CW)
        handheld.compare_at_rest("over_master")

    @pytest.mark.parametrize(("variant", "aim"), [(DIG, 100), (SURVIVE, 0), (MASTER, 0), (STANDARD, 1), (TEST_SPEC, 0)])
    def test_result_of_a_game_is_in_its_table(self, variant: int, aim: int) -> None:
        handheld = begin_game(variant, aim=aim)
        game = handheld.game
        game.score, game.lines, game.time_ms = 4321, 12, 65_000
        game.end(AIM_REACHED)
        handheld.session.finish(game, pack(game.options))
        number = find_table(variant, aim)
        assert handheld.session.placed == (0, number)
        table = open_table(handheld.journal, list_tables()[number].kind)
        assert table.entry(0)[1:3] == (65_000 if variant in (DIG, SURVIVE) else 4321, 12)
