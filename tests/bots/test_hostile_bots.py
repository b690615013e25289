"""Nothing of a bot outlives its match, whoever plays it and however that ends (sim/bots/warden.py)."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sim.bots import guarded, warden
from sim.bots.process import Bot, start_bot
from tests.support import needs
from tests.support.handhelds.bot_processes import GENEROUS_S, start_patient_bot, write_stub_bot
from tests.support.running import ROOT

pytestmark = needs.system(os.name == "posix", "POSIX, whose processes a warden can end")
linux = needs.system(sys.platform == "linux", "Linux, which gathers orphans")

FORK = "import os, time\nif not os.fork():\n    {}\n    time.sleep(9999)\n"
CHILDREN = {
    "a forked child": FORK.format("pass"),
    "one that ignores signals": "import signal\n"
    + FORK.format("for each in (1, 2, 13, 15): signal.signal(each, signal.SIG_IGN)"),
    "one with a session of its own": FORK.format("os.setsid()"),
    "a daemon": FORK.format("os.setsid()\n    if os.fork(): os._exit(0)"),
    "one that goes on forking": FORK.format(
        "\n    while 1:\n        if os.fork(): os._exit(0)\n        os.setsid(); time.sleep(0.001)"
    ),
}


class Trace:
    """A pipe that all processes of a bot hold open: it ends with the last one, so no test looks at a clock."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "trace"
        os.mkfifo(self.path)
        self.end = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(self.end, True)
        self.text = f"import os\ntrace = os.open({str(self.path)!r}, os.O_WRONLY)\nos.set_inheritable(trace, True)\n"
        self.text += "os.write(trace, b'!')\n"

    def wait_for_start(self, host: subprocess.Popen[bytes]) -> None:
        while not os.read(self.end, 1):
            with suppress(subprocess.TimeoutExpired):
                pytest.fail(f"ended with {host.wait(0.05)}")

    def wait_for_end(self) -> None:
        while os.read(self.end, 99):
            pass


@pytest.fixture
def trace(tmp_path: Path) -> Iterator[Trace]:
    made = Trace(tmp_path)
    yield made
    os.close(made.end)


@linux
@pytest.mark.parametrize("child", CHILDREN.values(), ids=CHILDREN)
def test_hostile_children_end_with_their_bot(child: str, trace: Trace, tmp_path: Path) -> None:
    with start_patient_bot(write_stub_bot(tmp_path, trace.text + child + "greet()\nwait_for('quit')")) as bot:
        bot.greet()
    trace.wait_for_end()


@linux
def test_children_end_that_fork_faster_than_all_of_proc_is_read(
    trace: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a busy machine: the warden knows its own children alone."""
    late = tmp_path / "late.py"
    late.write_text(f"import os, runpy\nos.listdir = lambda _: []\nrunpy.run_path({warden.__file__!r})")
    monkeypatch.setattr(guarded, "_WARDEN", late)
    text = trace.text + CHILDREN["one that goes on forking"] + "greet()\nwait_for('quit')"
    with start_patient_bot(write_stub_bot(tmp_path, text)) as bot:
        bot.greet()
    trace.wait_for_end()


def test_hostile_bot_behind_a_wrapper_script_ends(trace: Trace, tmp_path: Path) -> None:
    stub = write_stub_bot(tmp_path, trace.text + "greet()\nwait_for('nothing')\nimport time; time.sleep(9999)")
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\n{stub}\necho done\n")
    script.chmod(0o755)
    with start_patient_bot(str(script)) as bot:
        bot.greet()
        bot.goodbye_s = 0.1
    trace.wait_for_end()


@linux
def test_hostile_bot_that_ends_before_its_children_takes_them_along(trace: Trace, tmp_path: Path) -> None:
    with start_patient_bot(write_stub_bot(tmp_path, trace.text + CHILDREN["a daemon"] + "sys.exit(7)")) as bot:
        assert bot.process.wait(GENEROUS_S) == 7
        trace.wait_for_end()


@linux
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
@pytest.mark.parametrize("who", ["host", "versus", "sim"])
def test_hostile_end_of_who_hosts_a_bot_ends_the_bot(
    who: str, number: signal.Signals, trace: Trace, tmp_path: Path
) -> None:
    text = trace.text + CHILDREN["one with a session of its own"] + "greet()\nwait_for('nothing')\ntime.sleep(9999)"
    stub = write_stub_bot(tmp_path, text)
    words = {
        "host": ["tools.bots", "host", stub],
        "versus": ["tools.versus", "1", stub, "--games", "1", "--jobs", "1", "--quiet"],
        "sim": ["sim", "--versus", stub, "--computers", "1", "--headless"],
    }[who]
    quiet = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, stdout=quiet, stderr=quiet) as host:
        trace.wait_for_start(host)
        host.send_signal(number)
        host.wait(GENEROUS_S)
    trace.wait_for_end()


@linux
def test_hostile_bot_that_kills_its_warden_dies_of_it(trace: Trace, tmp_path: Path) -> None:
    text = trace.text + "import signal, time\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(9999)"
    with start_patient_bot(write_stub_bot(tmp_path, text)) as bot:
        assert bot.process.wait(GENEROUS_S) == -signal.SIGKILL
        trace.wait_for_end()


def test_hostile_bot_cannot_leave_a_core_or_take_all_memory(tmp_path: Path) -> None:
    text = "import resource\nfor name in ('CORE', 'DATA', 'NOFILE'):\n"
    text += "    say(type='limit', most=resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))\nwait_for('quit')"
    with Bot(write_stub_bot(tmp_path, text), GENEROUS_S, memory_bytes=1 << 30) as bot:
        found = [bot.receive("limit")["most"] for _ in range(3)]
    assert found[:2] == [[0, 0], [1 << 30, 1 << 30]] and found[2][1] <= 1024


def test_a_program_that_cannot_start_is_named_and_leaves_no_process(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("no program")
    program.chmod(0o755)
    with pytest.raises(ValueError, match=r"cannot start .*: Exec format error"):
        start_bot(str(program))
