"""tools.fuzz: damaged input for every reader. With atheris a short round; without it, changes by chance."""

import argparse
import faulthandler
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from sim.terminal import Refusal
from tests.support import needs
from tests.support.running import ROOT
from tools.fuzz import __main__ as command
from tools.fuzz import running
from tools.fuzz.targets import TARGETS, Target, judge

CHANGED = 40  # inputs for each reader
QUICK = ["rules lines", "keys", "fumens", "hosts of bots", "addresses"]  # in the order of the table
MOST_BYTES = 100_000  # of all good input together


def make(read, *owns: type[Exception]) -> Target:
    return Target("one", read, owns, lambda: [b"seed"])


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_reader_of_changed_input_raises_its_own_error_or_none(target: Target, tmp_path: Path) -> None:
    for content in running.list_inputs(target, CHANGED):
        fault = judge(target, content, tmp_path)
        assert not fault, f"{fault}; the input: {content[:2000]!r}"


@pytest.mark.no_cover
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_good_input_is_read(target: Target, tmp_path: Path) -> None:
    """A reader that refuses all of its seeds is never fuzzed beyond its first lines."""

    def reads(content: bytes) -> bool:
        try:
            target.read(content, tmp_path)
        except Exception as problem:
            return str(problem) == "ends"  # of a bot, after its last word
        return True

    assert any(map(reads, target.seeds()))


@pytest.mark.slow
def test_all_good_input_is_small() -> None:
    assert sum(len(content) for target in TARGETS for content in target.seeds()) < 2 * MOST_BYTES
    assert len({target.stem for target in TARGETS}) == len(TARGETS)


def test_an_error_of_another_type_is_a_finding(tmp_path: Path) -> None:
    def read(content: bytes, _folder: Path) -> None:
        if content == b"key":
            raise KeyError("key")
        if content == b"lines":
            raise Refusal("two\nlines")
        if content == b"number":
            int("x")  # raises what the reader owns, but in Python's words
        raise Refusal("one line")

    target = make(read, Refusal, ValueError)
    assert judge(target, b"", tmp_path) == ""
    for content in (b"key", b"lines", b"number"):
        assert "at tests/tools/test_fuzz.py:" in judge(target, content, tmp_path)
    assert "Refusal" in judge(make(read, ValueError), b"", tmp_path)


def test_changes_are_the_same_every_time_and_change_something() -> None:
    found = [[running.mutate(b"seed" * 9, Random(seed)) for seed in range(50)] for _ in range(2)]
    assert found[0] == found[1]
    assert len(set(found[0])) > 45


def test_without_atheris_one_line_says_what_to_install(monkeypatch, capsys, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _name: None)
    monkeypatch.setattr(running, "find_spec", lambda _name: None)
    assert command.main(["keys", "--folder", str(tmp_path / "found")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "pip install -e '.[fuzz]'" in said
    assert command.main(["key"]) == 2
    assert "did you mean" in capsys.readouterr().err


@needs.mark("atheris")
def test_a_finding_is_kept_and_its_line_shows_it_again(tmp_path: Path, monkeypatch, capsys) -> None:
    """libFuzzer finds the branch that breaks, and goes on; an input that ends the process is kept, too."""

    def read(content: bytes, _folder: Path) -> None:
        if content[:1] == b"!":
            raise KeyError("!")

    def end(content: bytes, _folder: Path) -> None:
        if content[:1] == b"!":
            os.abort()

    raised_in_line = read.__code__.co_firstlineno + 2
    faulthandler.disable()  # pytest's would take the signal before libFuzzer
    outcomes = [running.fuzz(make(broken), judge, "-runs=20000") for broken in (read, end)]
    faulthandler.enable(2)
    for outcome in outcomes:
        assert outcome.found and all(content[:1] == b"!" for content in outcome.found.values())
    monkeypatch.setattr(running, "load", lambda: argparse.Namespace(TARGETS=(make(read),), judge=judge))
    monkeypatch.chdir(tmp_path)
    assert command.main(["--runs", "20000"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == "one: 20,000 runs, 1 finding"
    assert second.startswith("  python -m tools.fuzz 'one' --replay fuzz-found/one-")
    assert second.endswith(f"  # KeyError at tests/tools/test_fuzz.py:{raised_in_line}: \"'!'\"")
    assert command.main(second.partition("  #")[0].replace("'", "").split()[3:]) == 1
    assert "KeyError at tests/tools/test_fuzz.py:" in capsys.readouterr().out


@needs.mark("atheris")
@pytest.mark.parametrize("names", [QUICK, pytest.param([target.name for target in TARGETS], marks=pytest.mark.long)])
def test_a_short_round_with_atheris_finds_nothing(names: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "found"
    words = [sys.executable, "-m", "tools.fuzz", *names, "--runs", "100", "--folder", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [f"{name}: 100 runs, 0 findings" for name in names]
    assert (done.returncode, done.stderr) == (0, "")
