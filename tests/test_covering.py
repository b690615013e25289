"""Coverage rests wherever a test does not count: a tracer left on makes all that follow four times as slow."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.covering import Covering


class Tracer:
    """Be started and stopped as a Coverage is: what is started twice goes on when it is stopped once."""

    def __init__(self) -> None:
        self.started = 0

    def start(self) -> None:
        self.started += 1

    def stop(self) -> None:
        self.started -= self.started > 0


class Started(Tracer):
    """Stand on the pile of those that run."""

    def __init__(self, pile: list[Started]) -> None:
        super().__init__()
        self.pile = pile
        pile.append(self)
        self.start()

    def stop(self) -> None:
        super().stop()
        self.pile.pop()


def runs_traced(covering: Covering, tracer: Tracer, name: str, mark: str = "") -> bool:
    """Run a test of a file; return whether it is traced. pytest-cov pauses a Coverage for one with `no_cover`."""
    item: Any = SimpleNamespace(path=Path(name), get_closest_marker=lambda name: "a mark" if name == mark else None)
    spared = mark == "no_cover"
    protocol = covering.pytest_runtest_protocol(item)
    next(protocol)
    if spared:
        tracer.stop()
    traced = tracer.started > 0
    if spared:
        tracer.start()
    with pytest.raises(StopIteration):
        next(protocol)
    return traced


def test_tracing_resumes_after_an_uncovered_test_only_where_it_counts() -> None:
    covering = Covering()
    tracer = Tracer()
    tracer.start()
    covering.coverage = tracer  # type: ignore[assignment]
    assert runs_traced(covering, tracer, "test_engine_start.py")
    for _ in range(2):
        assert not runs_traced(covering, tracer, "test_save_damage.py", mark="no_cover")
        assert not runs_traced(covering, tracer, "test_play.py")
        assert not runs_traced(covering, tracer, "test_engine_start.py", mark="no_cover")
        assert runs_traced(covering, tracer, "test_engine_start.py")
        assert not runs_traced(covering, tracer, "test_play.py")
        assert runs_traced(covering, tracer, "test_play.py", mark="cover")
        assert not runs_traced(covering, tracer, "test_play.py")


def test_none_goes_on_that_was_started_before_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """As pytest-cov does in a worker of xdist."""
    pile: list[Started] = []
    tracers = [Started(pile), Started(pile)]
    current = staticmethod(lambda: pile[-1] if pile else None)
    monkeypatch.setattr("tests.covering.coverage", SimpleNamespace(Coverage=SimpleNamespace(current=current)))
    covering = Covering()
    covering.pytest_sessionstart()
    assert covering.coverage is tracers[1]
    assert [tracer.started for tracer in tracers] == [0, 0]
