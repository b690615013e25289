"""Spread games over processes of this computer, or over an existing Dask cluster (extra `bots`)."""

import argparse
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any, TypeVar

from sim.terminal import Refusal, first_line, number_within, tell_install

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

MOST_JOBS = 61  # Windows can wait for no more processes

_LOOK_S = 2.0


def count_jobs() -> int:
    """Return the default number of processes: one for each core."""
    return min(os.cpu_count() or 1, MOST_JOBS)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    jobs = number_within(1, MOST_JOBS)
    words = "number of processes (default: one for each core)"
    parser.add_argument("--jobs", type=jobs, default=count_jobs(), metavar="N", help=words)
    words = "use a Dask cluster instead, such as tcp://host:8786 (extra `bots`)"
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=words)


class Workers(AbstractContextManager["Workers"]):
    """`jobs` processes, or the workers of a Dask scheduler, for as long as the context lasts.

    Each worker of a cluster needs this repository and its packages.
    """

    def __init__(self, jobs: int, scheduler: str = "") -> None:
        """Start the processes; raise Refusal if the scheduler cannot be reached."""
        self._pool: Any = None
        self._client: Any = None
        self._size = jobs
        if scheduler:
            self._client = _join(scheduler)
            self._size = max(1, sum(self._client.nthreads().values()))
        elif jobs > 1:
            before = find_children()
            self._pool = _open_pool(jobs)
            self._alive = find_children() - before

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.terminate()
            self._pool.join()
        if self._client:
            self._client.close()

    def map(
        self, work: Callable[[_Task], _Result], tasks: list[_Task], unit: str = "game", quiet: bool = False
    ) -> list[_Result]:
        return list(self.each(work, tasks, unit, quiet))

    def each(
        self, work: Callable[[_Task], _Result], tasks: list[_Task], unit: str = "game", quiet: bool = False
    ) -> Iterator[_Result]:
        """Yield the result of each task, in order, as soon as it is known."""
        from tqdm import tqdm

        done: Iterable[_Result]
        if self._client:
            # Not pure: bots think in real time, so the same task may give another result.
            done = (future.result() for future in self._client.map(work, tasks, pure=False))
        elif self._pool:
            done = self._pool.imap(work, tasks)
        else:
            done = map(work, tasks)
        return iter(tqdm(done, total=len(tasks), unit=unit, disable=quiet or None))

    def stream(self, work: Callable[[_Task], _Result], tasks: Iterator[_Task]) -> Iterator[_Result]:
        """Yield results in the order of their ends; take the next task only when a process is free for it."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        running = 0
        while True:
            while running < self._size and (task := next(tasks, None)) is not None:
                running += 1
                if self._client:
                    self._client.submit(work, task, pure=False).add_done_callback(done.put)
                elif self._pool:
                    self._pool.apply_async(work, (task,), callback=done.put, error_callback=done.put)
                else:
                    done.put(work(task))
            if not running:
                return
            result = self._wait(done)
            running -= 1
            if isinstance(result, BaseException):
                raise result
            yield result.result() if self._client else result

    def _wait(self, done: "queue.SimpleQueue[Any]") -> Any:
        """Return the next result; raise Refusal if a process has died, because its result would never come."""
        while not self._pool or self._alive <= find_children():
            with suppress(queue.Empty):
                return done.get(timeout=_LOOK_S)
        raise Refusal("a process was killed from outside; start again to go on")


def find_children() -> set[int | None]:
    """Return the numbers of the processes that multiprocessing has started here."""
    return {child.pid for child in multiprocessing.active_children()}


def _open_pool(jobs: int) -> Any:
    """Return `jobs` processes that ignore Ctrl+C: each would print a traceback."""
    context = multiprocessing.get_context("spawn")
    if threading.current_thread() is not threading.main_thread():
        return context.Pool(jobs)
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the processes inherit this
    try:
        return context.Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, handler)


def _join(scheduler: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise Refusal(f"--scheduler needs Dask's distributed; {tell_install('bots')}") from None
    try:
        return Client(scheduler, timeout="10s")
    except (OSError, ValueError) as problem:
        raise Refusal(f"no scheduler at {scheduler}: {first_line(problem)}") from None
