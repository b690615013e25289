"""Rotations and T-Spins agree with two independent engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.game import Game
from firmware.engine.options import Options
from tools.assets import vectors

SHARED = Path(__file__).resolve().parents[3] / "shared" / "vectors"
SPINS = ("none", "mini", "full")


def cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file, or skip where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{path} is absent: the cases are not part of the project")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def turn(case: dict[str, Any], piece: str) -> Game:
    """Return a game with the case's Tetrimino before its turn."""
    game = Game(0, Options())
    for y, mask in enumerate(case["rows"]):
        game.matrix.set_row(y, bytes(8 if mask >> x & 1 else 0 for x in range(10)))
    assert game.place(".IJLOSTZ".index(piece), case["x"], case["y"], case["f"])
    return game


def test_all_rotation_cases() -> None:
    for case in cases("srs.jsonl"):
        game = turn(case, case["piece"])
        point = game.turn(1 if case["dir"] > 0 else 0)
        assert (None if not point else [game.x, game.y, game.facing, point - 1]) == case["out"], case


def test_all_t_spin_cases() -> None:
    for case in cases("tspin.jsonl"):
        game = turn(case, "T")
        point = game.turn(1 if case["dir"] > 0 else 0)
        outcome = [game.x, game.y, game.facing, point - 1, SPINS[game.spin()]] if point else None
        assert outcome == case["out"], case


def test_the_projects_own_copy_is_current() -> None:
    cases("srs.jsonl")  # or skip
    assert vectors.main(["--check"]) == 0


def test_a_missing_source_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert vectors.main(["--source", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
