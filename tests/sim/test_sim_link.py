"""The ends of a link on a PC: a host and its guests by TCP, a serial port; the command line refuses bad addresses."""

import os
import socket
import tty
from contextlib import closing
from unittest.mock import Mock, PropertyMock

import pytest

from sim.hub import Hub
from sim.link import PORT, LinkError, SerialPipe, SocketPipe, open_serial, receive, split_address
from tests.support.handhelds.command_lines import find_port, refused
from tests.support.running import wait_until


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        *(("localhost", "localhost", PORT), ("10.0.0.7:900", "10.0.0.7", 900)),
        *(("::1", "::1", PORT), ("[::1]", "::1", PORT), ("[::1]:900", "::1", 900)),
    ],
)
def test_address(text: str, host: str, port: int) -> None:
    assert split_address(text) == (host, port)


LONG = "9" * 5000  # more digits than Python's int() takes


@pytest.mark.parametrize("text", ["here:0", "here:70000", "here:port", "", ":900", "here:²", f"here:{LONG}", "41217"])
def test_an_invalid_address_is_refused(text: str) -> None:
    with pytest.raises(LinkError, match="is not an address"):
        split_address(text)


def test_a_lost_connection_is_told_from_silence() -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    buffer = bytearray(8)
    assert receive(ours, buffer) == 0
    theirs.send(b"abc")
    assert receive(ours, buffer) == 3 and buffer[:3] == b"abc"
    theirs.close()
    assert receive(ours, buffer) == -1, "the other end was closed"
    ours.close()
    assert receive(ours, buffer) == -1, "the connection has failed"


def test_a_guest_closes_a_connection_that_is_lost() -> None:
    ours, theirs = socket.socketpair()
    pipe = SocketPipe(ours)
    theirs.close()
    assert pipe.read_into(bytearray(8)) == 0 and ours.fileno() == -1


class TestSerial:
    def test_bytes_go_both_ways(self) -> None:
        here, there = os.openpty()
        tty.setraw(there)
        pipe = open_serial(os.ttyname(there))
        os.write(here, b"hello")
        buffer = bytearray(3)
        wait_until(lambda: pipe.read_into(buffer) == 3)
        assert bytes(buffer) == b"hel" and pipe.read_into(buffer) == 2 and pipe.write(memoryview(b"answer")) == 6
        assert os.read(here, 10) == b"answer"
        os.close(here)
        pipe.close()
        os.close(there)

    def test_a_serial_port_that_is_gone_loses_bytes(self) -> None:
        gone = Mock(**{"write.side_effect": OSError})
        type(gone).in_waiting = PropertyMock(side_effect=OSError)
        pipe = SerialPipe(gone)
        assert pipe.read_into(bytearray(4)) == 0 and pipe.write(memoryview(b"abc")) == 3


class TestCommandLine:
    def test_a_port_in_use_is_reported(self, capsys: pytest.CaptureFixture[str]) -> None:
        with closing(Hub(f"127.0.0.1:{find_port()}")) as hub:
            message = refused(capsys, "--host", hub.address)
        assert "Address already in use; try another port, as in --host 127.0.0.1:" in message
        assert "cannot host at 127.0.0.1, port" in message

    @pytest.mark.parametrize("way", ["--host", "--join"])
    def test_an_invalid_host_name_is_reported(self, way: str, capsys: pytest.CaptureFixture[str]) -> None:
        message = refused(capsys, way, "a..b")
        assert "a..b, port 41217" in message and "(while" not in message

    def test_joining_without_a_host_is_reported(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "nobody hosts at 127.0.0.1, port" in refused(capsys, "--join", f"127.0.0.1:{find_port()}")
