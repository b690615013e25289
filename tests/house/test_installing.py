"""What a reader is told to install, and what an installed package refuses to change."""

import argparse
import json
import re
import sys
from importlib import metadata
from typing import Any
from unittest.mock import patch

import pytest

from sim import terminal
from tests.support.parsers import COMMANDS, find_main, find_parser, walk
from tests.support.running import ROOT

# Skyline is on no package index: whoever registers its name there could run code of his own.
BY_NAME = re.compile(
    r"(pip3?|pipx|uvx?|uv tool)\s+((install|run|add|--from)\s+)?(-\S+\s+)*['\"]?skyline(?!_game-)", re.IGNORECASE
)
ROOMS = ("firmware", "sim", "tools", "tests", ".github")
SUFFIXES = ("py", "md", "toml", "html", "js", "yml")


def list_authors_commands() -> list[tuple[str, ...]]:
    """Return the commands and options that change the sources, with their arguments."""
    found = []
    for command in COMMANDS:
        todo: list[tuple[Any, tuple[str, ...]]] = [(find_parser(command), ())]
        for words, action in walk(todo[0][0]):
            if isinstance(action, terminal._Fill):
                found.append((command, *words, action.option_strings[0]))
            elif isinstance(action, argparse._SubParsersAction):
                found += [
                    (command, *words, name, *next(walk(each))[0])
                    for name, each in action.choices.items()
                    if each.needs_clone
                ]
    return found


def test_no_file_says_to_install_skyline_by_its_name() -> None:
    paths = [path for room in ROOMS for suffix in SUFFIXES for path in (ROOT / room).rglob(f"*.{suffix}")]
    paths += [path for suffix in SUFFIXES for path in ROOT.glob(f"*.{suffix}")]
    assert len(paths) > 900
    assert [str(path) for path in paths if BY_NAME.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("words", ["pip install '{}[x]'", "pip3 install -U {}", "uvx --from {} x", "uv add {}"])
def test_the_search_finds_the_name(words: str) -> None:
    assert BY_NAME.search(words.format("skyline-game"))


def test_a_reader_of_a_clone_installs_from_it() -> None:
    assert terminal.tell_install("solve") == "pip install -e '.[solve]'"


@pytest.mark.parametrize(
    ("told", "command"),
    [
        ({"url": "file:///home/me/skyline%20game-1.whl"}, "pipx install --force '/home/me/skyline game-1.whl[solve]'"),
        ({"url": "https://x.org/a.tar.gz"}, "pipx install --force './FILE.whl[solve]'"),
        (None, "pipx install --force './FILE.whl[solve]'"),
    ],
)
def test_a_reader_of_a_wheel_installs_from_its_file(told: object, command: str) -> None:
    with patch.object(metadata, "distribution") as found:
        found.return_value.read_text.return_value = told and json.dumps(told)
        assert terminal.tell_install("solve", is_clone=False) == command


def test_each_extra_that_is_told_is_one_of_the_project() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    told = {
        extra
        for folder in ("sim", "tools")
        for path in (ROOT / folder).rglob("*.py")
        for extra in re.findall(r"tell_install\(['\"](\w+)['\"]\)", path.read_text(encoding="utf-8"))
    }
    assert len(told) > 5 and all(f"\n{extra} = [" in project for extra in told)


@pytest.mark.parametrize("words", list_authors_commands(), ids=" ".join)
def test_an_installed_package_refuses_to_change_itself(words: tuple[str, ...], monkeypatch, capsys) -> None:
    monkeypatch.setattr(terminal, "IS_CLONE", False)
    monkeypatch.setattr(sys, "argv", list(words))
    with pytest.raises(SystemExit) as ended:
        sys.exit(find_main(words[0])())
    said = capsys.readouterr().err
    assert ended.value.code == terminal.FAILED and said.count("\n") == 1
    assert "needs a clone of the repository" in said


def test_each_option_that_fills_a_page_is_an_authors() -> None:
    """Else an installed package measures for an hour before it refuses to write."""
    assert [
        (command, *words)
        for command in COMMANDS
        for words, action in walk(find_parser(command))
        if "--fill" in action.option_strings and not isinstance(action, terminal._Fill)
    ] == []


def test_the_commands_of_authors_are_found() -> None:
    found = [" ".join(words) for words in list_authors_commands()]
    assert {"tools.openers build", "tools.puzzles build", "tools.puzzles add 1", "tools.openers cover --fill"} <= set(
        found
    )
