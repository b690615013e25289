"""Get new all-clear tasks from `python -m tools.puzzles allclear --serve`, which works one task ahead.

A process, not a thread: solving would take frames from the game. A task depends on the request alone, and the game
waits for the answer. So the same seed and presses always play the same tasks.
"""

import subprocess
import sys
from pathlib import Path

from firmware.modes.lessons.all_clear_file import FEWEST, TASK_BYTES

_COMMAND = ("-m", "tools.puzzles", "allclear", "--serve")
_ROOT = Path(__file__).resolve().parents[1]


class AllClears:
    """Start the process at the first request; it ends with the simulator, which closes its standard input."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._asked = ""  # the request whose answer comes next

    def make(self, key: int, pieces: int, number: int) -> bytes:
        """Return packed task `number` of the seed `key`; b"" if the process fails."""
        try:
            request = f"{key} {pieces} {number}"
            if self._asked != request:
                if self._asked:
                    self._read()  # of another grade
                self._ask(request)
            task = bytes.fromhex(self._read())
            self._ask(f"{key} {pieces} {number + 1}")
        except (OSError, ValueError):
            return b""
        return task if len(task) == TASK_BYTES[pieces - FEWEST] else b""

    def _ask(self, request: str) -> None:
        """Send a request; raise OSError if the process cannot start or has ended."""
        if not self._process:
            command, pipe = [sys.executable, *_COMMAND], subprocess.PIPE
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, cwd=_ROOT, text=True
            )
        assert self._process.stdin
        print(request, file=self._process.stdin, flush=True)
        self._asked = request

    def _read(self) -> str:
        """Wait for the answer; return an empty line if the process has ended."""
        self._asked = ""
        assert self._process and self._process.stdout
        return self._process.stdout.readline()
