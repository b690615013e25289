"""Run a program so that nothing of it outlives us: `Guarded` starts this file as a process between the two (POSIX).

The warden ends when the program ends, when we say so, or when we die, however. Then it kills the program's process
group and, on Linux, all that descends from it, daemons too. If somebody kills the warden, Linux kills the program.
The warden needs no other module of ours, so that it starts fast.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys

MOST_FILE_BYTES = 1 << 32  # that a program may write into one file
MOST_FILES = 1024

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_CANNOT_START = 127
_MOST_ROUNDS = 1000  # of killing what forks meanwhile


def guard(words: list[str], report: int, lifeline: int, memory_bytes: int) -> int:
    """Run a program until it ends or `lifeline` does; return its wait status.

    report: takes its number, and a second one, the error, if it cannot start.
    """
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    _control(_PR_SET_CHILD_SUBREAPER, 1)
    pid = os.fork()
    if not pid:
        _become(words, report, memory_bytes)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)  # else the program's streams would not end with it
    os.close(report)
    status = None
    while status is None:
        ready, _, _ = select.select([lifeline, woken], [], [])
        status = _reap(pid)
        if lifeline in ready or woken in ready and signal.SIGTERM in os.read(woken, 99):
            break
    _kill_all(pid)
    return status if status is not None else signal.SIGKILL


def _become(words: list[str], report: int, memory_bytes: int) -> None:
    """Replace this process by the program, in a session of its own and with its limits."""
    import resource

    try:
        os.setsid()
        os.write(report, b"%d" % os.getpid())
        _control(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        limits = {"CORE": 0, "FSIZE": MOST_FILE_BYTES, "NOFILE": MOST_FILES, "DATA": memory_bytes}
        for name, most in limits.items():
            kind = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with contextlib.suppress(OSError, ValueError):  # macOS knows some limits only by name
                resource.setrlimit(kind, (most, most))
        os.execvp(words[0], words)
    except OSError as problem:
        os.write(report, b" %d" % (problem.errno or 0))
    finally:
        os._exit(_CANNOT_START)


def _control(option: int, value: int) -> None:
    """Call Linux's prctl(); elsewhere do nothing."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _reap(pid: int) -> int | None:
    """Take leave of all processes that have ended; return the wait status of `pid` if it is one of them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            found = ended[1] if ended[0] == pid else found
    return found


def _kill_all(pid: int) -> None:
    """Kill the program's group, and all orphans of it, which Linux gives to us."""
    has_group = True
    for _ in range(_MOST_ROUNDS):
        try:
            if has_group:
                os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            has_group = False  # a stranger may get its number
        except PermissionError:
            pass
        # Children first: what goes on forking has another number before all of /proc is read.
        for find in (_list_children, _list_descendants):
            for each in find():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(each, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _list_children() -> list[int]:
    """Return the numbers of our own children, by one small file of Linux."""
    with contextlib.suppress(OSError), open(f"/proc/self/task/{os.getpid()}/children", "rb") as file:
        return [int(number) for number in file.read().split()]
    return []


def _list_descendants() -> list[int]:
    """Return the numbers of all processes below this one, by /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
            parent = int(file.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    found = children.get(os.getpid(), [])
    for each in found:
        found += children.get(each, [])
    return found


def main() -> None:
    """Guard the program of the command line, and end as it ended."""
    report, lifeline, memory_bytes = map(int, sys.argv[1:4])
    os.set_inheritable(report, False)
    os.set_inheritable(lifeline, False)
    status = guard(sys.argv[4:], report, lifeline, memory_bytes)
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL) if os.WTERMSIG(status) != signal.SIGKILL else None
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


if not __package__:  # run as a file: it is no command for people
    main()
