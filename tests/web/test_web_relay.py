"""The relay passes messages on between two guests, stores nothing, and reports exceeded limits in one line."""

import os
import socket
import subprocess
import sys
from typing import Any
from unittest.mock import Mock

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.support import needs
from tests.support.running import ROOT as SOURCES
from tests.support.running import run_python
from tests.web.relay_host import RelayHost
from tools.web.relay import Limits, Relay

ROOM = "1234567890-abcdefgh"
GUEST = f"{ROOM}?answer"


def refusal(connection: Any) -> tuple[int, str]:
    """Return the code and the reason with which a connection is closed."""
    with pytest.raises(ConnectionClosed) as closed:
        connection.recv()
    assert closed.value.rcvd
    return closed.value.rcvd.code, closed.value.rcvd.reason


def test_only_the_two_in_a_room_hear_each_other() -> None:
    with RelayHost() as relay, relay.call(ROOM) as host, relay.call("another-room-" + ROOM) as other:
        with relay.call(GUEST) as guest:
            guest.send("answer")
            assert host.recv() == "answer"
            host.send("thanks")
            assert guest.recv() == "thanks"
        other.send("to nobody")
        with relay.call("another-room-" + GUEST) as late:
            other.send("for you")
            assert late.recv() == "for you"  # earlier messages are lost


def test_a_room_closes_with_its_host_and_stays_without_its_guest() -> None:
    with RelayHost() as relay, relay.call(ROOM) as host:
        with relay.call(GUEST) as guest:
            guest.send("first")
            assert host.recv() == "first"
        with relay.call(GUEST) as guest:
            guest.send("second")
            assert host.recv() == "second"
            host.close()
            assert refusal(guest) == (1000, "")
        with relay.call(GUEST) as late:
            assert refusal(late) == (4000, "nobody waits for this answer any more")
        assert relay.rooms == []


def test_a_guest_leaves_without_a_fault_after_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[Exception] = []
    with RelayHost() as relay, relay.call(ROOM) as host, relay.call(GUEST) as guest:
        leave = relay.relay.leave

        def note(*how: Any) -> Any:
            try:
                return leave(*how)
            except Exception as fault:
                faults.append(fault)
                raise

        monkeypatch.setattr(relay.relay, "leave", note)
        guest.send("here")
        assert host.recv() == "here"
        host.close()
        assert refusal(guest) == (1000, "")
    assert faults == []


def test_a_room_that_opens_again_stays_when_an_old_guest_leaves() -> None:
    relay = Relay()
    host, guest, later = Mock(), Mock(), Mock()
    assert relay.enter(ROOM, True, host, "a") == relay.enter(ROOM, False, guest, "b") == ""
    room = relay.rooms[ROOM]
    assert relay.leave(ROOM, room, host, True) == [guest]
    assert relay.enter(ROOM, True, later, "c") == ""
    assert relay.leave(ROOM, room, guest, False) == []
    assert relay.rooms == {ROOM: [later]}


def test_room_has_one_host() -> None:
    with RelayHost() as relay, relay.call(ROOM), relay.call(ROOM) as second:
        assert refusal(second) == (4000, "this room is full")


@pytest.mark.parametrize("room", ["", "short", "x" * 65, "a-room-with-a-space%20", "../../../../etc/passwd"])
def test_a_short_or_invalid_room_name_is_refused(room: str) -> None:
    with RelayHost() as relay, relay.call(room) as guest:
        assert refusal(guest) == (4000, "a room has 16 to 64 letters, digits, - or _")


def test_a_third_guest_in_a_room_is_refused() -> None:
    with RelayHost() as relay, relay.call(ROOM) as host, relay.call(GUEST) as guest:
        guest.send("here")
        assert host.recv() == "here"
        with relay.call(GUEST) as third:
            assert refusal(third) == (4000, "this room is full")


def test_the_number_of_rooms_is_limited() -> None:
    with RelayHost(Limits(rooms=1)) as relay, relay.call(ROOM), relay.call("another-room-" + ROOM) as late:
        assert refusal(late) == (4000, "this relay is full")


@pytest.mark.parametrize(
    ("limits", "words", "code", "line"),
    [
        (Limits(words=2), ["one", "two"], 4000, "too much was said"),
        (Limits(letters=10), ["x" * 11], 1009, ""),
        (Limits(), [b"bytes"], 4000, "this relay carries text"),
        (Limits(idle_s=0), [], 4000, "nothing was said for too long"),
    ],
)
def test_a_room_closes_when_a_limit_is_exceeded(limits: Limits, words: list[str | bytes], code: int, line: str) -> None:
    with RelayHost(limits) as relay, relay.call(ROOM) as host:
        for word in words:
            host.send(word)
        closed = refusal(host)
        assert closed == (code, line) or code == closed[0] == 1009  # with the library's own reason
        assert relay.rooms == [] or code == 1009


def test_connections_of_one_address_are_limited() -> None:
    with RelayHost(Limits(calls=0)) as relay, pytest.raises(InvalidStatus) as refused:
        relay.call(ROOM)
    assert refused.value.response.status_code == 429


def test_an_http_request_gets_an_error_without_a_traceback() -> None:
    with RelayHost() as relay, socket.create_connection(("127.0.0.1", relay.port)) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\nHost: relay\r\n\r\n")
        head, _, body = stranger.makefile("rb").read().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 426 ") and b"Traceback" not in body


def test_callers_behind_a_proxy_are_distinguished_by_its_header() -> None:
    with RelayHost(is_proxied=True) as relay:
        for seen in ("192.0.2.1", "192.0.2.2"):
            relay.call(ROOM, additional_headers={"X-Forwarded-For": f"10.0.0.1, {seen}"}).close()
        assert set(relay.relay.calls) == {"192.0.2.1", "192.0.2.2"}


@pytest.mark.parametrize(
    ("named", "origin", "is_let_in"),
    [
        ([], "http://localhost:8128", True),
        ([], "https://evil.test", False),
        ([], "http://localhost.evil.test", False),
        (["https://play.test"], "https://play.test", True),
        (["https://play.test"], "http://localhost:8128", False),
        (["https://play.test"], "null", False),
    ],
)
def test_hostile_pages_are_not_let_in(named: list[str], origin: str, is_let_in: bool) -> None:
    with RelayHost(origins=named) as relay:
        if is_let_in:
            relay.call(ROOM, origin=origin).close()
            return
        with pytest.raises(InvalidStatus) as refused:
            relay.call(ROOM, origin=origin)
        assert refused.value.response.status_code == 403


def test_hostile_address_holds_few_rooms() -> None:
    with RelayHost(Limits(held=2)) as relay, relay.call("one-more-room-" + ROOM), relay.call(ROOM):
        with relay.call("another-room-" + ROOM) as late:
            assert refusal(late) == (4000, "too many rooms for one address")
        with relay.call(GUEST) as guest:  # a guest holds none
            guest.send("here")
            guest.ping().wait()
        assert relay.relay.held == {"127.0.0.1": 2}


LITTLE = "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)); "
LITTLE += "from tools.web.__main__ import main; sys.exit(main(['relay', '--port', '0']))"


@needs.system(os.name == "posix", "POSIX, which limits handles")
def test_hostile_crowd_costs_one_line_and_the_relay_goes_on() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", LITTLE], cwd=SOURCES, stdout=pipe, stderr=pipe, text=True) as relay:
        assert relay.stdout and relay.stderr
        address = relay.stdout.readline().split()[0]
        port = int(address.rpartition(":")[2])
        crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
        said = relay.stderr.readline()
        assert said.startswith("tools.web: cannot take more calls for now: Too many open files"), said
        for each in crowd:
            each.close()
        with connect(f"{address}/{ROOM}"):
            relay.terminate()
        assert relay.stderr.read() == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["relay", "--port", "x"], "argument --port: "),
        (["relay", "--tls", "absent.pem"], "absent.pem: No such file or directory"),
        (["relay", "--tls", __file__], "is no certificate with its key, both as PEM"),
        (["relay", "--host", "192.0.2.1"], "192.0.2.1 port 8129 cannot be had: "),
        (["build", "--relay", "http://x"], "'http://x' is no relay such as relay.example.org"),
    ],
)
def test_a_bad_argument_is_reported_in_one_line(arguments: list[str], says: str) -> None:
    done = run_python("-m", "tools.web", *arguments)
    assert (done.returncode, done.stdout) == (2, "") and says in done.stderr and len(done.stderr.splitlines()) == 1
