"""Two processes on different interpreters play a whole match over a real connection, to the same hash."""

import os
import pty
import re
import signal
import subprocess
import sys
import tty
from pathlib import Path

import pytest

from sim.cli import main
from tests.support import needs
from tests.support.handhelds.command_lines import find_port
from tests.support.running import ROOT
from tools import interpreters

SIDE = str(ROOT / "tests/processes/linked_side.py")

# "step" does not depend on the speed of the machine; "clock" plays in real time.
MODES = pytest.mark.parametrize("mode", ["step", pytest.param("clock", marks=pytest.mark.long)])


def start(command: list[str], *arguments: str, wire: int | None = None) -> subprocess.Popen[bytes]:
    """Start one device; its bytes go over the file descriptor `wire`."""
    return subprocess.Popen(
        [*command, SIDE, str(ROOT), *arguments], stdin=wire, stdout=wire, stderr=subprocess.PIPE, cwd="/"
    )


def finish(*processes: subprocess.Popen[bytes]) -> list[list[str]]:
    """Return each device's last line: time, winner, hash, and whether the match was over."""
    results = []
    try:
        for process in processes:
            _out, errors = process.communicate()
            assert process.returncode == 0, errors.decode()
            results.append(errors.decode().splitlines()[-1].split())
    finally:
        for process in processes:
            process.kill()
    return results


def check(folder: Path, results: list[list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    """Check that two devices ended alike, and that their recordings play the same match to its end."""
    assert results[0] == results[1] and results[0][-1] == "1"
    traces = []
    for path in sorted(folder.iterdir()):
        picture = path.with_suffix(".png")
        assert main(["--headless", "--play", str(path), "--trace", "--screenshot", str(picture)]) == 0
        assert picture.stat().st_size
        traces.append(capsys.readouterr().out)
    assert traces[0] == traces[1] and "won by team" in traces[0]


@MODES
def test_cpython_and_native_micropython_over_a_pty(mode: str, tmp_path, capsys) -> None:
    command = interpreters._native_command()
    if command is None:
        needs.skip("micropython")
    sides = ("1", [sys.executable]), ("2", [*command, "-X", "heapsize=2M"])
    processes = []
    for (seed, program), wire in zip(sides, pty.openpty(), strict=True):
        tty.setraw(wire)
        processes.append(start(program, seed, mode, str(tmp_path / f"{seed}.sky"), "pipe", wire=wire))
        os.close(wire)
    check(tmp_path, finish(*processes), capsys)


@pytest.mark.slow
@MODES
def test_two_cpythons_over_tcp(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = str(find_port())
    sides = (
        start([sys.executable], seed, mode, str(tmp_path / seed), option, port)
        for seed, option in (("3", "host"), ("4", "join"))
    )
    check(tmp_path, finish(*sides), capsys)


@pytest.mark.long
class TestPlayedByTheProgram:
    """`python -m sim --host` and `--join`, in real time, on SDL's dummy screen."""

    def play(self, folder: Path, ended: int, by: signal.Signals, words: str) -> None:
        """Play until both are in the match, end one by a signal, and wait until the other prints these words."""
        port = find_port()
        processes = []
        for place in range(2):
            option = "--join" if place else "--host"
            paths = ("--folder", folder / f"saved{place}", "--record", folder / f"{place}.sky")
            options = ("--mute", option, f"127.0.0.1:{port}", *paths)
            command = [sys.executable, str(ROOT / "tests/processes/pressed_sim.py"), "2", *map(str, options)]
            processes.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
            if not place:
                assert processes[0].stderr
                assert processes[0].stderr.readline() == f"sim: others join with --join 127.0.0.1:{port}\n"
        try:
            for process in processes:
                self.wait_for(process, "PLAYS")
            processes[ended].send_signal(by)
            self.wait_for(processes[1 - ended], words)
            processes[1 - ended].send_signal(signal.SIGINT)
            for process in processes if by == signal.SIGINT else [processes[1 - ended]]:
                assert process.communicate()[1] == "" and process.returncode == 0
        finally:
            for process in processes:
                process.kill()
                process.communicate()

    def wait_for(self, process: subprocess.Popen[str], words: str) -> None:
        assert process.stdout
        for line in process.stdout:
            if re.fullmatch(words, line.strip()):
                return
        pytest.fail(f"it has ended: {process.communicate()}")

    @pytest.mark.parametrize("ended", [0, 1])
    def test_ctrl_c_leaves_and_loses_nothing_of_the_match(self, ended: int, tmp_path, capsys) -> None:
        self.play(tmp_path, ended, signal.SIGINT, "AA[12] LEFT YOU WIN A_NEXT")
        traces = []
        for place in range(2):
            assert main(["--headless", "--play", str(tmp_path / f"{place}.sky"), "--trace"]) == 0
            traces.append(capsys.readouterr().out)
        assert traces[0] == traces[1] and "won by team" in traces[0]

    def test_the_other_shows_no_link_when_a_process_is_killed(self, tmp_path: Path) -> None:
        self.play(tmp_path, 1, signal.SIGKILL, "NO LINK TO AA[12]")
