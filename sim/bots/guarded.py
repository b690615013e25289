"""Run a program of which nothing outlives us, within a limit of memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

MOST_MEMORY_BYTES = 8 << 30

_GOODBYE_S = 10.0  # in which a warden kills
_WARDEN = Path(__file__).with_name("warden.py")


class Guarded:
    """A program with pipes, of which nothing outlives this object or this process (sim/bots/warden.py).

    Windows has no warden: there only the program itself is ended.  pid: its number; `process` may be its warden.
    """

    def __init__(self, words: list[str], memory_bytes: int = MOST_MEMORY_BYTES) -> None:
        """Start the program; raise OSError if that fails."""
        pipe = subprocess.PIPE
        self.process: subprocess.Popen[bytes]
        if os.name != "posix":
            self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
            self.pid = self.process.pid
            return
        lifeline, self._lifeline = os.pipe()
        told, report = os.pipe()
        mine = [sys.executable, "-I", "-S", str(_WARDEN), str(report), str(lifeline), str(memory_bytes)]
        try:
            self.process = subprocess.Popen(
                [*mine, *words],
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                pass_fds=(report, lifeline),
                start_new_session=True,
            )
        except BaseException:
            self._let_go()
            os.close(told)
            raise
        finally:
            os.close(report)
            os.close(lifeline)
        with open(told, "rb") as said:
            numbers = [int(number) for number in said.read().split()]
        self.pid = numbers[0] if numbers else 0
        if len(numbers) > 1:
            self.kill()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                assert stream
                stream.close()
            raise OSError(numbers[1], os.strerror(numbers[1]), words[0])

    def kill(self) -> None:
        """End all processes of the program, and wait for their end."""
        if os.name != "posix":
            self.process.kill()
        elif self._lifeline >= 0:
            if self.pid and self.process.poll() is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)
            self._let_go()
        try:
            self.process.wait(_GOODBYE_S)
        except subprocess.TimeoutExpired:  # the program has stopped its warden
            self.process.kill()
            self.process.wait()

    def _let_go(self) -> None:
        """End the lifeline, once: threads may come together."""
        lifeline, self._lifeline = self._lifeline, -1
        if lifeline >= 0:
            os.close(lifeline)

    def __del__(self) -> None:
        if os.name == "posix" and hasattr(self, "_lifeline"):
            self._let_go()
