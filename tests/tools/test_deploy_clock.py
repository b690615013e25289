"""`tools.deploy --clock` sets the date, which DAILY needs (firmware/modes/README.md 4.7)."""

import os
import sys
import threading
import time
import tty
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from tests.support import needs
from tests.support.deployed import BOARD, refusal
from tools.deploy import DeployError, clock
from tools.deploy.__main__ import main


class FakeConsole:
    """A board on a pseudo terminal that plays until Ctrl+C; bytes that arrive with Ctrl+C are lost."""

    def __init__(self, runs: Callable[[str], str]) -> None:
        self.here, self.there = os.openpty()
        tty.setraw(self.there)
        self.name, self.runs, self.restarted = os.ttyname(self.there), runs, False
        self.thread = threading.Thread(target=self.answer, daemon=True)
        self.thread.start()

    def answer(self) -> None:
        mode, program = "game", b""
        while not self.restarted:
            came = os.read(self.here, 4096)
            if b"\x03" in came and mode == "game":
                os.write(self.here, b"\r\nTraceback\r\nKeyboardInterrupt:\r\nPress any key to enter the REPL.\r\n")
                mode, came = "ended", b""
            for key in (came[at : at + 1] for at in range(len(came))):
                if mode == "ended":
                    os.write(self.here, b"\r\nAdafruit CircuitPython\r\n>>> ")
                    mode = "plain"
                elif key == b"\x01":
                    os.write(self.here, b"\r\nraw REPL; CTRL-B to exit\r\n>")
                    mode, program = "raw", b""
                elif key == b"\x04" and mode == "raw":
                    os.write(self.here, b"OK\x04" + self.runs(program.decode()).encode() + b"\x04>")
                    program = b""
                elif key == b"\x04":
                    self.restarted = True
                elif key == b"\x02":
                    mode = "plain"
                else:
                    program += key

    def close(self) -> None:
        self.thread.join(5)
        os.close(self.here)
        os.close(self.there)


def port_of(device: str, **more: object) -> SimpleNamespace:
    facts = {"vid": None, "product": None, "manufacturer": None, "serial_number": None, "interface": None}
    return SimpleNamespace(device=device, **{**facts, **more})


@needs.system(sys.platform != "win32", "pseudo terminals")
class TestClock:
    """`--clock` sets the date, which DAILY needs (firmware/modes/README.md 4.7)."""

    @pytest.fixture(autouse=True)
    def patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Wait longer, because a machine may be busy."""
        monkeypatch.setattr(clock, "_READ_TIMEOUT_S", 10.0)

    def test_the_board_gets_the_time_of_the_pc_and_restarts(self, monkeypatch, capsys) -> None:
        board = SimpleNamespace()
        monkeypatch.setitem(sys.modules, "rtc", SimpleNamespace(RTC=lambda: board))
        monkeypatch.setattr("time.localtime", lambda: time.struct_time((2026, 11, 22, 7, 45, 9, 6, 326, 0)))

        def run(program: str) -> str:
            exec(program, {})
            return ""

        console = FakeConsole(run)
        assert main(["--clock", "--port", console.name]) == 0 and "knows what day it is" in capsys.readouterr().out
        console.close()
        assert tuple(board.datetime) == (2026, 11, 22, 7, 45, 9, 6, 326, -1) and console.restarted
        assert "RTC" in BOARD.modules["rtc"] and "struct_time" in BOARD.modules["time"]

    def test_an_error_on_the_board_is_reported_in_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        console = FakeConsole(lambda program: "Traceback\r\nImportError: no module named 'rtc'\r\n")
        assert main(["--clock", "--port", console.name]) == 2
        assert refusal(capsys).endswith("the board says: ImportError: no module named 'rtc'")
        console.close()

    def test_a_missing_port_is_reported_in_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--clock", "--port", "/dev/nothing"]) == 2 and "cannot use /dev/nothing" in refusal(capsys)

    def test_a_silent_board_is_reported_in_one_line(self, monkeypatch, capsys) -> None:
        for name in ("_READ_TIMEOUT_S", "_SETTLE_S"):
            monkeypatch.setattr(clock, name, 0.001)
        here, there = os.openpty()
        assert main(["--clock", "--port", os.ttyname(there)]) == 2
        assert "the board does not answer" in refusal(capsys)
        os.close(here)
        os.close(there)
        monkeypatch.setitem(sys.modules, "serial", None)
        assert main(["--clock"]) == 2 and "pyserial; pip install -e '.[deploy]'" in refusal(capsys)

    def test_find_port_returns_the_console_of_the_only_board(self) -> None:
        modem = port_of("/dev/ttyS0")
        pico = {"vid": 0x239A, "serial_number": "A1"}
        named = {"vid": 0x1209, "manufacturer": "Skyline", "serial_number": "B2"}
        assert clock.find_port([port_of("COM10", **pico), port_of("COM9", **pico), modem]) == "COM9"
        second = port_of("/dev/ttyACM0", interface="CircuitPython CDC2 data", **named)
        assert clock.find_port([second, port_of("/dev/ttyACM1", **named), port_of("COM3", **pico)]) == "/dev/ttyACM1"
        with pytest.raises(DeployError, match="more than one board"):
            clock.find_port([port_of("COM3", **pico), port_of("COM4", vid=0x239A, serial_number="A2")])
        with pytest.raises(DeployError, match="no handheld"):
            clock.find_port([modem])
