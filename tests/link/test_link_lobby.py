"""Devices without roles find each other and agree on a match, or show why not (firmware/link/lobby.py)."""

from typing import Any

import pytest

from firmware.link.events import read_number
from firmware.link.lobby import RULES, VERSION, Lobby, Member
from firmware.link.ring import BEAT, GREETING, HEAD, MOST_HOPS, PLAY
from firmware.link.wire import Wire
from tests.support.handhelds.ring_harness import Line, Pipe, RingHarness


def meet(count: int) -> tuple[RingHarness, list[Lobby]]:
    """Return a ring whose devices have met but are not ready, and their lobbies."""
    ring = RingHarness(count)
    ring.willing = False
    ring.run(lambda: all(side.lobby.is_whole() for side in ring.sides))
    ring.wait(500)
    return ring, [side.lobby for side in ring.sides]


def make_pair() -> tuple[Lobby, Lobby, list[Line]]:
    """Return two lobbies at the ends of a cable, and the cable's two lines."""
    there, back = lines = [Line(delay_ms=0), Line(delay_ms=0)]
    first = Lobby(Wire(Pipe(there, back)), 5, b"ABC", 7, 3, 0)
    first.draw = lambda: 5
    return first, Lobby(Wire(Pipe(back, there)), 9, b"XYZ", 7, 3, 0), lines


def pass_time(lines: list[Line], from_ms: int, to_ms: int, *stepped: Lobby, until_sure: Lobby | None = None) -> None:
    """Step these lobbies every 20 ms; stop once `until_sure` is sure."""
    for now_ms in range(from_ms, to_ms, 20):
        for line in lines:
            line.now_ms = now_ms
        for lobby in stepped:
            if until_sure is None or not until_sure.me.sure:
                lobby.step(now_ms)


def receive_frames(*frames: bytes, changes: int = 0) -> tuple[Lobby, Wire]:
    """Return a lobby with `changes` edits after these frames, and the wire at the other end."""
    lobby, other, _lines = make_pair()
    lobby.me.changes = changes
    for frame in frames:
        other.wire.send(bytearray(frame) + b"\0\0", len(frame))
        other.wire.push()
    lobby.step(10)
    return lobby, other.wire


def greeting(number: int = 9, version: int = VERSION, rules: int = RULES, changes: int = 0) -> bytes:
    """Return a greeting with an invalid name, level and delays."""
    head = bytes([GREETING << 4, version, rules & 255, rules >> 8, number, 0, 0, 0]) + b"\0Q\xff\0" + bytes(4)
    return head + bytes([200, changes & 255, changes >> 8]) + bytes(4) + bytes([number, 0, 0, 0]) + b"\xff"


def receive(wire: Wire) -> list[bytes]:
    wire.poll()
    return [bytes(wire.frame[:length]) for length in iter(wire.receive, 0)]


def other_of(lobby: Lobby) -> Member:
    (other,) = [member for member in lobby.members if member is not lobby.me]
    return other


def change(frame: bytes, at: int, *values: int) -> bytes:
    return frame[:at] + bytes(values) + frame[at + len(values) :]


class TestMeeting:
    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_all_lobbies_list_the_players_in_the_same_order(self, count: int) -> None:
        orders = {tuple(member.number for member in lobby.members) for lobby in meet(count)[1]}
        assert len(orders) == 1 and len(orders.pop()) == count

    def test_equal_names_get_the_same_numbers_on_all_screens(self) -> None:
        _ring, lobbies = meet(4)
        for lobby in lobbies:
            for member, name in zip(lobby.members, (b"AAA", b"BOB", b"AAA", b"A!A"), strict=True):
                member.take_name(name, 0)
        for lobby in lobbies:
            assert [lobby.find_tag(place) for place in range(4)] == [b"AA1", b"BOB", b"AA3", b"A-A"]

    def test_an_invalid_letter_of_the_own_name_is_shown_as_a_dash(self) -> None:
        assert Lobby(Wire(Pipe(Line(), Line())), 5, b"B!C", 7, 3, 0).find_tag(0) == b"B-C"

    def test_all_adopt_the_options_edited_last(self) -> None:
        ring, lobbies = meet(3)
        assert len({lobby.me.wish for lobby in lobbies}) == 1
        for place in (1, 0, 2):
            lobbies[place].me.delays = place
            lobbies[place].propose(50 + place, 4 + place)
            ring.wait(500)
            assert {lobby.me.proposal() for lobby in lobbies} == {(50 + place, 4 + place, place)}

    @pytest.mark.parametrize("changes", [0x7FFF, 0xFFFF])
    def test_no_edit_count_wins_for_ever(self, changes: int) -> None:
        for edits in range(2):
            lobby, _wire = receive_frames(greeting(changes=changes), changes=edits * 0x8000)
            assert (lobby.me.wish == 0) == (changes - edits * 0x8000 == 0x7FFF)

    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_each_set_of_options_has_its_own_key(self, count: int) -> None:
        """Else a device with other options would accept frames of the others' match."""
        lobby = meet(count)[1][0]
        keys = set()
        for wish in range(1000, 1032):
            lobby.me.wish = wish
            keys.add(lobby.digest() & 0xFFFF)
        assert len(keys) == 32
        for lobby.me.delays in (1, 2):
            keys.add(lobby.digest() & 0xFFFF)
        assert len(keys) == 34

    def test_a_silent_device_leaves_the_lobby_and_clears_ready(self) -> None:
        ring, (_first, lobby) = meet(2)
        ring.lines[0].cut = True
        ring.wait(2500)
        assert lobby.members == [lobby.me] and lobby.lost and not lobby.me.ready
        ring.lines[0].cut = False
        ring.wait(1000)
        assert lobby.is_whole() and not lobby.lost

    def test_nobody_begins_before_all_are_ready_and_sure_that_all_agree(self) -> None:
        """The last device to press A knows first; it waits until the others know, too."""
        first, second, lines = make_pair()
        pass_time(lines, 0, 1000, first, second)
        first.me.ready = True
        pass_time(lines, 1000, 1500, first, second)
        assert not (first.me.sure or second.me.sure)
        second.me.ready = True
        pass_time(lines, 1500, 1600, second)
        assert second.me.sure and not second.agreed
        pass_time(lines, 1600, 2100, first, second)
        assert first.agreed and second.agreed and first.key == second.key

    def test_a_sure_device_waits_for_one_that_loads_in_silence(self) -> None:
        first, second, lines = make_pair()
        pass_time(lines, 0, 500, first, second)
        first.me.ready = second.me.ready = True
        pass_time(lines, 500, 1000, first, second, until_sure=second)
        assert second.me.sure and not second.agreed
        lines[0].cut = True
        pass_time(lines, 1000, 6000, second)
        assert not second.lost
        pass_time(lines, 6000, 8000, second)
        assert second.lost and not second.me.ready


class TestGreetings:
    def test_a_greeting_carries_all_values_of_its_sender(self) -> None:
        first, second, _lines = make_pair()
        first.me.number, first.me.name[:] = 0x12345678, b"AMZ"
        first.me.wish, first.me.level, first.me.changes, first.me.chooser = 0x1234567, 9, 0x1234, 0x2345678
        first.me.ready = first.me.sure = True
        first.me.ladder = 7
        first.greet(0)
        first.wire.push()
        second.step(0)
        received = other_of(second)
        names = ("number", "name", "ladder", "wish", "level", "changes", "chooser", "ready", "sure")
        assert [getattr(received, name) for name in names] == [getattr(first.me, name) for name in names]
        assert received.consent == first.digest()

    def test_bits_of_a_wish_without_a_meaning_count_for_nothing(self) -> None:
        """Else a peer could give two others the same digest of different levels."""
        frame = bytearray(greeting())
        frame[12:16] = b"\xff\xff\xff\xff"
        lobby, _wire = receive_frames(bytes(frame))
        assert other_of(lobby).wish == (1 << 29) - 1

    def test_an_older_device_reads_the_same_wish_beside_a_ladder(self) -> None:
        lobby, _other, _lines = make_pair()
        lobby.me.wish, lobby.me.ladder = (1 << 26) - 1, 7
        lobby.greet(0)
        older = read_number(lobby.frame, 12) & (1 << 29) - 1  # as version 4 has always read it
        assert older == (1 << 26) - 1

    def test_a_greeting_of_a_player_not_ready_has_no_hash(self) -> None:
        first, second, _lines = make_pair()
        first.step(0)
        second.step(0)
        received = other_of(second)
        assert (received.ready, received.sure, received.consent) == (False, False, 0)

    @pytest.mark.parametrize(("name", "shown"), [(b"AZM", b"AZM"), (b"@[a", b"---")])
    def test_letters_outside_a_to_z_are_shown_as_dashes(self, name: bytes, shown: bytes) -> None:
        assert bytes(receive_frames(change(greeting(), 8, *name))[0].members[1].name) == shown

    @pytest.mark.parametrize(("sent_level", "level"), [(0, 1), (1, 1), (2, 2), (14, 14), (15, 15), (16, 15)])
    def test_a_received_level_is_limited_to_1_to_15(self, sent_level: int, level: int) -> None:
        assert receive_frames(change(greeting(), 16, sent_level))[0].members[1].level == level

    def test_a_greeting_is_sent_every_200_ms(self) -> None:
        lobby, other, lines = make_pair()
        sent = []
        for now_ms in range(601):
            lines[0].now_ms = lines[1].now_ms = now_ms
            lobby.step(now_ms)
            sent += [now_ms] * len(receive(other.wire))
        assert sent == [0, 200, 400, 600]

    def test_a_device_stays_for_1500_ms_without_a_greeting(self) -> None:
        lobby, _wire = receive_frames(greeting())
        for passed_ms, count in ((1499, 2), (1500, 1)):
            lobby.step(10 + passed_ms)
            assert (len(lobby.members), lobby.lost) == (count, count == 1)

    def test_a_new_device_clears_ready(self) -> None:
        lobby, other, _lines = make_pair()
        lobby.me.ready = lobby.lost = True
        other.step(0)
        lobby.step(0)
        assert not lobby.me.ready and not lobby.lost


class TestProposals:
    def test_a_proposal_is_an_edit_of_its_own_player(self) -> None:
        lobby = make_pair()[0]
        me = lobby.me
        me.changes, me.chooser, me.ready = 0xFFFF, 99, True
        lobby.propose(6, 4)
        assert (me.wish, me.level, me.changes, me.chooser, me.ready) == (6, 4, 0, me.number, False)

    @pytest.mark.parametrize(("chooser", "adopted"), [(3, False), (4, False), (6, True)])
    def test_with_equal_edit_counts_the_higher_number_wins(self, chooser: int, adopted: bool) -> None:
        lobby, _other, _lines = make_pair()
        lobby.me.chooser = 4
        member = Member(chooser, 0)
        member.wish, member.level = 8, 9
        lobby.adopt(member)
        assert (lobby.me.wish, lobby.me.level, lobby.me.chooser) == ((8, 9, 6) if adopted else (7, 3, 4))

    @pytest.mark.parametrize("changed", [{}, {"wish": 8}, {"level": 4}, {"delays": 1}])
    def test_only_changed_options_clear_ready(self, changed: dict[str, int]) -> None:
        lobby, _other, _lines = make_pair()
        lobby.me.ready = True
        member = Member(6, 0)
        member.wish, member.level, member.changes = 7, 3, 1
        for name, value in changed.items():
            setattr(member, name, value)
        lobby.adopt(member)
        assert lobby.me.ready == (not changed) and lobby.me.proposal() == member.proposal() and lobby.me.changes == 1


class TestRefusals:
    def test_a_refusal_clears_ready_and_lasts_1500_ms(self) -> None:
        lobby, other, _lines = make_pair()
        lobby.me.ready = True
        other.wire.send(bytearray(greeting(version=7)) + b"\0\0", len(greeting()))
        other.wire.push()
        lobby.step(10)
        assert not lobby.me.ready
        for passed_ms, refused in ((1500, True), (1501, False)):
            lobby.step(10 + passed_ms)
            assert bool(lobby.refused) == refused

    def test_another_version_is_refused(self) -> None:
        lobby, wire = receive_frames(greeting(version=7)[:9])
        assert lobby.refused == (7, RULES)
        assert receive(wire)[0][1] == 7, "it is passed on to the others"

    def test_other_rules_are_refused(self) -> None:
        lobby, _wire = receive_frames(greeting(rules=RULES + 1))
        assert lobby.refused == (VERSION, RULES + 1) and len(lobby.members) == 1

    def test_a_fifth_device_makes_the_lobby_crowded_while_it_sends(self) -> None:
        lobby, _wire = receive_frames(*[greeting(number) for number in range(10, 14)])
        assert len(lobby.members) == 4 and lobby.crowded and not lobby.is_whole()
        lobby.step(2000)
        assert not lobby.crowded

    def test_a_device_without_room_for_more_plays_with_one_other(self) -> None:
        lobby = Lobby(Wire(Pipe(Line(), Line())), 5, b"ABC", 7, 3, 0, most=2)
        for number in (10, 11):
            lobby.accept_greeting(bytearray(greeting(number)), len(greeting(number)), 0)
        assert len(lobby.members) == 2 and lobby.crowded

    def test_the_hops_of_the_own_greeting_count_the_devices(self) -> None:
        lobby, other, _lines = make_pair()
        lobby.step(0)
        (own,) = receive(other.wire)
        other.wire.send(bytearray([own[0] + 2]) + own[1:] + b"\0\0", len(own))
        other.wire.push()
        lobby.step(10)
        assert lobby.length == 3 and len(lobby.members) == 1

    @pytest.mark.parametrize(
        "frame",
        [greeting()[:-1], greeting() + b"\0", b"\x10", b"\xf0 nothing known", bytes([PLAY << 4]), bytes(HEAD - 1)],
    )
    def test_any_other_frame_is_dropped(self, frame: bytes) -> None:
        lobby, _wire = receive_frames(frame)
        assert len(lobby.members) == 1 and lobby.refused is None


class TestTwoMatchesOnOneWire:
    @pytest.mark.parametrize("hops", [0, MOST_HOPS])
    def test_frames_of_another_match_are_passed_on_for_limited_hops(self, hops: int) -> None:
        frame = bytes([BEAT << 4 | hops, 1, 2]) + bytes(HEAD - 3)
        _lobby, wire = receive_frames(frame)
        passed = [found for found in receive(wire) if found[0] >> 4 == BEAT]
        assert passed == ([] if hops else [bytes([frame[0] + 1]) + frame[1:]])

    def test_four_devices_on_one_ring_play_two_matches(self) -> None:
        ring = RingHarness(4, 3)
        pairs = (ring.sides[::2], ring.sides[1::2])
        for pair in pairs:
            numbers = {side.number for side in pair}
            for lobby in [side.lobby for side in pair]:

                def find(number: int, now_ms: int, find: Any = lobby.find, numbers: Any = numbers) -> Any:
                    return find(number, now_ms) if number in numbers else None

                lobby.find = find  # type: ignore[method-assign]
                lobby.is_whole = lambda lobby=lobby: len(lobby.members) == 2  # type: ignore[method-assign, misc]
        ring.run()
        for pair in pairs:
            assert len({side.match.hash() for side in pair}) == 1
        assert len(ring.results()) == 2
