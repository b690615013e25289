"""The bounds of room in every moment of a match, and forty pauses that each save the fattest one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.handhelds.board_console import bench, each_uf2, find_uf2, watch_heap
from tools.board import prepared
from tools.board.player import Player
from tools.board.ring import Ring
from tools.measure.room import matches, sets

pytestmark = [pytest.mark.board, each_uf2]
WITH_DEFAULTS = ("title", "one-computer", "two-hawks", "three-hawks", "linked")
FREE_BYTES, BLOCK_BYTES = 16_384, 6144
LEAST_FREE_BYTES, LEAST_BLOCK_BYTES = 8192, 4096  # with the fattest choices
# The rewriting of the journal takes a buffer of up to 4 KB out of the large block, so that it erases the flash once.
# What is left in one block depends on where the heap has put what came before: 0.8 to 6.9 KB were seen. The largest
# piece that is allocated beside the buffer is the longest record, of 464 bytes.
REWRITING_BLOCK_BYTES = 512
TWO_WINS = "WINS=2"  # first, for later rounds may need the 301st name of a match


def check(figures: matches.Figures, name: str, *moments: str) -> None:
    """Fail if a moment is missing, or leaves less than the bound of its set of options."""
    print("HEAP", figures)
    assert {*moments} <= figures.parts.keys()
    has_defaults = name in WITH_DEFAULTS
    free_bytes, block_bytes = (FREE_BYTES, BLOCK_BYTES) if has_defaults else (LEAST_FREE_BYTES, LEAST_BLOCK_BYTES)
    for moment, (free, block) in figures.least().items():
        least_block = block_bytes if has_defaults or moment != "rewriting" else REWRITING_BLOCK_BYTES
        assert free >= free_bytes and block >= least_block, (moment, free, block)


@contextmanager
def walk_through_a_match(uf2: Path | None, name: str, *choices: str) -> Iterator[matches.Walk]:
    """Yield the walk through a match with a set of options after a pause, and check at the end what it left."""
    handheld = bench(uf2).switch_on(prepared.read_choices((*sets.SETS[name], *choices)))
    with watch_heap(handheld) as figures:
        walk = matches.Walk(handheld, figures, sets.SETS[name])
        assert matches.measure_match(walk) == 1, "the buffer is smaller than what a rewriting changes"
        yield walk
    check(figures, name, "start", "play", "pause", "back from OPTIONS", "CONTINUE", "rewriting")


LONG_LINKED_SETS = ("linked", "linked-modern", "linked-custom")
LONG_SETS = ("one-computer", "modern", "custom", "modern-two", "modern-one")


@pytest.mark.parametrize(
    "name", ["three-hawks", "fattest", *(pytest.param(each, marks=pytest.mark.long) for each in LONG_SETS)]
)
def test_a_match_leaves_its_bound_in_every_transition(uf2: Path | None, name: str) -> None:
    with walk_through_a_match(uf2, name):
        pass


@pytest.mark.long
@pytest.mark.parametrize("name", ["three-hawks", "two-hawks", "fattest", "modern"])
def test_a_match_leaves_its_bound_between_its_rounds(uf2: Path | None, name: str) -> None:
    with walk_through_a_match(uf2, name, TWO_WINS) as walk:
        walk.finish()
        assert {"end of round", "next round", "results"} <= walk.figures.parts.keys()


@pytest.mark.parametrize(
    "name", ["linked-fattest", *(pytest.param(each, marks=pytest.mark.long) for each in LONG_LINKED_SETS)]
)
def test_a_linked_match_leaves_its_bound_in_every_moment(uf2: Path | None, name: str) -> None:
    choices = (*sets.LINKED_SETS[name], TWO_WINS)
    handhelds = [bench(uf2).switch_on(prepared.read_choices(choices), link=True) for _ in range(2)]
    with watch_heap(handhelds[0]) as figures:
        ring = Ring(handhelds)
        matches.measure_link(matches.Walk(handhelds[0], figures, choices, ring), ring)
    moments = ("start", "pause", "OPTIONS", "back from OPTIONS", "end of round", "next round", "results")
    check(figures, name, *moments)


def test_the_game_behind_the_title_leaves_the_bound_of_default_options(uf2: Path | None) -> None:
    handheld = bench(uf2).switch_on(prepared.read_choices(()))
    with watch_heap(handheld) as figures:
        matches.measure_title(matches.Walk(handheld, figures, ()))
    check(figures, "title", "start", "play")


@pytest.mark.parametrize("rules", [(sets.MODERN,), sets.DEAREST], ids=["modern", "custom"])
def test_rules_beside_the_fattest_options_are_refused_before_loading(uf2: Path | None, rules: tuple[str, ...]) -> None:
    player = Player(bench(uf2).switch_on(prepared.read_choices((*sets.FATTEST, *rules))))
    player.to_title()
    player.open_versus()
    player.tap("A", after_s=0)
    assert not player.wait_for(lambda: player.is_loading, 2)
    assert player.is_refused and player.shows("RULES: GUIDE", small=True)


@pytest.mark.long
def test_forty_pauses_of_the_fattest_match_leave_its_bound(uf2: Path | None) -> None:
    pauses = list(matches.watch_pauses(uf2 or find_uf2(), sets.PAUSES))
    print("HEAP", *(f"{time_s:.0f} s {free}/{block}" for time_s, free, block in pauses))
    assert len(pauses) == sets.PAUSES
    assert min(free for _time_s, free, _block in pauses) >= LEAST_FREE_BYTES
    assert min(block for _time_s, _free, block in pauses) >= REWRITING_BLOCK_BYTES  # some pauses rewrite the journal
