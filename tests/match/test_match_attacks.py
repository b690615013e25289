"""Tables of attacks with combos, all-clears and long Back-to-Backs (tools/bots/README.md, "Tables of attacks")."""

from firmware.match.combos import count_all
from firmware.match.tables import parse

ROWS = b"table: trial\nnone: 0 1 2 4+1\nmini: 0+0 1+1 2+1 4+1\nfull: 2+1 4+1 6+1 6+1\n"
NO_SPIN, FULL = 0, 2


def count(words: bytes, spun: int, lines: int, chain: int = 0, combo: int = 0, empty: int = 0) -> int:
    return count_all(parse(ROWS + words), spun, lines, chain, combo, empty)


def test_without_words_a_row_and_back_to_back_count() -> None:
    assert [count(b"", NO_SPIN, lines) for lines in (1, 2, 3, 4)] == [0, 1, 2, 4]
    assert count(b"", NO_SPIN, 4, chain=1) == 5 and count(b"", FULL, 2, chain=9) == 5


def test_a_combo_adds_the_number_of_its_place_and_the_last_for_longer_ones() -> None:
    assert [count(b"combo: 0 1 3", NO_SPIN, 2, combo=combo) for combo in (0, 1, 2, 9)] == [1, 2, 4, 4]


def test_a_combo_sends_at_least_the_number_of_its_place() -> None:
    assert [count(b"least: 0 2", NO_SPIN, lines, combo=5) for lines in (1, 3, 4)] == [2, 2, 4]


def test_a_combo_multiplies_by_percents_up_to_the_end_of_the_longer_list() -> None:
    assert [count(b"times: 25\ncombo: 0 0 0 0 0", NO_SPIN, 4, combo=combo) for combo in (0, 1, 4, 9)] == [4, 5, 8, 8]


def test_long_back_to_backs_grow() -> None:
    assert [count(b"combo: 0\ngrow: 1000 2500", NO_SPIN, 4, chain) for chain in (0, 1, 2, 7)] == [4, 5, 6, 6]


def test_an_all_clear_is_sent_beside_or_instead_of_the_rest() -> None:
    assert count(b"all-clear: 10", NO_SPIN, 4, empty=1) == 14 and count(b"all-clear: 10", NO_SPIN, 4) == 4
    assert count(b"all-clear: 10\nalone: 1", NO_SPIN, 4, empty=1) == 10
