"""Let coverage count where a test is about what the gate names: tracing makes the engine four times as slow.

A line that only a test of something else runs, say a whole evening through all scenes, is not tested by it; so it does
not count. `no_cover` takes a test out that plays much and shows nothing that its shorter neighbours do not; `cover`
lets one count whose neighbours do not.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).parents[1]

# The files of tests whose runs count, by how their names begin.
COUNTING = (
    "test_device_", "test_engine_events", "test_engine_start", "test_guideline_", "test_link_lobby", "test_link_match",
    "test_link_news", "test_link_wire", "test_match_recording", "test_match_scores", "test_match_suspended",
    "test_match_timeline", "test_modes_modern", "test_recordings", "test_save_",
)  # fmt: skip
# Modules of firmware.device that import no hardware; the others are imported anew for every board.
PLAIN = ("chords", "edges", "half_turn", "handheld", "nvm", "refusal", "shelf", "ssd1306", "wiring", "wiring_reading")
# What a process imports once must be seen then, whoever comes first.
ONCE = [
    *(f"firmware.device.{name}" for name in PLAIN),
    *(
        f"firmware.{package}.{path.stem}"
        for package in ("engine", "match", "link", "save")
        for path in sorted((ROOT / "firmware" / package).glob("[!_]*.py"))
    ),
]


class Covering:
    """Start and stop the Coverage that measures this process, if one does."""

    def __init__(self) -> None:
        self.coverage: coverage.Coverage | None = None
        self.counts = True

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self) -> None:
        """See the modules' own lines, then rest until a test counts."""
        self.coverage = coverage.Coverage.current()
        for name in ONCE:
            importlib.import_module(name)
        self._count(False)
        # In a worker pytest-cov has started one before the one that it uses: it would be the one to go on then.
        while forgotten := coverage.Coverage.current():
            forgotten.stop()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Count what this test and its fixtures run, or not."""
        spared = item.get_closest_marker("no_cover") is not None
        counts = item.path.name.startswith(COUNTING) or item.get_closest_marker("cover") is not None
        self._count(counts and not spared)
        result = yield
        if spared:
            self.counts = True  # pytest-cov pauses what is at rest already, and then lets it go on
        return result

    def _count(self, counts: bool) -> None:
        if self.coverage is not None and counts != self.counts:
            if counts:
                self.coverage.start()
            else:
                self.coverage.stop()
        self.counts = counts
