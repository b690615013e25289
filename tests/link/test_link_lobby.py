"""Devices find each other without roles and agree on everything, or say why not (firmware/link/lobby.py)."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from firmware.link.lobby import RULES, VERSION, Lobby
from firmware.link.ring import BEAT, GREETING, HEAD, MOST_HOPS, PLAY
from firmware.link.session import LinkSession
from firmware.link.wire import Wire
from tests.support.handhelds.ring_harness import Line, Pipe, RingHarness, Side

LENGTH = 27


def meeting(count: int, seed: int = 1) -> RingHarness:
    """Return a circle whose devices have met but are not ready."""
    circle = RingHarness(count, seed)
    circle.willing = False
    circle.run(lambda: all(side.lobby.is_whole() for side in circle.sides))
    circle.wait(500)
    return circle


def lobbies(circle: RingHarness) -> list[Lobby]:
    return [side.lobby for side in circle.sides]


def alone(number: int = 5) -> tuple[Lobby, Wire]:
    """Return a lobby, and the wire of somebody at the other end of its cable."""
    there, back = Line(delay_ms=0), Line(delay_ms=0)
    return Lobby(Wire(Pipe(there, back)), number, b"ABC", 7, 3, 0), Wire(Pipe(back, there))


def pair() -> tuple[Lobby, Lobby, list[Line]]:
    """Return two lobbies at the ends of a cable, and both of its ways."""
    there, back = lines = [Line(delay_ms=0), Line(delay_ms=0)]
    first = Lobby(Wire(Pipe(there, back)), 5, b"ABC", 7, 3, 0)
    return first, Lobby(Wire(Pipe(back, there)), 9, b"XYZ", 7, 3, 0), lines


def pass_time(lines: list[Line], from_ms: int, to_ms: int, *stepped: Lobby, until_sure: Lobby | None = None) -> None:
    """Step lobbies every 20 ms, the others stand still; stop where `until_sure` is so."""
    for now_ms in range(from_ms, to_ms, 20):
        for line in lines:
            line.now_ms = now_ms
        for lobby in stepped:
            if until_sure is None or not until_sure.me.sure:
                lobby.step(now_ms)


def send(wire: Wire, frame: bytes) -> None:
    wire.send(bytearray(frame) + b"\0\0", len(frame))
    wire.push()


def greeting(
    number: int = 9, version: int = VERSION, rules: int = RULES, name: bytes = b"XYZ", level: int = 1
) -> bytes:
    frame = bytearray(LENGTH)
    frame[0] = GREETING << 4
    frame[1:4] = bytes([version, rules & 255, rules >> 8])
    frame[4] = number
    frame[8:11] = name
    frame[16] = level
    frame[23] = number
    return bytes(frame)


def is_pair(lobby: Lobby) -> bool:
    return len(lobby.members) == 2


def heard(wire: Wire) -> list[bytes]:
    """Return the frames that have come."""
    wire.poll()
    found = []
    while length := wire.receive():
        found.append(bytes(wire.frame[:length]))
    return found


class TestMeeting:
    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_all_know_all_in_the_same_order(self, count: int) -> None:
        circle = meeting(count)
        orders = {tuple(member.number for member in lobby.members) for lobby in lobbies(circle)}
        assert len(orders) == 1 and len(orders.pop()) == count

    def test_the_options_of_one_are_everybodys_until_somebody_changes_them(self) -> None:
        circle = meeting(3)
        assert len({lobby.me.wish for lobby in lobbies(circle)}) == 1
        for place in (1, 0, 2):
            circle.sides[place].lobby.propose(50 + place, 4 + place)
            circle.wait(500)
            assert {(lobby.me.wish, lobby.me.level) for lobby in lobbies(circle)} == {(50 + place, 4 + place)}

    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_each_wish_has_a_key_of_its_own(self, count: int) -> None:
        """Else who wants something else takes the others' match for the one that was agreed on."""
        lobby = meeting(count).sides[0].lobby
        keys = set()
        for wish in range(1000, 1032):
            lobby.me.wish = wish
            keys.add(lobby.digest() & 0xFFFF)
        assert len(keys) == 32

    def test_nobody_begins_until_all_are_ready(self) -> None:
        circle = meeting(3)
        circle.sides[0].lobby.me.ready = True
        step = Side.step

        def hold(side: Side, now_ms: int) -> None:
            ready = side.lobby.me.ready
            step(side, now_ms)
            side.lobby.me.ready = ready or side is circle.sides[0]

        for side in circle.sides:
            side.step = functools.partial(hold, side)  # type: ignore[method-assign]
        circle.wait(3000)
        assert not any(lobby.agreed for lobby in lobbies(circle))

    def test_who_goes_is_missed_and_nobody_is_ready_any_more(self) -> None:
        circle = meeting(2)
        lobby = circle.sides[1].lobby
        circle.lines[0].cut = True
        circle.wait(2500)
        assert [member.number for member in lobby.members] == [lobby.me.number]
        assert lobby.lost and not lobby.me.ready
        circle.lines[0].cut = False
        circle.wait(1000)
        assert lobby.is_whole() and not lobby.lost

    def test_nobody_begins_before_all_are_sure_that_all_agree(self) -> None:
        """The last to press A knows first: it stays until the others have heard of it."""
        first, second, lines = pair()
        pass_time(lines, 0, 1000, first, second)
        first.me.ready = True
        pass_time(lines, 1000, 1500, first, second)
        second.me.ready = True
        pass_time(lines, 1500, 1600, second)
        assert second.me.sure and not second.agreed
        pass_time(lines, 1600, 2100, first, second)
        assert first.agreed and second.agreed and first.key == second.key

    def test_who_is_sure_waits_for_one_who_loads_in_silence(self) -> None:
        first, second, lines = pair()
        pass_time(lines, 0, 500, first, second)
        first.me.ready = second.me.ready = True
        pass_time(lines, 500, 1000, first, second, until_sure=second)
        assert second.me.sure and not second.agreed
        lines[0].cut = True
        pass_time(lines, 1000, 6000, second)
        assert not second.lost
        pass_time(lines, 6000, 8000, second)
        assert second.lost and not second.me.ready

    def test_one_who_hears_only_from_the_match_that_all_agreed_agrees(self) -> None:
        circle = meeting(2)
        first, second = lobbies(circle)
        first.me.ready = second.me.ready = second.me.sure = True
        first.agree()
        match: Any = circle.make_match(first)
        session = LinkSession(circle.sides[0].wire, first.key, match, circle.sides[0].clock(circle.now_ms))
        session.ring.send_beat(circle.sides[0].clock(circle.now_ms), 0)
        session.ring.wire.push()
        second.members[first.place].ready = False
        circle.lines[0].now_ms += 100
        second.step(circle.sides[1].clock(circle.now_ms + 100))
        assert second.agreed and second.key == first.key


class TestRefusals:
    def test_another_version_is_told_as_long_as_it_is_there(self) -> None:
        lobby, wire = alone()
        send(wire, greeting(version=7)[:9])
        lobby.step(10)
        assert lobby.refused == (7, RULES)
        assert heard(wire)[0][1] == 7, "all others hear of it too"
        lobby.step(1000)
        assert lobby.refused
        lobby.step(2000)
        assert lobby.refused is None

    def test_other_rules(self) -> None:
        lobby, wire = alone()
        send(wire, greeting(rules=RULES + 1))
        lobby.step(10)
        assert lobby.refused == (VERSION, RULES + 1) and len(lobby.members) == 1

    def test_a_fifth_has_no_place(self) -> None:
        lobby, wire = alone()
        for number in range(10, 14):
            send(wire, greeting(number))
        lobby.step(10)
        assert len(lobby.members) == 4 and lobby.crowded
        assert not lobby.is_whole()

    def test_the_own_greeting_that_comes_back_tells_how_many_there_are(self) -> None:
        lobby, wire = alone()
        lobby.step(0)
        (own,) = heard(wire)
        send(wire, bytes([own[0] + 2]) + own[1:])
        lobby.step(10)
        assert lobby.length == 3 and len(lobby.members) == 1

    @pytest.mark.parametrize(
        "frame",
        [greeting()[:-1], greeting() + b"\0", b"\x10", b"\xf0 nothing known", bytes([PLAY << 4]), bytes(HEAD - 1)],
    )
    def test_what_is_no_greeting_is_nothing(self, frame: bytes) -> None:
        lobby, wire = alone()
        send(wire, frame)
        lobby.step(10)
        assert len(lobby.members) == 1 and lobby.refused is None

    def test_hostile_names_and_levels_do_no_harm(self) -> None:
        lobby, wire = alone()
        send(wire, greeting(name=b"\0Q\xff", level=200))
        lobby.step(10)
        (other,) = [member for member in lobby.members if member is not lobby.me]
        assert bytes(other.name) == b"-Q-" and other.level == 15


class TestTwoMatchesOnOneWire:
    def test_frames_of_a_match_are_passed_on_by_those_who_meet(self) -> None:
        lobby, wire = alone()
        frame = bytes([BEAT << 4, 1, 2]) + bytes(HEAD - 3)
        send(wire, frame)
        lobby.step(10)
        assert bytes([frame[0] + 1]) + frame[1:] in heard(wire)

    def test_what_nobody_takes_out_does_not_go_round_for_ever(self) -> None:
        lobby, wire = alone()
        frame = bytes([BEAT << 4 | MOST_HOPS, 1, 2]) + bytes(HEAD - 3)
        send(wire, frame)
        lobby.step(10)
        assert not [found for found in heard(wire) if found[0] >> 4 == BEAT]

    def test_four_devices_play_two_matches(self) -> None:
        """Two of a ring of four have a match; the other two have theirs."""
        circle = RingHarness(4, 3)
        pairs = (circle.sides[::2], circle.sides[1::2])
        for pair in pairs:
            numbers = [side.number for side in pair]
            for side in pair:
                take, lobby = side.lobby.find, side.lobby

                def find(number: int, now_ms: int, take: Any = take, numbers: Any = numbers) -> Any:
                    return take(number, now_ms) if number in numbers else None

                lobby.find = find  # type: ignore[method-assign]
                lobby.is_whole = functools.partial(is_pair, lobby)  # type: ignore[method-assign]
        circle.run()
        for pair in pairs:
            assert len({side.match.hash() for side in pair}) == 1
        assert len(circle.results()) == 2
