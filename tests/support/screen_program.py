"""Run the simulator on a screen; the fixture `screen` of tests/sim/conftest.py starts one."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from tests.support.running import ROOT


class Program:
    """The simulator on a screen."""

    def __init__(self, environment: dict[str, str], *arguments: str, module: str = "sim") -> None:
        self.environment = environment
        command, pipe = [sys.executable, "-m", module, *arguments], subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)

    def xdotool(self, *arguments: str) -> str:
        command = ["xdotool", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    @property
    def title(self) -> str:
        return self.xdotool("getwindowfocus", "getwindowname").strip()

    @property
    def size(self) -> tuple[int, ...]:
        output = self.xdotool("getwindowfocus", "getwindowgeometry", "--shell")
        values = dict(line.split("=") for line in output.split())
        return int(values.get("WIDTH", 0)), int(values.get("HEIGHT", 0))

    def wait_for(self, holds: Callable[[], bool]) -> None:
        for _ in range(1200):
            if holds():
                return
            if self.process.poll() is not None:
                pytest.fail(f"it has ended: {self.process.communicate()}")
            time.sleep(0.1)
        pytest.fail(f"title {self.title!r}, size {self.size}")

    def wait_for_frames(self) -> None:
        self.wait_for(lambda: "fps" in self.title)

    def end(self) -> tuple[str, str]:
        """Stop the program as Ctrl+C does; return its stdout and stderr."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
