"""The host passes on whole frames of players who are who they say, whoever else connects (sim/hub.py)."""

import random
import select
from collections.abc import Iterator
from contextlib import closing

import pytest

from firmware.link.lobby import RULES, SURE, VERSION, Lobby
from firmware.link.ring import BEAT, GREETING, HEAD, PLAY, SHARE
from firmware.link.wire import Wire
from sim.hub import Hub
from sim.link import LinkError, SocketPipe, join
from tests.support.handhelds.command_lines import find_port
from tests.support.running import wait_until

HASH = b"\x34\x12\x56\x01"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr("sim.hub._SILENT_S", 60)  # no player counts as silent
    monkeypatch.setattr("sim.link._REFUSED_S", 0.05)
    with closing(Hub("127.0.0.1:" + str(find_port()))) as hub:
        yield hub


def greeting(number: int, ready: int = 0, consent: bytes = bytes(4)) -> bytes:
    head = bytes([GREETING << 4, VERSION, RULES & 255, RULES >> 8]) + number.to_bytes(4, "little")
    return head + b"ABC" + bytes([ready]) + bytes(7) + consent + bytes(5)


def play(place: int, kind: int = PLAY, number: int = 0, hops: int = 0, key: bytes = HASH[:2]) -> bytes:
    return bytes([kind << 4 | hops]) + key + bytes([place << 4, number]) + bytes(HEAD - 5)


def share(number: int) -> bytes:
    return bytes([SHARE << 4]) + number.to_bytes(4, "little") + bytes(16)


class Caller:
    """A device at the end of a pipe that says what a test wants."""

    def __init__(self, pipe: SocketPipe, number: int) -> None:
        self.pipe = pipe
        self.wire = Wire(pipe)
        self.number = number
        self.heard: list[bytes] = []

    def say(self, frame: bytes) -> None:
        assert self.wire.send(bytearray(frame) + bytes(2), len(frame))

        def is_out() -> bool:
            self.wire.push()
            return not self.wire.used

        wait_until(is_out)

    def hear(self, frame: bytes) -> None:
        """Wait for a frame; `heard` has what came before it."""

        def came() -> bool:
            self.wire.poll()
            while length := self.wire.receive():
                self.heard.append(bytes(self.wire.frame[:length]))
            return frame in self.heard

        wait_until(came)

    def greet(self, ready: int = 0, consent: bytes = bytes(4)) -> None:
        self.say(greeting(self.number, ready, consent))


def join_in(hub: Hub, number: int) -> Caller:
    """Join, greet, and wait until the hub counts the new player."""
    before = len(hub._ring)
    caller = Caller(join(hub.address), number)
    caller.greet()
    wait_until(lambda: len(hub._ring) > before)
    return caller


def seat(hub: Hub, *numbers: int) -> list[Caller]:
    """Return the host and others who have all agreed to a match."""
    host = Caller(hub, numbers[0])
    host.greet()
    callers = [host, *(join_in(hub, number) for number in numbers[1:])]
    for ready in (1, SURE):
        for caller in callers:
            caller.greet(ready, HASH)
        wait_until(lambda: all(end.consent for end in hub._ring))
    wait_until(lambda: bool(hub._guard._seats))
    return callers


class TestRing:
    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_each_player_hears_the_previous_one(self, hub: Hub, count: int) -> None:
        around = [Caller(hub, 1), *(join_in(hub, 2 + i) for i in range(count))]
        for place, caller in enumerate(around):
            caller.greet(1)
            around[(place + 1) % len(around)].hear(greeting(caller.number, 1))

    def test_a_single_player_hears_nothing(self, hub: Hub) -> None:
        host = Caller(hub, 1)
        host.greet()
        other = join_in(hub, 2)
        other.greet(1)
        host.hear(greeting(2, 1))
        assert greeting(1) not in host.heard

    def test_a_fifth_player_is_refused(self, hub: Hub) -> None:
        held = [join_in(hub, 2 + i) for i in range(3)]
        with pytest.raises(LinkError, match=r"^4 are linked at 127\.0\.0\.1, port \d+, already: there is no room$"):
            join(hub.address)
        assert all(caller.pipe._connection for caller in held)

    def test_a_player_who_leaves_is_skipped_and_may_return(self, hub: Hub) -> None:
        host = Caller(hub, 1)
        first, second = join_in(hub, 2), join_in(hub, 3)
        first.pipe.close()
        wait_until(lambda: len(hub._ring) == 2)
        host.greet()
        second.hear(greeting(1))
        buffer = bytearray(8)
        wait_until(lambda: not first.pipe.read_into(buffer) and first.pipe._connection is not None)
        first.greet()
        wait_until(lambda: len(hub._ring) == 3)
        second.greet(1)
        first.hear(greeting(3, 1))

    def test_a_silent_player_is_skipped(self, hub: Hub) -> None:
        """A handheld in the menus does not listen to its link."""
        host, silent = Caller(hub, 1), join_in(hub, 2)
        for end in hub._ring[1:]:
            end.heard_s -= 100
        second = join_in(hub, 3)
        host.greet()
        second.hear(greeting(1))
        silent.greet(1)
        second.hear(greeting(2, 1))
        host.greet(1)
        silent.hear(greeting(1, 1))

    def test_at_most_16_kilobytes_wait_for_a_player_who_does_not_read(self, hub: Hub, monkeypatch) -> None:
        host, silent = Caller(hub, 1), join_in(hub, 2)
        here, after = hub._ring
        monkeypatch.setattr(after, "flush", lambda: None)
        for _ in range(800):
            host.say(greeting(1))
        wait_until(lambda: not select.select([here.connection], [], [], 0)[0])
        wait_until(lambda: len(after.waiting) > 15 << 10)
        assert len(after.waiting) <= 16 << 10
        silent.pipe.close()

    def test_after_the_host_leaves_frames_are_lost(self, hub: Hub) -> None:
        caller = join_in(hub, 2)
        hub.close()
        buffer = bytearray(8)
        wait_until(lambda: not caller.pipe.read_into(buffer) and caller.pipe._connection is None)
        assert caller.pipe.write(memoryview(b"nowhere")) == 7 and caller.pipe.read_into(buffer) == 0

    def test_the_default_address_is_loopback(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sim.link.PORT", find_port())
        with closing(Hub()) as hub:
            assert hub.address.startswith("127.0.0.1:")

    def test_the_shown_address_leads_to_this_computer(self) -> None:
        with closing(Hub(f"0.0.0.0:{find_port()}")) as hub:
            assert join_in(hub, 2).pipe._connection and not hub.address.startswith("0.")

    def test_three_lobbies_agree_on_a_match(self, hub: Hub) -> None:
        pipes = [hub, join(hub.address), join(hub.address)]
        lobbies = [Lobby(Wire(pipe), 5 * (i + 1), b"ABC", 7, 3, 0) for i, pipe in enumerate(pipes)]
        for place, lobby in enumerate(lobbies):
            lobby.draw = random.Random(place).randrange(1 << 30).__int__
        now_ms = 0

        def agree() -> bool:
            nonlocal now_ms
            now_ms += 20
            for lobby in lobbies:
                if not lobby.agreed:
                    lobby.me.ready = lobby.is_whole() and len(lobby.members) == 3
                    lobby.step(now_ms)
            return all(lobby.agreed for lobby in lobbies)

        wait_until(agree)
        ((consent, seats),) = hub._guard._seats.values()
        assert int.from_bytes(consent, "little") == lobbies[0].seed
        assert [end.number[0] for end in seats] == [5, 10, 15]


class TestHostileGuests:
    @pytest.mark.slow
    def test_silent_connections_take_nobodys_place(self, hub: Hub) -> None:
        silent = [join(hub.address) for _ in range(10)]
        host = Caller(hub, 1)
        players = [join_in(hub, 2 + i) for i in range(3)]
        players[-1].greet(1)
        host.hear(greeting(4, 1))
        assert len(hub._ring) == 4
        for pipe in silent:
            pipe.close()

    def test_noise_is_no_greeting(self, hub: Hub) -> None:
        noisy = join(hub.address)
        noisy.write(memoryview(b"GET / HTTP/1.1\r\n\r\n\0\0\0\x05abc\0" * 20))
        player, host = join_in(hub, 2), Caller(hub, 1)
        player.greet(1)
        host.hear(greeting(2, 1))
        assert len(hub._ring) == 2

    @pytest.mark.slow
    def test_one_silent_connection_too_many_takes_the_place_of_the_oldest(self, hub: Hub) -> None:
        silent = [join(hub.address) for _ in range(17)]
        buffer = bytearray(8)
        wait_until(lambda: not silent[0].read_into(buffer) and silent[0]._connection is None)
        assert join_in(hub, 2).pipe._connection

    def test_a_guest_who_greets_when_all_places_are_taken_is_dropped(self, hub: Hub) -> None:
        late = Caller(join(hub.address), 9)
        held = [join_in(hub, 2 + i) for i in range(3)]
        late.greet()
        buffer = bytearray(8)
        wait_until(lambda: not late.pipe.read_into(buffer) and late.pipe._connection is None)
        assert all(caller.pipe._connection for caller in held)


class TestForgedFrames:
    """Three have agreed: 20 is player 0, 30 player 1 and 40 player 2. In the ring 30 hears 40, which hears 20."""

    @pytest.fixture
    def callers(self, hub: Hub) -> list[Caller]:
        return seat(hub, 30, 20, 40)

    @pytest.mark.parametrize("kind", [PLAY, BEAT])
    def test_a_player_speaks_for_its_own_place(self, callers: list[Caller], kind: int) -> None:
        first, second, third = callers
        for caller, after, place in ((first, second, 1), (second, third, 0), (third, first, 2)):
            caller.say(play(place, kind))
            after.hear(play(place, kind))

    @pytest.mark.parametrize("place", [1, 2, 3, 15])
    def test_a_forged_frame_in_anothers_name_is_dropped(self, callers: list[Caller], place: int) -> None:
        _first, liar, after = callers
        liar.say(play(place))
        liar.say(play(0, number=1))
        after.hear(play(0, number=1))
        assert play(place) not in after.heard

    def test_a_player_shares_under_its_own_number(self, callers: list[Caller]) -> None:
        _first, liar, after = callers
        for number in (40, 30, 20):
            liar.say(share(number))
        after.hear(share(20))
        assert share(40) not in after.heard and share(30) not in after.heard

    def test_a_player_passes_on_what_it_was_given(self, callers: list[Caller]) -> None:
        first, second, third = callers
        first.say(play(1))
        second.hear(play(1))
        passed = bytearray(play(1, hops=1))
        passed[3] |= 1  # player 0 has it
        second.say(bytes(passed))
        third.hear(bytes(passed))

    def test_a_frame_that_was_changed_on_its_way_is_dropped(self, callers: list[Caller]) -> None:
        first, liar, third = callers
        first.say(play(1))
        liar.hear(play(1))
        forged = play(1, number=5, hops=1)
        liar.say(forged)
        liar.say(play(0))
        third.hear(play(0))
        assert forged not in third.heard

    def test_nobody_greets_with_anothers_number(self, callers: list[Caller]) -> None:
        _first, liar, third = callers
        liar.say(greeting(40, 1))
        liar.say(play(0))
        third.hear(play(0))
        assert greeting(40, 1) not in third.heard

    def test_a_late_greeting_changes_nobodys_place(self, callers: list[Caller]) -> None:
        """With the number 99 the liar would be player 2."""
        _first, liar, third = callers
        liar.say(greeting(99, SURE, HASH))
        liar.say(play(2))
        liar.say(play(0))
        third.hear(play(0))
        assert play(2) not in third.heard

    def test_frames_of_a_match_to_which_nobody_agreed_are_dropped(self, callers: list[Caller]) -> None:
        _first, liar, third = callers
        forged = play(0, key=b"\x77\x77")
        liar.say(forged)
        liar.say(play(0))
        third.hear(play(0))
        assert forged not in third.heard

    def test_the_seats_of_a_match_are_forgotten_once_all_have_left_it(self, hub: Hub, callers: list[Caller]) -> None:
        for caller in callers:
            caller.number += 1
            caller.greet()
        for ready in (1, SURE):
            for caller in callers:
                caller.greet(ready, b"\1\2\3\4")
        wait_until(lambda: list(hub._guard._seats) == [b"\1\2"])
