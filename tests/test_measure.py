"""What tools/measure/README.md says is what `python -m tools.measure` prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import needs_wasm

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "tools" / "measure" / "README.md"
TIMED = "turns of `s += i & 3`"  # on this machine: another one each time


def read_rows(text: str) -> dict[str, str]:
    """Return the rows of the first table that does not depend on the machine."""
    lines = text[text.index("| what") :].splitlines()
    rows = {}
    for line in lines[2:]:
        if not line.startswith("|"):
            break
        name, value = (cell.strip() for cell in line.strip("|").split("|"))
        if name.startswith("instructions") or TIMED not in name:
            rows[name] = value
    return rows


@pytest.mark.long
@needs_wasm
def test_table_of_the_page_is_what_the_command_prints() -> None:
    command = [sys.executable, "-m", "tools.measure"]
    printed = read_rows(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert len(printed) > 40
    assert read_rows(PAGE.read_text(encoding="utf-8")) == printed
