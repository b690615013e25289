"""What `python -m tools.mutants` lays out is all that the tests of the engine need: changes are noticed there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_most_changes_of_a_module_are_noticed() -> None:
    command = [sys.executable, "-m", "tools.mutants", "--module", "scoring"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "| all " in done.stdout
