"""python -m tools.kicks compares turns with foreign engines; here others stand in for them."""

import random
import sys
from itertools import islice
from typing import Any

import pytest

from firmware.modes.kicks import ARIKA
from tools.kicks import __main__ as kicks
from tools.kicks.__main__ import SYSTEMS, compare, draw_positions, list_cells, main

T_SPIN_NODES = {"SRS": "1,298", "SRS+": "1,298", "ARS": "1,318", "NONE": "1,288"}


def answer(name: str, count: int) -> list[str]:
    """Return what our engine answers to the first positions of a system."""
    game = kicks.make_game(SYSTEMS[name])
    positions = islice(draw_positions(random.Random(name), SYSTEMS[name], 2), count)
    return [kicks.ask_ours(game, position) for position in positions]


@pytest.mark.parametrize("name", SYSTEMS)
def test_an_engine_that_turns_alike_differs_nowhere(name: str, monkeypatch: Any) -> None:
    answers = answer(name, 60)
    monkeypatch.setattr(kicks, "ask", lambda command, lines: answers)
    assert compare(name, 2, [], 60) == (60 - answers.count("-"), answers.count("-"), 0, [])


def test_the_first_positions_that_differ_are_told(monkeypatch: Any) -> None:
    monkeypatch.setattr(kicks, "ask", lambda command, lines: ["nothing"] * len(lines))
    found = compare("SRS", 2, [], 20)
    assert found.differ == 20 and len(found.told) == 3 and found.told[0].endswith("theirs nothing")


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_tetrimino_of_a_position_has_room(name: str) -> None:
    for position in islice(draw_positions(random.Random(1), SYSTEMS[name], 3), 200):
        cells = list_cells(*position[:4])
        assert all(not position.rows[row] >> column & 1 for column, row in cells)
        assert SYSTEMS[name] != ARIKA or position.piece not in (5, 7) or position.facing in (1, 2)


@pytest.mark.slow
def test_a_perft_counts_by_each_system(capsys: Any) -> None:
    """The counts by SRS are those of tools/bots/perft/counts.jsonl."""
    assert main(["--perft", "2"]) == 0
    told = [[word.strip() for word in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[2:]]
    assert told[:4] == [["empty", name, "17", "153"] for name in SYSTEMS]
    assert told[4:] == [["t-spin-double", name, "37", nodes] for name, nodes in T_SPIN_NODES.items()]


def test_python_tetris_is_asked_about_srs_plus_alone(monkeypatch: Any, capsys: Any) -> None:
    asked: list[list[str]] = []

    def ask(command: list[str], lines: list[str]) -> list[str]:
        asked.append(command)
        return ["-"] * len(lines)

    monkeypatch.setattr(kicks, "ask", ask)
    assert main(["--tetris", "a/python", "--positions", "20"]) == 1
    assert [(command[0].replace("\\", "/"), command[2].rpartition("; ")[2]) for command in asked] == [
        ("a/python", "python_tetris.answer()")
    ]
    assert "| SRS+ | python-tetris | 20 |" in capsys.readouterr().out


class TestRefused:
    def tell(self, capsys: Any, *arguments: str) -> str:
        assert main([*arguments, "--positions", "5"]) == 2
        return str(capsys.readouterr().err)

    def test_without_an_engine_there_is_nothing_to_compare(self, capsys: Any) -> None:
        assert "nothing to compare with" in self.tell(capsys)

    def test_a_folder_that_is_no_engine_gets_one_line(self, tmp_path: Any, capsys: Any) -> None:
        assert self.tell(capsys, "--triangle", str(tmp_path), "--esbuild", str(tmp_path / "none")).count("\n") == 1

    def test_an_engine_that_fails_gets_one_line(self, monkeypatch: Any) -> None:
        with pytest.raises(kicks.Refusal, match="ended with 3"):
            kicks.ask([sys.executable, "-c", "raise SystemExit(3)"], ["T"])
