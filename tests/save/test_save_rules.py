"""Rules as a line (firmware/save/README.md): the numbers, the line and its check, the lines kept."""

import random
from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.engine.options import ALL_SPINS
from firmware.modes.catalogue import DAILY, FINESSE, MARATHON, PUZZLE, SPRINT, STANDARD, ULTRA
from firmware.option_table import GAME_FIELDS, list_handling
from firmware.save import kept_rules, match_choices, rules, rules_line
from firmware.save.journal import Journal
from firmware.save.presets import FAST, find_preset, handle
from firmware.save.rules import CHOICES, MATCH, NO_SEED, OPTIONS, SEED
from firmware.save.settings import Settings
from tests.support.flash import RamStore
from tests.support.records import LONGEST_BYTES, save
from tests.support.variants import DIG, TEST_SPEC

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SPRINT_LINE = "SKY1-22310-228M6-VE3Y"
SPRINT_NUMBERS = [2, 2, 3, 1, 0, 2, 2, 8, 100]  # mode 1; next_count 3, hold_on 0, lock_rule 2, aim 100
MODES = (MARATHON, SPRINT, ULTRA, STANDARD, DIG, FINESSE, DAILY)
NUMBERS = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=6)


def values_of(fields: object) -> st.SearchStrategy[list[int]]:
    return st.tuples(*(st.integers(least, most) for _place, _name, least, most, *_rest in fields)).map(list)  # type: ignore[attr-defined]


@st.composite
def chance_settings(draw: st.DrawFn) -> Settings:
    """Return settings that the menus can make: the aim and the level are those of the mode."""
    settings = Settings()
    for field, value in zip(OPTIONS, draw(values_of(OPTIONS)), strict=True):
        setattr(settings, field[1], value)
    settings.modern &= ~ALL_SPINS  # only an older version set this bit
    settings.variant, settings.aim = draw(st.sampled_from([(MARATHON, 1), (SPRINT, 20), (STANDARD, 1), (DIG, 0)]))
    settings.level = min(settings.level, 10)
    choices = bytearray(draw(st.integers(0, count - 1)) for count in match_choices.COUNTS)
    settings.versus = match_choices.pack(choices)
    return settings


def change_all() -> Settings:
    """Return settings without a default, each value as long as possible."""
    settings = Settings()
    for _place, name, least, most, default, _line, _words in OPTIONS:
        setattr(settings, name, most if most != default else least)
    choices = match_choices.unpack(settings.versus)
    changed = [(choice + 1) % count for choice, count in zip(choices, match_choices.COUNTS, strict=True)]
    settings.versus = match_choices.pack(bytes(changed))
    settings.variant = DAILY
    return settings


def multiply(a: int, b: int) -> int:
    """Return the product in GF(32) with x^5 + x^2 + 1, by long division."""
    product = 0
    for bit in range(5):
        product ^= (a << bit) * (b >> bit & 1)
    for bit in range(8, 4, -1):
        product ^= (0b100101 << bit - 5) * (product >> bit & 1)
    return product


def evaluate(line: str, z: int) -> int:
    """Return the value at z of a line's polynomial."""
    value = 0
    for letter in line.replace("-", ""):
        value = multiply(value, z) ^ LETTERS.index(letter)
    return value


def is_read(line: str) -> bool:
    """Return whether a line has numbers, right or wrong."""
    try:
        return bool(rules_line.read(line))
    except ValueError:
        return False


def fault(line: str) -> str:
    with pytest.raises(ValueError, match=r"^[^\n]{5,70}$") as caught:
        rules.check(rules_line.read(line))
    return str(caught.value)


class TestNumbers:
    def test_shared_are_all_options_of_a_game_without_the_handling(self) -> None:
        names = {field[0] for field in GAME_FIELDS}
        assert {field[1] for field in OPTIONS} == names - set(list_handling()) - {"edition"}
        assert [GAME_FIELDS[field[0]] for field in OPTIONS] == [tuple(field[1:5]) for field in OPTIONS]

    def test_only_options_that_differ_are_written(self) -> None:
        settings = Settings()
        assert rules.collect(settings, False) == [1] and rules.collect(settings, True) == [MATCH]
        settings.variant, settings.aim, settings.next_count, settings.hold_on, settings.lock_rule = SPRINT, 100, 3, 0, 2
        assert rules.collect(settings, False) == SPRINT_NUMBERS

    def test_a_match_has_its_choices_but_no_aim_and_no_starting_blocks(self) -> None:
        settings = Settings()
        settings.aim, settings.garbage_rows, settings.ghost_on = 40, 7, 0
        choices = match_choices.unpack(settings.versus)
        choices[match_choices.WINS] = 3
        settings.versus = match_choices.pack(choices)
        assert rules.collect(settings, True) == [MATCH, 4, 0, CHOICES + match_choices.WINS - 3, 3]

    @given(chance_settings(), st.booleans(), st.sampled_from([NO_SEED, 0, 2**30 - 1]))
    def test_a_line_gives_other_settings_the_same_rules(self, own: Settings, matched: bool, seed: int) -> None:
        seed = NO_SEED if matched else seed
        line = rules_line.write(rules.collect(own, matched, seed))
        other = Settings()
        handle(other, FAST)
        other.next_count, other.garbage_rows, other.versus = 1, 3, 5
        assert rules.apply(rules_line.read(line), other) == seed
        assert rules_line.write(rules.collect(other, matched, seed)) == line
        assert find_preset(other) == FAST and other.last_match == matched
        assert other.garbage_rows == (3 if matched or own.variant == STANDARD else own.garbage_rows), "3 where unknown"

    @pytest.mark.parametrize(
        ("numbers", "says"),
        [
            ([99], "made by a newer Skyline"),
            ([1, 7, 3], "made by a newer Skyline"),  # place 6 is handling
            ([1, 3, 0, 0, 1], "made by a newer Skyline"),
            ([1, 200, 1], "made by a newer Skyline"),
            ([1, 102, 1], "made by a newer Skyline"),  # a choice of a match
            ([0, 13, 1], "match has no rule AIM"),
            ([FINESSE + 1, 12, 5], "finesse has no rule BLOCKS"),
            ([DAILY + 1, 12, 5], "daily has no rule BLOCKS"),
            ([0, 101, 1], "made by a newer Skyline"),  # the seed, in a match
            ([1, 2], "made by a newer Skyline"),
            ([1, 2, 7], "NEXT is 7, allowed is 1 to 6"),
            ([1, 2, 0], "NEXT is 0, allowed is 1 to 6"),
            ([1, 101, 2**30], "SEED is 1073741824, allowed is 0 to 1073741823"),
            ([0, 102, 3], "CHOICE is 3, allowed is 0 to 2"),
            ([STANDARD + 1, 1, 11], "LEVEL is 11, allowed is 1 to 10"),
            ([SPRINT + 1, 13, 33], "this mode has no aim 33"),
            ([PUZZLE + 1], "this mode has no rules to share"),
        ],
    )
    def test_numbers_that_no_menu_makes_are_refused(self, numbers: list[int], says: str) -> None:
        assert fault(rules_line.write(numbers)) == says

    def test_a_refused_line_changes_nothing(self) -> None:
        settings = Settings()
        with pytest.raises(ValueError, match="NEXT"):
            rules.apply([SPRINT + 1, 1, 9, 1, 7], settings)
        assert vars(settings) == vars(Settings())

    @pytest.mark.parametrize(("variant", "last"), [(STANDARD, 10), (TEST_SPEC, 10), (MARATHON, 15), (SPRINT, 15)])
    def test_the_level_of_another_mode_is_cut_to_the_modes_last(self, variant: int, last: int) -> None:
        settings = Settings()
        settings.variant, settings.level = variant, 15
        assert rules.check(rules.collect(settings, False))[rules.LEVEL] == last


class TestLine:
    def test_lines_are_as_the_readme_prints_them(self) -> None:
        assert rules_line.write([1]) == "SKY1-1AFZ0"
        assert rules_line.write(SPRINT_NUMBERS) == SPRINT_LINE

    @given(NUMBERS)
    def test_numbers_come_back(self, numbers: list[int]) -> None:
        assert rules_line.read(rules_line.write(numbers)) == numbers

    @given(NUMBERS)
    def test_a_line_leaves_the_seal_by_the_generator(self, numbers: list[int]) -> None:
        line = rules_line.write(numbers)
        seal = "BGD7"  # 11, 16, 13, 7
        assert [evaluate(line, z) for z in (2, 4, 8, 16)] == [evaluate(seal, z) for z in (2, 4, 8, 16)]

    @pytest.mark.parametrize("matched", [False, True])
    def test_the_longest_lines_have_room(self, matched: bool) -> None:
        line = rules_line.write(rules.collect(change_all(), matched, NO_SEED if matched else 2**30 - 1))
        assert len(line) <= 77 and rules_line.read(line)

    def test_too_many_numbers_are_refused(self) -> None:
        with pytest.raises(ValueError, match="too many"):
            rules_line.write([1] * 57)

    @pytest.mark.parametrize(
        "line",
        [SPRINT_LINE.lower(), SPRINT_LINE.replace("-", ""), " sky1 22310\n228M6\r\n\tVE3Y ", "--".join(SPRINT_LINE)]
        + [SPRINT_LINE.replace("1", "I"), SPRINT_LINE.replace("1", "l"), SPRINT_LINE.replace("0", "o")],
    )
    def test_a_reader_is_lenient(self, line: str) -> None:
        assert rules_line.read(line) == SPRINT_NUMBERS

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            ("", "a line begins with SKY1-"),
            ("SK", "a line begins with SKY1-"),
            ("TKY1-1AFZ0", "a line begins with SKY1-"),
            ("SKY2-1AFZ0", "made by a newer Skyline"),
            ("SKY1", "a letter is wrong or missing"),
            ("SKY1-FZ0", "a letter is wrong or missing"),
            ("SKY1-1AFZU", "a line has no letter U"),
            ("SKY1-1AF:7", "a line has no letter :"),
            ("SKY1-1AF\u20ac7", "a line has no letter like that"),
            ("SKY1-\u0131AFZ0", "a line has no letter like that"),
        ],
    )
    def test_a_wrong_line_says_why(self, line: str, says: str) -> None:
        assert fault(line) == says

    @pytest.mark.parametrize("letters", [[16], [17, 16], [31] * 8 + [1]])
    def test_a_number_that_does_not_end_is_refused(self, letters: list[int]) -> None:
        body = bytes(map(LETTERS.index, "SKY1")) + bytes(letters)
        rest = rules_line.divide(body + bytes(4)) ^ 0x5C1A7
        line = "".join(LETTERS[each] for each in body + bytes(rest >> shift & 31 for shift in (15, 10, 5, 0)))
        assert fault(line) == "made by a newer Skyline"


@pytest.mark.no_cover  # reads tens of thousands of lines by code that the tests above cover
class TestCheck:
    @settings(max_examples=20)
    @given(chance_settings(), st.booleans())
    def test_every_wrong_letter_and_every_swap_is_noticed(self, own: Settings, matched: bool) -> None:
        line = rules_line.write(rules.collect(own, matched)).replace("-", "")
        wrong = {line[:at] + letter + line[at + 1 :] for at in range(len(line)) for letter in LETTERS}
        for one, two in combinations(range(len(line)), 2):
            swapped = list(line)
            swapped[one], swapped[two] = line[two], line[one]
            if two < one + 31:
                wrong.add("".join(swapped))
        wrong.discard(line)
        assert [each for each in wrong if is_read(each)] == []

    @settings(max_examples=20)
    @given(chance_settings(), st.booleans())
    def test_a_missing_or_further_letter_is_noticed(self, own: Settings, matched: bool) -> None:
        line = rules_line.write(rules.collect(own, matched)).replace("-", "")
        shorter = [line[:at] + line[at + 1 :] for at in range(len(line))]
        longer = [line[:at] + letter + line[at:] for at in range(5, len(line) + 1) for letter in LETTERS]
        assert [wrong for wrong in shorter + longer if is_read(wrong)] == []

    def test_four_wrong_letters_of_thirty_one_are_noticed(self) -> None:
        """The check is linear: four errors cancel if the columns of two errors add up to those of two others."""
        columns = [rules_line.divide(bytes([1]) + bytes(after)) for after in range(31)]
        scaled = []
        for column in columns:
            symbols = [column >> shift & 31 for shift in (15, 10, 5, 0)]
            scaled.append([sum(multiply(f, s) << 15 - 5 * i for i, s in enumerate(symbols)) for f in range(1, 32)])
        seen: set[int] = {0}
        count = 1
        for one, two in combinations(range(31), 2):
            pairs = {a ^ b for a in scaled[one] for b in scaled[two]}
            assert len(pairs) == 31 * 31
            seen |= pairs
            count += len(pairs)
        singles = {each for column in scaled for each in column}
        assert len(seen) == count and len(singles) == 31 * 31 and not seen & singles


def read_lines(record: bytes) -> list[tuple[bytes, list[int]]]:
    """Return the lines of a journal whose record of rules is this."""
    journal = Journal([RamStore()])
    save(journal, kept_rules.RULES, record)
    return kept_rules.read(journal)


class TestKept:
    def test_eight_of_the_longest_lines_are_kept_and_a_ninth_is_not(self) -> None:
        journal = Journal([RamStore(), RamStore()])
        longest = [rules.collect(change_all(), matched, -1 if matched else 2**30 - 1) for matched in (False, True)]
        names = [b"NAME %d" % i for i in range(8)]
        for i, name in enumerate(names):
            assert kept_rules.keep(journal, name, longest[i % 2])
        again = Journal(journal.stores)
        assert kept_rules.read(again) == [(name, longest[i % 2]) for i, name in enumerate(names)]
        assert not kept_rules.keep(again, b"NINTH ", [1])

    def test_a_line_of_the_same_name_is_replaced_and_one_is_deleted(self) -> None:
        journal = Journal([RamStore()])
        for name, numbers in ((b"ONE   ", [1]), (b"TWO   ", [0]), (b"ONE   ", SPRINT_NUMBERS)):
            assert kept_rules.keep(journal, name, numbers)
        assert kept_rules.read(journal) == [(b"ONE   ", SPRINT_NUMBERS), (b"TWO   ", [0])]
        assert kept_rules.delete(journal, 0) and kept_rules.read(journal) == [(b"TWO   ", [0])]

    def test_lines_before_a_damaged_one_are_kept(self) -> None:
        assert read_lines(b"\x01ONE   \x01\x01TWO   \x02\x01") == [(b"ONE   ", [1])]

    @pytest.mark.parametrize("record", [b"", b"\x02ONE   \x01\x01", b"\x01", b"\x01ONE", b"\x01ONE   \x02\x01"])
    def test_an_empty_cut_or_newer_record_has_no_lines(self, record: bytes) -> None:
        assert read_lines(record) == []

    @given(st.binary(max_size=LONGEST_BYTES))
    def test_any_bytes_are_read(self, record: bytes) -> None:
        for _name, numbers in read_lines(b"\x01" + record):
            with suppress(ValueError):
                rules.check(numbers)

    def test_a_torn_record_leaves_the_former_lines(self) -> None:
        journal = Journal([RamStore()])
        kept_rules.keep(journal, b"ONE   ", [1])
        end = journal.end
        kept_rules.keep(journal, b"TWO   ", SPRINT_NUMBERS)
        for at in range(end, journal.end):
            image = bytearray(journal.stores[0].image)
            image[at:] = b"\xff" * (len(image) - at)
            assert kept_rules.read(Journal([RamStore(image)])) == [(b"ONE   ", [1])]

    def test_without_a_working_store_nothing_is_kept(self) -> None:
        journal = Journal([])
        assert not kept_rules.keep(journal, b"ONE   ", [1]) and kept_rules.read(journal) == []

    def test_lines_that_exceed_a_record_are_not_kept(self) -> None:
        journal = Journal([RamStore()])
        kept_rules.keep(journal, b"ONE   ", [1])
        rng = random.Random(1)
        many = [(b"MANY  ", [rng.randrange(2**28) for _ in range(20)])] * 8
        assert not kept_rules.save(journal, many) and kept_rules.read(journal) == [(b"ONE   ", [1])]


def test_seed_and_choices_begin_where_no_option_of_a_game_is() -> None:
    assert max(field[0] for field in OPTIONS) < SEED < CHOICES
