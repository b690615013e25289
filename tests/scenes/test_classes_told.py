"""Before a game whose options give it another table than its mode's, or none, the player reads which.

Whatever leads to a game, READY says it (modes/README.md, 17); the menus and a line of rules say the same before.
"""

import itertools
import random
from typing import Any

import pytest

from firmware.modes.catalogue import DAILY, FINESSE, MARATHON, SPRINT, WORST, ZEN, find, make_mode, read
from firmware.modes.classes import USUAL, find_class
from firmware.modes.delays import NONE, SHORT, set_delays
from firmware.modes.listing import list_choices
from firmware.modes.slow import apply as slow_down
from firmware.save import rules
from firmware.save.settings import Settings
from firmware.scenes.again import HELD_MS
from firmware.scenes.mode_opening import choose as choose_next
from firmware.scenes.mode_opening import describe_class, list_offers
from firmware.scenes.rules.line_menu import describe as describe_game
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.menus import DOWN, RIGHT, START, A

QUICK: dict[str, Any] = {"generation_ms": 0, "animate_ms": 0}
TOLD = b"TABLE|SPRINT 40 QUICK"
NO_TABLE = b"NO SCORE TABLE"
# All options that find_class looks at, at their ends
OPTIONS: dict[str, tuple[int, ...]] = {
    "generation_ms": (0, 1000),
    "animate_ms": (0, 2000),
    "invisible": (1, 2),
    "modern": (1, 2, 4, 7),
    "slow": (1, 4),
    "kicks": (1, 3),
    "deal": (1, 4),
    "spins": (1, 2),
    "garbage_rows": (1, 15),
    "one_switch": (600,),
}
ALONE = [{name: value} for name, values in OPTIONS.items() for value in values]
PAIRS = [{**one, **other} for one, other in itertools.combinations(ALONE, 2) if not one.keys() & other.keys()]
VARIANTS = [
    int(record[b"mode"].split()[0])
    for record in read()
    if record[b"mode"] != b"none" and record[b"scene"] in (b"play.play", b"play.zen", b"learn.finesse")
]


def make(first: str = "menus.main", **settings: Any) -> Handheld:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    handheld.change_settings(**settings)
    handheld.context.apply_settings()
    handheld.open(first, ms=0, frames=2)
    return handheld


def wait_for_ready(handheld: Handheld) -> bytes:
    """Wait for the word READY of a new game; return what stands below it."""
    handheld.wait_until(lambda: getattr(getattr(handheld.scene, "cover", None), "word", "") == "READY")
    assert handheld.game.time_ms == 0 and handheld.game.piece == 0
    cover: Any = handheld.scene.cover
    handheld.wait_until(lambda: cover.is_told or not cover.told)
    usual = find_class(handheld.game.options, find(handheld.session.variant)) == USUAL
    assert usual == (cover.told == b"")
    return cover.told


def choose(handheld: Handheld, line: bytes, *buttons: int) -> None:
    handheld.go_down_to(line)
    handheld.follow(*buttons, A, frames=2)


class TestWays:
    """Every way to a game; each begins a QUICK one, or one without a table."""

    def test_the_menu(self) -> None:
        handheld = make(variant=SPRINT, **QUICK)
        assert handheld.scene.notes[handheld.scene.at] == b"BY YOUR OPTIONS|" + TOLD
        handheld.tap(A)
        assert wait_for_ready(handheld) == TOLD

    def test_an_aim_without_a_table_of_this_class(self) -> None:
        handheld = make(variant=SPRINT, **QUICK)
        handheld.tap(RIGHT)
        assert handheld.scene.notes[handheld.scene.at] == b"BY YOUR OPTIONS|" + NO_TABLE
        handheld.tap(A)
        assert wait_for_ready(handheld) == NO_TABLE and handheld.settings.aim == 100

    def test_the_level(self) -> None:
        handheld = make(variant=MARATHON, invisible=2)
        handheld.follow(A, A)
        assert wait_for_ready(handheld) == b"TABLE|MARATHON FADES"

    def test_blocks_of_the_page_of_the_seed(self) -> None:
        handheld = make(variant=MARATHON)
        assert handheld.follow(A) == "menus.choose_level" and handheld.follow(START) == "menus.choose_seed"
        handheld.tap(DOWN, DOWN, RIGHT, DOWN)
        handheld.compare_at_rest("choose_seed_with_blocks")
        handheld.tap(A)
        assert wait_for_ready(handheld) == NO_TABLE

    def test_a_line_of_rules(self) -> None:
        numbers = [SPRINT + 1, 10, 0, 1, 0]
        handheld = make()
        handheld.open("rules.line_menu", (numbers, -1, False), frames=3)
        assert handheld.scene.notes[0] == b"BY THESE RULES|" + TOLD
        handheld.compare_at_rest("rules_line_menu_quick")
        handheld.tap(A)
        assert wait_for_ready(handheld) == TOLD

    def test_a_line_that_is_loaded(self) -> None:
        handheld = make()
        handheld.open("rules.line_menu", ([SPRINT + 1, 10, 0, 1, 0], -1, False), frames=3)
        choose(handheld, b"LOAD")
        handheld.wait_until(lambda: handheld.name == "menus.main")
        assert handheld.scene.notes[handheld.scene.at] == b"BY YOUR OPTIONS|" + TOLD

    def test_a_line_of_a_match_names_its_delays(self) -> None:
        handheld = make()
        handheld.open("rules.line_menu", ([0, 10, 0, 1, 0], -1, False), frames=3)
        assert handheld.scene.notes[0].endswith(b"|DELAYS NONE")
        handheld.open("rules.line_menu", ([0, 108, 1], -1, False), frames=3)
        assert b"DELAYS" not in handheld.scene.notes[0]

    def test_a_new_game_beside_one_in_progress(self) -> None:
        handheld = make(variant=SPRINT, **QUICK)
        handheld.session.hold_game(object())
        handheld.open("menus.main", frames=2)
        choose(handheld, b"SPRINT")
        choose(handheld, b"NEW GAME")
        assert wait_for_ready(handheld) == TOLD

    @pytest.mark.parametrize("restart", ["line", "held"])
    def test_a_restart_after_the_options_have_changed(self, restart: str) -> None:
        handheld = make(variant=SPRINT)
        handheld.tap(A)
        assert wait_for_ready(handheld) == b""
        handheld.wait_until(handheld.scene.is_playing)
        set_delays(handheld.settings, NONE)
        old = handheld.scene
        if restart == "line":
            handheld.follow(START, DOWN, A, frames=2)
        else:
            handheld.move(START, 1, 16, 60)
        assert handheld.scene is not old
        assert wait_for_ready(handheld) == TOLD

    def test_a_finesse_drill(self) -> None:
        handheld = make("learn.menu", generation_ms=1000)
        choose(handheld, b"FINESSE")
        wait_for_ready(handheld)
        assert handheld.session.variant == FINESSE

    def test_the_worst_piece(self) -> None:
        handheld = make("against.menu", invisible=1)
        choose(handheld, b"WORST 2")
        handheld.follow(A)
        assert wait_for_ready(handheld) == NO_TABLE and handheld.session.variant == WORST

    def test_the_daily_game_always_has_its_table(self) -> None:
        handheld = make("menus.choose_day", variant=DAILY, **QUICK, modern=7, invisible=2, one_switch=0)
        handheld.session.choose_variant(DAILY)
        handheld.tap(A)
        assert wait_for_ready(handheld) == b""

    @pytest.mark.parametrize("changed", [False, True])
    def test_start_held_after_a_game_of_another_class(self, changed: bool) -> None:
        """At once if the class is that of the game that ended; else with READY, which names it."""
        handheld = make(variant=SPRINT, **QUICK)
        handheld.tap(A)
        assert wait_for_ready(handheld) == TOLD
        handheld.wait_until(handheld.scene.is_playing)
        if changed:
            set_delays(handheld.settings, SHORT)
            handheld.settings.invisible = 1
        lose(handheld)
        old = handheld.scene
        handheld.move(START, 1, 16, HELD_MS // 16 + 3)
        handheld.wait_until(lambda: handheld.scene is not old and handheld.name == "play.play")
        if changed:
            assert wait_for_ready(handheld) == NO_TABLE
        else:
            handheld.step(16)
            assert handheld.scene.is_playing() and not handheld.scene.cover


class TestAllOptions:
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_ready_says_the_class_of_every_option_and_of_any_two(self, variant: int) -> None:
        record = find(variant)
        handheld = make()
        for chosen in [{}, *ALONE, *random.Random(variant).sample(PAIRS, 12)]:
            handheld.settings.reset()
            for name, value in chosen.items():
                if name != "one_switch":  # its cursor needs no presses here
                    setattr(handheld.settings, name, value)
            handheld.session.choose_variant(variant)
            handheld.open("play", frames=3)
            told = wait_for_ready(handheld)
            options = choose_next(handheld.settings, record)
            assert told == describe_class(options, record), (variant, chosen)
            handheld.open("menus.title", frames=2)

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_menus_say_what_the_game_says(self, variant: int) -> None:
        """Every option and all pairs, for every aim: the menu's words are those of the game that it begins."""
        record = find(variant)
        usual = [each[4] for each in list_offers(Settings(), record)[0]]
        for chosen in [{}, *ALONE, *PAIRS]:
            settings = Settings()
            for name, value in chosen.items():
                setattr(settings, name, value)
            settings.garbage_rows = 0
            for (aim, *_rest, note), own in zip(list_offers(settings, record)[0], usual, strict=True):
                settings.aim = aim
                options = choose_next(settings, record)
                begun = choose_next(settings, record)
                if settings.one_switch:
                    slow_down(begun, make_mode(variant), settings.one_switch)
                words = describe_class(options, record)
                assert note == (b"BY YOUR OPTIONS|" + words if words else own)
                assert describe_class(begun, record) == words, (variant, chosen)

    @pytest.mark.slow
    def test_a_line_says_what_its_game_says(self) -> None:
        draw = random.Random(53)
        seen = set()
        handheld = make()
        for _ in range(2000):  # Sprint 40 with nothing but its delays is rare
            variant = draw.choice([each for each in VARIANTS if list_choices([find(each)])])
            numbers = [variant + 1]
            last = -1
            for place, name, _least, _most, default, _line, _words in rules.list_places(variant + 1):
                if name in OPTIONS and draw.random() < 0.3:
                    value = draw.choice(OPTIONS[name])
                    if value != default:
                        numbers += [place - last, value]
                        last = place
            handheld.settings.reset()
            told = describe_game(numbers, handheld.settings)
            rules.apply(numbers, handheld.settings)
            handheld.session.choose_variant(variant)
            words = describe_class(choose_next(handheld.settings, find(variant)), find(variant))
            assert told == (b"BY THESE RULES|" + words if words else b"")
            seen.add(words)
        assert {b"", NO_TABLE, TOLD, b"TABLE|MARATHON INVIS"} <= seen


class TestPictures:
    @pytest.mark.parametrize(
        ("name", "variant", "settings"),
        [("quick", SPRINT, QUICK), ("none", ZEN, {"slow": 1}), ("large", MARATHON, {"invisible": 1, "large_cells": 1})],
    )
    def test_ready(self, name: str, variant: int, settings: dict[str, Any]) -> None:
        handheld = make(**settings)
        handheld.session.choose_variant(variant)
        handheld.open("play", frames=3)
        wait_for_ready(handheld)
        handheld.compare_at_rest(f"play_ready_{name}")

    def test_the_words_vanish_as_the_game_begins(self) -> None:
        pictures = []
        for told in (QUICK, dict[str, Any]()):
            handheld = make(**told)
            handheld.session.choose_variant(SPRINT)
            handheld.session.choose_seed(5)
            handheld.open("play", frames=3)
            wait_for_ready(handheld)
            handheld.wait_until(handheld.scene.is_playing)
            pictures.append(handheld.step(0, 6))
        assert pictures[0] == pictures[1]
