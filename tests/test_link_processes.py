"""Issue 17: two processes play a whole match over a real wire, on different interpreters, to the same hash."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tty
from pathlib import Path

import pytest

from tests.test_sim_link import find_port
from tools import interpreters

# Real processes on real clocks: a machine that stops one of them for long enough loses the link.
pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
SIDE = str(ROOT / "tests/processes/linked_side.py")


def start(command: list[str], *arguments: str, wire: int | None = None) -> subprocess.Popen[bytes]:
    """Start one device; its bytes go over the file descriptor `wire`."""
    return subprocess.Popen(
        [*command, SIDE, str(ROOT), *arguments], stdin=wire, stdout=wire, stderr=subprocess.PIPE, cwd="/"
    )


def result(process: subprocess.Popen[bytes]) -> list[str]:
    """Return what a device says at its end: moment, winner, hash, and whether it was over."""
    _out, errors = process.communicate()
    line = errors.decode().splitlines()[-1] if errors else ""
    assert process.returncode == 0, errors.decode()
    return line.split()


def play_over_pty(first: list[str], second: list[str]) -> list[list[str]]:
    """Let two devices play at both ends of a pseudo terminal."""
    here, there = pty.openpty()
    tty.setraw(here)
    tty.setraw(there)
    processes = [start(first, "1", "pipe", wire=here), start(second, "2", "pipe", wire=there)]
    os.close(here)
    results = [result(process) for process in processes]
    os.close(there)
    return results


def test_cpython_and_native_micropython_over_a_pty() -> None:
    command = interpreters._native_command()
    if command is None:
        pytest.skip("native MicroPython is not installed here")
    first, second = play_over_pty([sys.executable], [*command, "-X", "heapsize=2M"])
    assert first == second
    assert first[-1] == "1"


def test_two_cpythons_over_tcp() -> None:
    port = str(find_port())
    host, joiner = (start([sys.executable], seed, way, port) for seed, way in (("3", "host"), ("4", "join")))
    first, second = result(host), result(joiner)
    assert first == second
    assert first[-1] == "1"
