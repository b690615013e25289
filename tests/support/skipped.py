"""Say at the end of a run which tests were skipped for a missing part, and keep their names."""

import contextlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say in one line a part what was skipped; keep the names of these tests for `pytest -m "" @FILE` elsewhere."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("skipped", "=")
        for line in summarize(skipped):
            terminalreporter.write_line(line)
    ran = {report.nodeid for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])}
    with contextlib.suppress(OSError):
        keep(config.rootpath / ".pytest_cache" / "skyline" / "skipped", {each.nodeid for each in skipped}, ran)


def keep(file: Path, skipped: set[str], ran: set[str]) -> None:
    """Add skipped tests to a file, one a line, and take out those that ran now."""
    before = set(file.read_text(encoding="utf-8").splitlines()) if file.exists() else set()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{each}\n" for each in sorted((before | skipped) - ran)), encoding="utf-8")


def summarize(skipped: list[Any]) -> list[str]:
    """Return a line for each reason of skipped tests, most tests first."""
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    return [f"{count} skipped: {reason}" for reason, count in reasons.most_common()]
