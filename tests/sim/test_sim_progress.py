"""What takes long shows on a terminal how far it is, and nothing anywhere else."""

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


def test_nothing_is_shown_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.follow([1, 2], "at work", 2, "files")) == [1, 2] and capsys.readouterr() == ("", "")


def test_terminal_shows_how_far_it_is_and_is_left_clean() -> None:
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
