"""The page computes little: measured as its main thread's time, which other load on this computer hardly changes."""

import re
from pathlib import Path

import pytest

from tests.support import needs
from tools.web import timing


@pytest.mark.long
def test_no_task_or_frame_keeps_a_player_waiting_on_a_slow_phone(dist: Path) -> None:
    needs.demand("chromium")
    *_, tasks, marathon, hawks = timing.measure(dist, seconds=5)
    assert int(re.findall(r"(\d+) ms together", tasks)[0]) < 300
    for line, most_ms in ((marathon, 16), (hawks, 25)):
        frames, within_ms = re.findall(r"of (\d+) frames 99 % take at most ([\d.]+)", line)[0]
        assert int(frames) > 100 and float(within_ms) < most_ms, line
