"""Each grade of all-clear tasks keeps its place in its order, and its longest run."""

from firmware.save.all_clears import BEST, PLACE, RUN, Runs
from tests.support.records import packed


def test_runs_come_back_as_they_were() -> None:
    runs = Runs(b"")
    runs.key = 7
    runs.mark_solved(1)
    runs.mark_solved(1)
    runs.go_on(1)
    again = Runs(packed(runs))
    assert (again.key, [again.field(1, field) for field in (PLACE, RUN, BEST)]) == (7, [1, 2, 2])


def test_a_run_ends_once_and_its_best_stays() -> None:
    runs = Runs(b"")
    runs.mark_solved(0)
    assert runs.end_run(0) and not runs.end_run(0)
    assert (runs.field(0, RUN), runs.field(0, BEST)) == (0, 1)


def test_a_damaged_or_foreign_record_begins_anew() -> None:
    runs = Runs(b"")
    runs.key = 7
    whole = packed(runs)
    assert Runs(b"\x09" + whole[1:]).key == -1
    assert Runs(whole[:2]).counts == Runs(b"").counts
