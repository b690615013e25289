"""Long work shows its progress on a terminal, and prints nothing elsewhere."""

import os
import subprocess
import sys

import pytest

from sim import progress
from tests.support.running import ROOT

_SLOW = """
import time
from sim import progress
progress._PATIENCE_S = 0.1
for _ in progress.follow(range(9), "at work", 9, "files"):
    time.sleep(0.12)
"""


def test_no_bar_is_written_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.follow([1, 2], "at work", 2, "files")) == [1, 2] and capsys.readouterr() == ("", "")


def test_a_terminal_shows_progress_and_is_cleared_at_the_end() -> None:
    pytest.importorskip("fcntl", reason="needs a terminal that a program can be")
    import fcntl
    import struct
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    subprocess.run([sys.executable, "-c", _SLOW], cwd=ROOT, stderr=theirs, check=True)
    os.set_blocking(ours, False)
    shown = os.read(ours, 65_536).decode()
    os.close(theirs)
    os.close(ours)
    assert "at work:" in shown and " 4/9 files" in shown
    assert not shown.split("\r")[-1].strip(), "the bar is taken away"
