"""A bot in a process whose CPU time and memory are limited, those of its children included (PyPI's psutil)."""

import contextlib
import threading
import time
from pathlib import Path
from typing import Any

import psutil

from sim.bots.process import Bot, Fault
from sim.bots.protocol import Message

_SAMPLE_S = 0.1
_GREETING_S = 30.0  # an interpreter with its libraries starts slowly
_MB = 1 << 20
_IDLE_S = 0.2  # without CPU time, after which a bot does not think
_LOOK_S = 0.005
_SUDDEN = 4  # times the limit of memory: an allocation may be faster than our look at it


class WatchedBot(Bot):
    """End a bot that takes too much.

    cpu_ms: limit of CPU time from one answer to the next.  memory_mb: limit of resident memory.  excess: "", or which
    limit it exceeded. Its warden gathers what leaves the bot's process tree. The system counts CPU time by 10 ms.
    think_ms: CPU time before each question; if not 0, the bot stands still from its answer to the next question.
    """

    goodbye_s = 1.0

    def __init__(self, command: str | list[str], answer_s: float, cpu_ms: int, memory_mb: int) -> None:
        super().__init__(command, answer_s, _SUDDEN * memory_mb * _MB)
        self.cpu_ms = cpu_ms
        self.memory_mb = memory_mb
        self.excess = ""
        self.think_ms = 0
        self.spent_s = 0.0  # until its last answer
        self._plays = False
        self._warden: psutil.Process | None = None
        self._processes: list[psutil.Process] = []
        with contextlib.suppress(psutil.Error):  # it may have ended already
            self._warden = psutil.Process(self.process.pid)
            self._processes = [psutil.Process(self._guarded.pid)]
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def __exit__(self, kind: object, *_: object) -> None:
        """Ask the bot to quit, then end it with all of its processes."""
        super().__exit__(kind or self.excess)
        self._over.set()
        self._watcher.join()

    def _watch(self) -> None:
        while not self._over.wait(_SAMPLE_S):
            with contextlib.suppress(psutil.Error):
                found = self._warden.children(recursive=True) if self._warden else []
                self._processes += [child for child in found if child not in self._processes]
            if self._find_excess():
                self._guarded.kill()
                return

    def _measure(self) -> tuple[float, int]:
        """Return CPU seconds and bytes of memory of all its processes."""
        spent_s, memory = 0.0, 0
        for process in list(self._processes):
            with contextlib.suppress(psutil.Error):
                # With those of children that have ended.
                spent_s += sum(process.cpu_times()[:4])
                memory += process.memory_info().rss
        return spent_s, memory

    def _find_excess(self) -> bool:
        """Return whether a limit is exceeded, and note which."""
        spent_s, memory = self._measure()
        spent_ms = round(1000 * (spent_s - self.spent_s))
        if memory > self.memory_mb * _MB:
            self.excess = f"takes {memory // _MB} MB of memory, the limit is {self.memory_mb}"
        elif self._plays and spent_ms > self.cpu_ms + self.think_ms:
            self.excess = f"took {spent_ms} ms of CPU time for a move, the limit is {self.cpu_ms}"
        return bool(self.excess)

    def greet(self) -> None:
        limit_s = self.answer_s
        self.answer_s = max(limit_s, _GREETING_S)
        super().greet()
        self.answer_s = limit_s

    def send(self, message: Message) -> None:
        if self.think_ms and message["type"] in ("suggest", "quit"):
            self._set_running(True)
            if message["type"] == "suggest":
                self._let_think()
        super().send(message)

    def _set_running(self, running: bool) -> None:
        for process in list(self._processes):
            with contextlib.suppress(psutil.Error):
                (process.resume if running else process.suspend)()

    def _let_think(self) -> None:
        """Wait until the bot has used its CPU time, or uses none."""
        used_s, until_s = -1.0, 0.0
        while used_s < self.think_ms / 1000:
            spent_s = self._measure()[0] - self.spent_s
            if spent_s > used_s:
                used_s, until_s = spent_s, time.monotonic() + _IDLE_S
            elif time.monotonic() >= until_s and not self._wants_to_run():
                return
            time.sleep(_LOOK_S)

    def _wants_to_run(self) -> bool:
        """Return whether a thread is ready to run, which only waits for a core; only Linux tells."""
        for process in self._processes:
            for path in Path(f"/proc/{process.pid}/task").glob("*/stat"):
                with contextlib.suppress(OSError):
                    if path.read_text("utf-8").rpartition(")")[2].split()[0] == "R":
                        return True
        return False

    def receive(self, kind: str) -> Message:
        try:
            message = super().receive(kind)
        except Fault:
            if self.excess:
                raise Fault(self.excess) from None
            raise
        answered = kind == "suggestion" and bool(message.get("moves"))
        if answered and self._find_excess():
            raise Fault(self.excess)
        if answered or kind == "ready":
            if answered and self.think_ms:
                self._set_running(False)
            self.spent_s, self._plays = self._measure()[0], True
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a watched bot stays in its process")
