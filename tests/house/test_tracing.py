"""The coverage gate traces a test unless it is marked `no_cover`."""

import os
from pathlib import Path

import pytest

from tests.support.running import ROOT, run_python

CONFTEST = f"""
import sys
sys.path.append({str(ROOT)!r})
pytest_plugins = ["tests.support.tracing"]
"""
TESTS = """
import sys, pytest

def test_traced():
    assert sys.gettrace()

@pytest.mark.no_cover
def test_untraced():
    assert not sys.gettrace()
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_a_test_is_traced_unless_it_says_no_cover(workers: int, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_tracing.py").write_text(TESTS, encoding="utf-8")
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = ["-m", "pytest", "-q", "--cov", "-n", workers, "--rootdir", tmp_path, tmp_path]
    done = run_python(*command, cwd=tmp_path, env={**variables, "COVERAGE_CORE": "ctrace"})
    assert "2 passed" in done.stdout, done.stdout + done.stderr
