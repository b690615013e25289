"""The class of a game decides its table; no line reaches one that its rules do not belong to (modes/README.md, 17)."""

import random
from typing import Any

import pytest

from firmware.engine.game import AIM_REACHED
from firmware.engine.options import Options
from firmware.finishing import count, finish
from firmware.modes import classes
from firmware.modes.catalogue import FINESSE, MARATHON, SPRINT, ULTRA, ULTRA_LINES, ZEN, find
from firmware.modes.classes import EASED, UNRANKED, USUAL, choose_options, find_class
from firmware.modes.listing import list_tables
from firmware.save import rules, rules_line
from firmware.save.journal import Journal
from firmware.save.rules import OPTIONS
from firmware.save.scores import CLASSES, CLASSES_END, find_kind, find_splits, open_table
from firmware.save.settings import Settings
from firmware.scenes.again import pack
from sim.library import MODES
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.pauses import begin_game
from tests.support.records import KINDS
from tests.support.variants import DIG, MASTER, SURVIVE

LINES = 20_000
NO_DELAYS = "SKY1-2A010-V4E2"  # a Sprint without delays
TIMED = (SPRINT, ULTRA, ULTRA_LINES, DIG, SURVIVE)  # against the clock
UNTIMED = (MARATHON, ZEN, FINESSE)
ONE_PLAYER = range(1, 15)


def class_of(variant: int, **options: int) -> int:
    return find_class(choose(Options(), **options), find(variant))


def write_by_chance(chance: random.Random) -> str:
    """Return a line with some options of a mode; half of their values are near the defaults or the ends."""
    numbers = [chance.choice(ONE_PLAYER)]
    last = -1
    for place, _name, least, most, default, *_rest in OPTIONS:
        if chance.random() < 3 / len(OPTIONS):  # as many with a further option
            near = min(most, max(least, default + chance.randint(-2, 2)))
            numbers += (place - last, chance.choice((least, most, near, chance.randint(least, most), 2, 40)))
            last = place
    return rules_line.write(numbers)


def belongs(options: Any, record: dict[bytes, bytes], kind: int) -> bool:
    """Return whether a table is for such games, said again in other words than classes.py."""
    variant = int(record[b"mode"].split()[0])
    own = {38: "INVIS", 39: "FADES", 40: "INVIS", 41: "FADES"}.get(kind, "QUICK" if 42 <= kind <= 46 else "")
    if (options.kicks + options.deal + options.spins > 0) != (kind in (47, 48)):
        return False
    quicker = options.generation_ms < 200 or options.animate_ms < 300
    slower = options.generation_ms > 200 or options.animate_ms > 300
    if options.garbage_rows or options.slow or variant in UNTIMED and slower:
        return False
    if variant in (MARATHON, ULTRA, 6) and options.modern not in (0, 2):
        return False
    if ("", "INVIS", "FADES")[options.invisible] != (own if own != "QUICK" else ""):
        return False
    return (own == "QUICK") == (variant in TIMED and quicker)


class TestClass:
    def test_the_guidelines_delays_are_the_defaults(self) -> None:
        assert (Options().generation_ms, Options().animate_ms) == (classes.GENERATION_MS, classes.ANIMATE_MS)

    @pytest.mark.parametrize("record", MODES.values(), ids=lambda record: record[b"mode"].decode())
    def test_default_options_are_the_usual_class_of_every_mode(self, record: dict[bytes, bytes]) -> None:
        assert find_class(Options(), record) == USUAL

    @pytest.mark.parametrize(("generation_ms", "animate_ms"), [(199, 300), (200, 299), (0, 0), (100, 2000), (1000, 0)])
    def test_one_shorter_delay_eases_a_game_against_the_clock(self, generation_ms: int, animate_ms: int) -> None:
        for variant in TIMED:
            assert class_of(variant, generation_ms=generation_ms, animate_ms=animate_ms) == EASED

    @pytest.mark.parametrize(("generation_ms", "animate_ms"), [(201, 300), (200, 301), (1000, 2000)])
    def test_longer_delays_ease_only_games_without_a_clock(self, generation_ms: int, animate_ms: int) -> None:
        for variant in TIMED:
            assert class_of(variant, generation_ms=generation_ms, animate_ms=animate_ms) == USUAL
        for variant in UNTIMED:
            assert class_of(variant, generation_ms=generation_ms, animate_ms=animate_ms) == EASED
            assert class_of(variant, generation_ms=0, animate_ms=0) == USUAL

    def test_a_mode_with_times_of_its_own_has_no_class_by_delays(self) -> None:
        """Master changes the option during a game."""
        assert class_of(MASTER, animate_ms=60) == USUAL

    def test_invisible_and_eased_together_have_no_table(self) -> None:
        number = class_of(SPRINT, invisible=1, generation_ms=0)
        assert number == 1 + EASED and not find_kind(find(SPRINT), 40, number)

    @pytest.mark.parametrize("options", [{"garbage_rows": 1}, {"slow": 1}, {"modern": 1}, {"modern": 4}])
    def test_blocks_slow_play_and_more_points_are_unranked(self, options: dict[str, int]) -> None:
        assert class_of(MARATHON, **options) == UNRANKED and not find_kind(find(MARATHON), 0, UNRANKED)


class TestTables:
    def test_kinds_of_classes_are_no_others_and_have_two_places(self) -> None:
        journal = Journal([RamStore()])
        names = [choice.name for choice in list_tables() if CLASSES <= choice.kind < CLASSES_END]
        assert {name.split()[-1] for name in names} == {b"INVIS", b"FADES", b"QUICK", b"OTHER"}
        for choice in list_tables():
            assert open_table(journal, choice.kind).places == (2 if choice.name in names else 5)

    def test_the_journal_has_kinds_for_forty_modes_with_two_tables_each(self) -> None:
        assert 2 * (40 - len(MODES)) <= len(set(range(CLASSES_END, 128)) - set(KINDS))

    def test_only_the_default_aim_has_tables_of_classes(self) -> None:
        record = find(SPRINT)
        assert find_kind(record, 0, EASED) == find_kind(record, 40, EASED) > 0
        assert not find_kind(record, 20, EASED) and not find_kind(record, 100, 1)

    def test_a_sprint_without_delays_enters_its_own_table(self) -> None:
        handheld = begin_game(SPRINT, generation_ms=0, animate_ms=0)
        game = handheld.game
        game.mode.splits = [1_000, 2_000, 3_000]
        game.lines, game.time_ms, game.goal = 40, 4_000, 0
        game.end(AIM_REACHED)
        place, number, best = finish(handheld.journal, SPRINT, game, 0)
        assert (number, best) == (EASED, 4_000)
        assert place and list_tables()[place[1]].name == b"SPRINT 40 QUICK"
        count(handheld.journal, SPRINT, game, True)
        assert find_splits(handheld.journal, 40, EASED, 4_000) == [1_000, 2_000, 3_000]
        assert [handheld.session.best(0, each) for each in (USUAL, EASED)] == [0, 4_000]
        assert find_splits(handheld.journal, 40, USUAL, 4_000) == []

    def test_a_sprint_without_delays_races_the_best_of_its_own_table(self) -> None:
        handheld = begin_game(SPRINT, generation_ms=0, animate_ms=0)
        handheld.game.time_ms, handheld.game.goal = 4_000, 0
        handheld.game.end(AIM_REACHED)
        handheld.session.finish(handheld.game, pack(handheld.game.options))
        handheld.open("play", ms=0, frames=3)
        assert handheld.scene.view.best == 4_000
        handheld.settings.generation_ms, handheld.settings.animate_ms = 200, 300
        handheld.open("play", ms=0, frames=3)
        assert handheld.scene.view.best == 0


class TestLines:
    def test_the_line_without_delays_belongs_to_the_quick_table(self) -> None:
        settings = Settings()
        rules.apply(rules_line.read(NO_DELAYS), settings)
        options = choose_options(settings, find(settings.variant))
        assert (options.generation_ms, options.animate_ms) == (0, 0)
        assert find_kind(find(SPRINT), options.aim, find_class(options, find(SPRINT))) == 42

    @pytest.mark.no_cover
    def test_no_line_reaches_a_table_that_its_rules_do_not_belong_to(self) -> None:
        chance = random.Random(53)
        kinds: dict[int, int] = {}
        tables = {choice.kind: choice for choice in list_tables()}
        settings = Settings()  # each line is loaded over the rules of those before
        for _ in range(LINES):
            try:
                rules.apply(rules_line.read(write_by_chance(chance)), settings)
            except ValueError:
                continue
            record = find(settings.variant)
            options = choose_options(settings, record)
            kind = find_kind(record, options.aim, find_class(options, record))
            kinds[kind] = kinds.get(kind, 0) + 1
            if kind:
                table = tables[kind]
                assert table.record == record and table.aim in (0, options.aim or int(record[b"default"]))
                assert belongs(options, record, kind), (kind, vars(options))
        assert kinds.keys() >= {0, 2, 5, 38, 40, 42, 43, 44, 45, 46, 47, 48} and sum(kinds.values()) > LINES // 4
