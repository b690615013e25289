"""The times at each tenth line of the best Sprint are kept, and the next Sprint compares with them (save/splits.py)."""

from typing import Any

import pytest

from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.options import Options
from firmware.modes.catalogue import SPRINT, make_mode
from firmware.modes.classes import EASED, USUAL
from firmware.save.journal import SPLITS, Journal
from firmware.save.scores import find_splits
from firmware.save.splits import keep_splits
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.records import save


@pytest.fixture
def journal() -> Journal:
    return Journal([RamStore(), RamStore()])


def race(aim: int, clears: list[tuple[int, int]]) -> Game:
    """Return a Sprint with these Line Clears: time in ms, number of lines."""
    options = Options()
    options.aim = aim
    game = Game(1, options, make_mode(SPRINT))
    for time_ms, lines in clears:
        game.time_ms, game.cleared = time_ms, lines
        game.lines += lines
        game.mode.complete(game)
    return game


def finish(aim: int, pace_ms: int) -> Game:
    """Return a finished Sprint with a Tetris every `pace_ms`."""
    return race(aim, [(pace_ms * i, 4) for i in range(1, (aim or 40) // 4 + 1)])


def test_a_sprint_notes_when_it_reaches_or_passes_a_tenth_line() -> None:
    game = race(0, [(1000, 4), (2000, 4), (3000, 1), (4000, 1), (5000, 1), (6000, 4), (7000, 4), (8000, 2)])
    mode: Any = game.mode
    assert mode.splits == [4000, 8000, 0] and game.goal == 19


def test_the_times_of_the_best_game_of_each_length_are_kept(journal: Journal) -> None:
    for game in (finish(0, 1000), finish(20, 900), finish(100, 800), finish(0, 700)):
        assert game.over == AIM_REACHED
        keep_splits(journal, game, USUAL)
    assert find_splits(journal, 40, USUAL, 7_000) == [2100, 3500, 5600]
    assert find_splits(journal, 20, USUAL, 4_500) == [2700]
    assert len(find_splits(journal, 100, USUAL, 20_000)) == 9
    assert find_splits(journal, 40, USUAL, 10_000) == [], "these are of another game than the best"


def test_the_times_of_each_class_are_kept_beside_the_usual_ones(journal: Journal) -> None:
    keep_splits(journal, finish(0, 1000), USUAL)
    keep_splits(journal, finish(0, 600), EASED)
    assert find_splits(journal, 40, USUAL, 10_000) == [3000, 5000, 8000]
    assert find_splits(journal, 40, EASED, 6_000) == [1800, 3000, 4800]
    assert find_splits(journal, 40, USUAL, 6_000) == find_splits(journal, 40, EASED, 10_000) == []


def test_the_times_of_four_lengths_are_kept(journal: Journal) -> None:
    for aim in (20, 40, 100, 60, 80):
        keep_splits(journal, finish(aim, 500), USUAL)
    assert [bool(find_splits(journal, aim, USUAL, aim * 125)) for aim in (20, 40, 100, 60, 80)] == [False, *[True] * 4]


def test_a_resumed_or_very_long_sprint_keeps_no_times(journal: Journal) -> None:
    resumed = finish(0, 1000)
    mode: Any = resumed.mode
    mode.splits[0] = 0
    keep_splits(journal, resumed, USUAL)
    keep_splits(journal, finish(400, 100), USUAL)
    assert len(journal.read(SPLITS)) == 0


@pytest.mark.parametrize("record", [b"\x07\x28", b"\x01\x28\x90", b"\x01\x00\x00", b"\x01\xff\xff\xff\xff\x7f\x00"])
def test_a_damaged_record_gives_no_times(journal: Journal, record: bytes) -> None:
    save(journal, SPLITS, record)
    assert find_splits(journal, 40, USUAL, 0x10) == []


@pytest.mark.parametrize("large", [0, 1])
def test_the_next_sprint_compares_with_the_best_one(large: int) -> None:
    handheld = Handheld(first="menus.title", store=[RamStore(), RamStore()])
    handheld.session.choose_variant(SPRINT)
    handheld.settings.large_cells = large
    handheld.session.counts_down = False
    handheld.open("play", frames=2)
    mode, game = handheld.game.mode, handheld.game
    mode.splits, game.lines, game.time_ms = [11_000, 22_000, 33_000], 40, 45_000
    game.end(AIM_REACHED)
    handheld.step(16, 6)
    handheld.open("play", frames=2)
    assert handheld.scene.view.best == 45_000 and handheld.scene.view.splits == [11_000, 22_000, 33_000]
