"""The ends of a link on a PC: a host and its guests by TCP, a serial port; the command line refuses bad addresses."""

import os
import select
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import closing
from unittest.mock import Mock, PropertyMock

import pytest

from sim.link import PORT, Hub, LinkError, Pipe, SerialPipe, SocketPipe, join, open_serial, split_address
from tests.support.handhelds.command_lines import find_port, refused


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr("sim.link._SILENT_S", 60)  # no player counts as silent
    monkeypatch.setattr("sim.link._REFUSED_S", 0.05)
    hub = Hub("127.0.0.1:" + str(find_port()))
    yield hub
    hub.close()


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for another thread; a machine may be busy."""
    for _ in range(2000):
        if holds():
            return
        time.sleep(0.005)
    raise AssertionError("never")


def exchange(sender: Pipe, receiver: Pipe, words: bytes) -> None:
    buffer = bytearray(64)
    found = bytearray()

    def read() -> bool:
        found.extend(buffer[: receiver.read_into(buffer)])
        return bytes(found) == words

    assert sender.write(memoryview(words)) == len(words)
    wait_until(read)


def join_in(hub: Hub) -> SocketPipe:
    """Join, and wait until the hub counts the new player."""
    before = len(hub._ring)
    pipe = join(hub.address)
    wait_until(lambda: len(hub._ring) > before)
    return pipe


class TestHub:
    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_each_player_hears_the_previous_one_in_the_ring(self, hub: Hub, count: int) -> None:
        around: list[Pipe] = [hub, *(join_in(hub) for _ in range(count))]
        for place, pipe in enumerate(around):
            exchange(pipe, around[(place + 1) % len(around)], b"from %d" % place)

    def test_a_single_player_hears_nothing(self, hub: Hub) -> None:
        hub.write(memoryview(b"is anybody there?"))
        exchange(join_in(hub), hub, b"now I am")

    def test_a_fifth_player_is_refused(self, hub: Hub) -> None:
        held = [join_in(hub) for _ in range(3)]
        with pytest.raises(LinkError, match=r"^4 are linked at 127\.0\.0\.1, port \d+, already: there is no room$"):
            join(hub.address)
        assert all(pipe._connection for pipe in held)

    def test_a_player_who_leaves_is_skipped_and_may_return(self, hub: Hub) -> None:
        first, second = join_in(hub), join_in(hub)
        first.close()
        wait_until(lambda: len(hub._ring) == 2)
        exchange(hub, second, b"past the gap")
        buffer = bytearray(8)
        wait_until(lambda: not first.read_into(buffer) and first._connection is not None)
        wait_until(lambda: len(hub._ring) == 3)
        exchange(second, first, b"again")

    def test_a_silent_player_is_skipped(self, hub: Hub) -> None:
        """A handheld in the menus does not listen to its link."""
        silent = join_in(hub)
        wait_until(lambda: len(hub._heard_s) == 2)
        for end in hub._ring[1:]:
            hub._heard_s[end] -= 100
        second = join_in(hub)
        exchange(hub, second, b"past the one who sleeps")
        exchange(silent, second, b"awake")
        exchange(hub, silent, b"for you")

    def test_at_most_16_kilobytes_wait_for_a_player_who_does_not_read(self, hub: Hub, monkeypatch) -> None:
        silent = join_in(hub)
        here, after = hub._ring
        monkeypatch.setattr(hub, "_send", lambda end: None)
        for _ in range(40):
            wait_until(lambda: hub.write(memoryview(bytes(1024))) == 1024)
        wait_until(lambda: not select.select([here], [], [], 0)[0])
        wait_until(lambda: len(hub._waiting[after]) > 8 << 10)
        time.sleep(0.05)  # for the last bytes
        assert len(hub._waiting[after]) <= 16 << 10
        silent.close()

    def test_after_the_host_leaves_bytes_are_lost(self, hub: Hub) -> None:
        pipe = join_in(hub)
        hub.close()
        buffer = bytearray(8)
        wait_until(lambda: not pipe.read_into(buffer) and pipe._connection is None)
        assert pipe.write(memoryview(b"nowhere")) == 7 and pipe.read_into(buffer) == 0

    def test_the_default_address_is_loopback(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sim.link.PORT", find_port())
        with closing(Hub()) as hub:
            assert hub.address.startswith("127.0.0.1:")

    def test_the_shown_address_leads_to_this_computer(self) -> None:
        with closing(Hub(f"0.0.0.0:{find_port()}")) as hub:
            assert join_in(hub)._connection and not hub.address.startswith("0.")


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        *(("localhost", "localhost", PORT), ("10.0.0.7:900", "10.0.0.7", 900)),
        *(("::1", "::1", PORT), ("[::1]", "::1", PORT), ("[::1]:900", "::1", 900)),
    ],
)
def test_address(text: str, host: str, port: int) -> None:
    assert split_address(text) == (host, port)


@pytest.mark.parametrize("text", ["here:0", "here:70000", "here:port", "", ":900", "here:²", "41217"])
def test_an_invalid_address_is_refused(text: str) -> None:
    with pytest.raises(LinkError, match="is not an address"):
        split_address(text)


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
    def test_a_port_in_use_is_reported(self, hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
        message = refused(capsys, "--host", hub.address)
        assert "Address already in use; try another port, as in --host 127.0.0.1:" in message
        assert "cannot host at 127.0.0.1, port" in message

    @pytest.mark.parametrize("way", ["--host", "--join"])
    def test_an_invalid_host_name_is_reported(self, way: str, capsys: pytest.CaptureFixture[str]) -> None:
        message = refused(capsys, way, "a..b")
        assert "a..b, port 41217" in message and "(while" not in message

    def test_joining_without_a_host_is_reported(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "nobody hosts at 127.0.0.1, port" in refused(capsys, "--join", f"127.0.0.1:{find_port()}")
