"""The rules CUSTOM of a match: firmware/modes/README.md, 18.9 to 18.12."""

import itertools
import random
from typing import Any

import pytest

from firmware.engine.extra_rules import ExtraRulesGame
from firmware.match.options import CUSTOM, CUSTOM_COUNTS, MatchOptions
from firmware.match.tables import split
from firmware.players.computers import make_players
from firmware.save import match_choices, rules, rules_line
from firmware.save.match_choices import (
    COUNTS,
    OWN,
    OWN_LINES,
    RULES,
    STRONGER,
    TEAMS,
    pack_link,
    unpack_link,
    write_choice,
)
from firmware.save.settings import Settings
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from sim.bots.attacks import find_attacks, find_rules, name_rules
from sim.cli import main
from tests.support.arena import Arena, clear_rows
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import DOWN, LEFT, RIGHT, A, B
from tests.support.handhelds.ring_harness import RingHarness, check_by_one_device

NAMES = ("combo", "back", "clear", "spins", "half", "cap", "mess", "blocking")
MODERN = dict(zip(NAMES, (1, 1, 2, 2, 1, 2, 1, 1), strict=True))
CHAIN = 2
END = len(COUNTS)


def number(**chosen: int) -> int:
    """Return the option of a match with some rules of CUSTOM; the others are those of GUIDELINE."""
    packed = 0
    for name, count in reversed(list(zip(NAMES, CUSTOM_COUNTS, strict=True))):
        assert 0 <= chosen.get(name, 0) < count
        packed = packed * count + chosen.get(name, 0)
    return CUSTOM + packed


class TestTable:
    @pytest.mark.parametrize(("name", "chosen"), [("guideline", {}), ("modern", MODERN)])
    def test_18_9_both_other_rules_are_among_its_choices(self, name: str, chosen: dict[str, int]) -> None:
        other, own = find_attacks(name), find_attacks(name_rules(number(**chosen)))
        for case in itertools.product(range(3), range(1, 5), range(12), range(16), (False, True)):
            assert own.count_lines(*case) == other.count_lines(*case), case

    @pytest.mark.parametrize(
        ("combo", "sent"),
        [
            (0, [0] * 15),
            (1, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5]),
            (2, [0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4]),
        ],
    )
    def test_18_9_a_combo_adds_lines_by_its_table(self, combo: int, sent: list[int]) -> None:
        arena = Arena(rules=number(combo=combo))
        assert [clear_rows(arena, 1, "#####....#\n") for _ in range(len(sent))] == sent

    @pytest.mark.parametrize(
        ("back", "more"),
        [
            (0, [0, 1, 1, 1]),
            (1, [0, 1, 1, 1]),
            (CHAIN, [0, 1, 1, 2, 2, 2, 2, 2, 3, 3]),
            (3, [0, 0, 0, 0]),
        ],
    )
    def test_18_9_a_back_to_back_adds_lines(self, back: int, more: list[int]) -> None:
        arena = Arena(rules=number(back=back), play_animate_ms=0)
        assert [clear_rows(arena, 4, "#####....#\n") - 4 for _ in more] == more

    def test_18_9_by_guide_a_mini_single_adds_none(self) -> None:
        sent = [find_attacks(name_rules(number(back=back))).count_lines(1, 1, 1, 0, False) for back in range(4)]
        assert sent == [0, 1, 1, 0]

    @pytest.mark.parametrize(("clear", "sent"), [(0, 4), (1, 9), (2, 14)])
    def test_18_9_an_all_clear_adds_lines(self, clear: int, sent: int) -> None:
        assert clear_rows(Arena(rules=number(clear=clear)), 4) == sent

    def test_18_9_every_number_has_a_table_of_small_numbers(self) -> None:
        for packed in range(0, 3888, 7):
            attacks = find_attacks(f"custom-{packed}")
            assert find_rules(attacks.name) == CUSTOM + packed and max(attacks.numbers) <= 3000

    @pytest.mark.parametrize("name", ["custom-3888", "custom-", "custom-x", "custom--1"])
    def test_18_9_another_name_gets_one_line(self, name: str) -> None:
        with pytest.raises(
            ValueError, match=r"^there are no rules 'custom.*known are guideline, modern and custom-0 to"
        ):
            find_attacks(name)


class TestMatch:
    @pytest.mark.parametrize(("spins", "half"), [(0, 0), (1, 0), (2, 1)])
    def test_18_10_all_players_have_its_spins_and_half_turns(self, spins: int, half: int) -> None:
        arena = Arena(rules=number(spins=spins, half=half), players=3, play_modern=7, play_spins=1, who=0x100)
        for player in range(3):
            game = arena.game(player)
            assert type(game) is ExtraRulesGame
            assert (game.options.spins, game.options.modern) == (spins, 2 * half)

    @pytest.mark.parametrize(("cap", "risen"), [(0, [19]), (1, [4, 8, 12, 16, 19]), (2, [8, 16, 19])])
    def test_18_11_so_many_lines_rise_at_most(self, cap: int, risen: list[int]) -> None:
        arena = Arena(rules=number(cap=cap))
        arena.attack(1, 19)
        found = []
        for _ in risen:
            arena.draw(1, "..........\n" * 39)
            arena.drop(1)
            found.append(arena.seats[1].received)
        assert found == risen

    @pytest.mark.parametrize(("blocking", "received"), [(0, 5), (1, 0)])
    def test_18_11_a_line_clear_may_hold_them_back(self, blocking: int, received: int) -> None:
        arena = Arena(rules=number(blocking=blocking))
        arena.attack(0, 6)
        clear_rows(arena, 2, "#####....#\n")
        assert (arena.seats[0].countered, arena.seats[0].received) == (1, received)

    @pytest.mark.parametrize(("mess", "runs"), [(0, [8, 4]), (1, [3, 1, 8]), (2, [1] * 12)])
    def test_18_11_the_gap_moves(self, mess: int, runs: list[int]) -> None:
        arena = Arena(rules=number(mess=mess), seed=3)
        gaps: list[int] = []
        for lines in (3, 1, 8):
            arena.attack(1, lines)
            arena.drop(1)
            gaps += reversed(arena.gaps(1)[-lines:]) if mess == 2 else arena.gaps(1)[-lines:]
            arena.draw(1, "..........\n" * 39)
        assert [len([*group]) for _gap, group in itertools.groupby(gaps)] == runs

    @pytest.mark.parametrize(("rules", "combos"), [(0, 0), (1, 1), (number(), 0), (number(combo=1), 1)])
    def test_18_8_computers_count_combos_if_the_rules_do(self, rules: int, combos: int) -> None:
        arena = Arena(rules=rules, who=0x30)
        assert make_players(arena.match, 1)[1].beam.modern == combos

    @pytest.mark.parametrize(
        "chosen",
        [
            {"back": CHAIN, "combo": 2, "clear": 1},
            {"spins": 1, "mess": 2, "cap": 1},
            {"spins": 2, "half": 1, "back": CHAIN, "mess": 1, "blocking": 1},
        ],
    )
    @pytest.mark.no_cover
    def test_18_12_a_linked_match_is_equal_on_both(self, chosen: dict[str, int]) -> None:
        for seed in (3, 9):
            ring = RingHarness(2, seed, rules=number(**chosen), starting=6, quicken_s=15)
            ring.seat_computers(5, 4)
            ring.finish()
            assert all(not side.match.guilty for side in ring.sides)
            assert all(seat.received and seat.countered for seat in ring.sides[0].match.seats), "there are attacks"
            check_by_one_device(ring, [side.match.choices[side.match.me] for side in ring.sides])

    def test_18_12_the_length_of_a_far_sequence_is_followed(self) -> None:
        ring = RingHarness(2, 1, rules=number(back=CHAIN))
        ring.run(lambda: all(side.session for side in ring.sides))
        match: Any = ring.sides[0].match
        seat = match.seats[1 - match.me]
        sent = [4, 5, 5, 6, 6, 6, 6, 6, 7, 7]
        for lines in sent:
            event = bytearray(16)
            event[4], event[7] = 1 << 5, lines + 1
            assert not seat.find_chains(0, 4, event, 0), "one more is a lie"
            event[7] = lines
            seat.game.chain = seat.find_chains(0, 4, event, 0)
            assert seat.game.chain
        event[7] = 0
        assert seat.find_chains(0, 1, event, 0) == 1, "a Single ends it"


class TestChoices:
    def test_18_12_a_link_packs_every_choice_into_its_wish(self) -> None:
        chance = random.Random(56)
        for _ in range(2000):
            choices = match_choices.read(Settings())
            for place in (*range(TEAMS, STRONGER), *range(RULES, END)):
                choices[place] = chance.randrange(COUNTS[place])
            wish = pack_link(choices)
            found = unpack_link(wish)
            packed = [*range(TEAMS, STRONGER), *range(RULES, END if choices[RULES] == CUSTOM else OWN)]
            assert wish < 1 << 29 and [found[place] for place in packed] == [choices[place] for place in packed]

    @pytest.mark.parametrize("wish", [0, (1 << 29) - 1, (1 << 30) - 1])
    def test_18_12_any_wish_of_another_device_has_rules(self, wish: int) -> None:
        choices = unpack_link(wish)
        assert all(choices[place] < COUNTS[place] for place in range(END))
        assert match_choices.make_options(choices).rules < CUSTOM + 3888

    def test_18_9_the_settings_keep_them_beside_other_rules(self) -> None:
        settings = Settings()
        choices = match_choices.read(settings)
        choices[RULES] = CUSTOM
        choices[OWN + 2] = 1
        match_choices.save(settings, choices)
        assert match_choices.make_options(match_choices.read(settings)).rules == number(clear=1)
        choices[RULES] = 1
        match_choices.save(settings, choices)
        assert match_choices.make_options(match_choices.read(settings)).rules == 1
        assert match_choices.read(settings)[OWN + 2] == 1

    def test_18_9_digits_have_the_order_of_the_lines(self) -> None:
        assert len(OWN_LINES.split(b"|")) == len(CUSTOM_COUNTS) == END - OWN
        for packed in (0, 1, 1234, 3887):
            choices = bytearray(END)
            match_choices.set_own(choices, packed)
            assert choices[OWN:] == split(CUSTOM + packed)
        for place in range(OWN, END):
            words = [write_choice(bytes([value] * END), place) for value in range(COUNTS[place])]
            assert len(set(words)) == len(words)

    def test_18_9_a_line_of_rules_carries_them(self, capsys: pytest.CaptureFixture[str]) -> None:
        settings = Settings()
        choices = match_choices.read(settings)
        choices[RULES] = CUSTOM
        for place, value in ((OWN, 2), (OWN + 3, 1), (OWN + 7, 1)):
            choices[place] = value
        match_choices.save(settings, choices)
        line = rules_line.write(rules.collect(settings, 1))
        other = Settings()
        rules.apply(rules_line.read(line), other)
        assert (other.rules, other.custom) == (CUSTOM, settings.custom)
        assert main(["--rules", line, "--explain"]) == 0
        assert capsys.readouterr().out.splitlines() == [
            "A MATCH",
            "RULES CUSTOM",
            "COMBO MODERN",
            "SPINS T STUCK",
            "BLOCK YES",
        ]

    def test_18_9_a_line_with_other_rules_leaves_them(self) -> None:
        settings = Settings()
        settings.custom = 77
        line = rules_line.write(rules.collect(settings, 1))
        assert line == rules_line.write(rules.collect(Settings(), 1))
        rules.apply(rules_line.read(line), settings)
        assert (settings.rules, settings.custom) == (0, 77)

    def test_18_9_the_numbers_of_a_match_have_an_end(self) -> None:
        from firmware.match.fields import FIELDS

        assert [row for row in FIELDS if row[0] == "rules"] == [("rules", 0, CUSTOM + 3887, 0)]
        assert MatchOptions().rules == 0


class TestPages:
    def open(self) -> Handheld:
        handheld = Handheld(first="menus.title")
        handheld.open("match.rules", ms=0, frames=2)
        handheld.go_down_to(b"RULES")
        return handheld

    def test_18_9_choosing_custom_shows_its_page(self) -> None:
        handheld = self.open()
        handheld.follow(A, A, frames=4)
        assert handheld.name == "match.custom"
        handheld.compare_at_rest("match_custom")
        handheld.tap(RIGHT, DOWN, LEFT, LEFT, DOWN, A, A)
        chosen = match_choices.make_options(match_choices.read(handheld.settings))
        assert chosen.rules == number(combo=1, back=CHAIN, clear=2)
        handheld.compare_at_rest("match_custom_chosen")
        handheld.follow(B, frames=4)
        assert (handheld.name, handheld.scene.lines[handheld.scene.at]) == ("match.rules", b"CUSTOM...")

    def test_18_9_a_change_on_the_page_chooses_custom(self) -> None:
        handheld = self.open()
        handheld.follow(DOWN, A, frames=4)
        handheld.tap(LEFT)
        assert match_choices.make_options(match_choices.read(handheld.settings)).rules == number(combo=2)

    def test_18_9_its_notes_describe_each_value(self) -> None:
        handheld = self.open()
        handheld.follow(DOWN, A, frames=4)
        scene = handheld.scene
        assert handheld.settings.rules == 0 and len(scene.records) <= 8
        for at, (title, note) in enumerate(scene.records):
            notes = note.split(b"/")
            assert len(notes) == CUSTOM_COUNTS[at] and len(title) <= 10
            for each in notes:
                lines = each.split(b"|")
                assert len(lines) <= 3 and all(text_width(line, FONT_3X5) <= 64 for line in lines), each
