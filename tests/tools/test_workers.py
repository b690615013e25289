"""Processes that work beside a command: they take tasks one by one, and end with it."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from sim.terminal import Refusal
from tests.support import needs
from tests.support.running import run_python
from tools.workers import Workers

# A command that is stopped while its processes work.
STOPPED = """
import os, signal, sys
from sim import progress, terminal
from sim.ownership import MARK
from tools.workers import Workers

def main():
    with Workers(2) as workers:
        for _ in workers.each(abs, list(range(100)), quiet=True):
            {stop}

sys.exit(terminal.run(main))
"""


@needs.system(sys.platform != "win32", "POSIX's signals")
@pytest.mark.parametrize(
    ("stop", "code"),
    [("signal.raise_signal(signal.SIGTERM)", 143), ("os.killpg(0, signal.SIGINT)", 130)],
    ids=["SIGTERM", "Ctrl+C"],
)
def test_a_stopped_command_ends_its_processes_and_prints_nothing(stop: str, code: int) -> None:
    done = run_python("-c", STOPPED.format(stop=stop), start_new_session=True)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_a_scheduler_that_is_silent_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A TimeoutError says nothing."""
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Mock(side_effect=TimeoutError)))
    with pytest.raises(Refusal, match=r"^no scheduler at tcp://here:1: TimeoutError$"):
        Workers(1, "tcp://here:1")


def test_a_task_is_taken_when_a_process_is_free() -> None:
    done: list[int] = []
    known: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(6):
            known.append(len(done))
            yield number

    with Workers(2) as workers:
        for result in workers.stream(abs, tasks()):
            done += [result]
    assert sorted(done) == [*range(6)] and known == [0, 0, 1, 2, 3, 4]
