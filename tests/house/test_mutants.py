"""What `python -m tools.mutants` lays out is all that the tests of a room need: changes are noticed there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.parametrize(
    "chosen",
    [
        ["--module", "scoring"],
        ["--room", "match", "--module", "attack", "--sample", "5"],
        ["--room", "players", "--module", "computers", "--sample", "5"],
        ["--room", "save", "--module", "numbers", "--sample", "5"],
    ],
    ids=lambda chosen: " ".join(chosen),
)
def test_most_changes_of_a_module_are_noticed(chosen: list[str]) -> None:
    command = [sys.executable, "-m", "tools.mutants", *chosen]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| all " in done.stdout
