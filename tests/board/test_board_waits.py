"""How long a player waits on the real firmware: each figure of tools.measure.waits with a bound, on each UF2."""

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.support.handhelds.board_console import deployed, each_uf2, find_uf2
from tools.measure.figures import Figure
from tools.measure.waits import cases as waits
from tools.measure.waits.watching import Still, WatchedBench

pytestmark = [pytest.mark.board, each_uf2]
SHORT = ("start", "game", "match")  # the walks in which a result or a save once stood still


def mark_long(cases: Iterable[str]) -> "list[Any]":
    return [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in cases]


@functools.cache
def measure(case: str, uf2: Path) -> tuple[list[Figure], list[Still]]:
    bench = WatchedBench(uf2, deployed())
    figures = list(waits.CASES[case](bench))
    print("WAITS", ", ".join(f"{each.what} {each.cell}" for each in figures))
    return figures, bench.stills


@pytest.mark.parametrize("case", mark_long(waits.CASES))
def test_no_wait_is_longer_than_its_bound(case: str, uf2: Path | None) -> None:
    figures, _stills = measure(case, uf2 or find_uf2())
    bounds = {each: bound for each in figures if (bound := waits.find_bound(each.what)) is not None}
    assert bounds
    assert [f"{each.what} {each.cell}" for each, bound in bounds.items() if each.value > bound] == []


@pytest.mark.parametrize("case", mark_long(waits.WALKS))
def test_nothing_stands_still_for_0_3_seconds_without_a_word(case: str, uf2: Path | None) -> None:
    _figures, stills = measure(case, uf2 or find_uf2())
    assert stills
    assert [each for each in stills if each.seconds >= waits.STILL_S] == []
