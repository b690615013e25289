"""Seals: keys that no third device of the ring knows, and tags that fit one frame once (firmware/link/seals.py)."""

from array import array

import pytest

from firmware.link.events import GONE, HOLD, ROUND, SUM, read_number
from firmware.link.members import LIED, LOST, OVER, RUNNING, WAITING
from firmware.link.ring import BEAT, HEAD, SHARE
from firmware.link.seals import Seals
from firmware.link.wire import LONGEST
from tests.support.handhelds.ring_harness import RingHarness, Side, TappedWire, begun, make_event

# The first vectors of the authors' HalfSipHash-2-4: the key and each text count up from 0.
VECTORS = (
    (0x5B9F35A9, 0xB85A4727, 0x03A662FA, 0x04E7FE8A, 0x89466E2A, 0x69B6FAC5, 0x23FC6358, 0xC563CF8B)
    + (0x8F84B8D0, 0x79E706F8, 0x3479B094, 0x50300808, 0x2F87F057, 0xFF63E677, 0x7CF8FFD6, 0x972BFE74)
)  # fmt: skip


@pytest.mark.parametrize("length", range(len(VECTORS)))
def test_a_tag_is_the_halfsiphash_of_the_first_bytes_alone(length: int) -> None:
    seals = Seals(lambda: 0)
    seals.find_tag(array("H", [0x0100, 0x0302, 0x0504, 0x0706]), bytes(range(length)) + b"\xff" * 4, length)
    assert seals.high << 16 | seals.low == VECTORS[length]


def watch(ring: RingHarness) -> dict[int, list[bytes]]:
    """Return what each device sends on, by its place."""
    sent: dict[int, list[bytes]] = {}
    for place, side in enumerate(ring.sides):
        sent[place] = []

        def note(frame: bytearray, length: int, place: int = place, wire: TappedWire = side.wire) -> bool:
            sent[place].append(bytes(frame[:length]))
            return wire.send_on(frame, length)

        side.wire.tap = note
    return sent


class TestKeys:
    @pytest.mark.parametrize("count", [3, 4])
    def test_no_third_device_sees_both_shares_of_a_key(self, count: int) -> None:
        ring = RingHarness(count)
        sent = watch(ring)
        ring.run(lambda: all(side.session for side in ring.sides))
        numbers = [side.number for side in ring.sides]
        for place, frames in sent.items():
            pairs = {(read_number(frame, 1), read_number(frame, 5)) for frame in frames if frame[0] >> 4 == SHARE}
            assert pairs, "shares were sent"
            for number in numbers:
                for third in numbers:
                    assert numbers[place] in (number, third) or not {(number, third), (third, number)} <= pairs
        for side in ring.sides:
            for other in ring.sides:
                mine = side.session.ring.seals.keys[other.match.me]
                assert side is other or mine == other.session.ring.seals.keys[side.match.me]

    def test_two_devices_send_no_share_and_no_seal(self) -> None:
        ring = RingHarness(2)
        sent = watch(ring)
        ring.run(lambda: all(side.session and side.match.time_ms > 2000 for side in ring.sides))
        assert not any(frame[0] >> 4 == SHARE for frames in sent.values() for frame in frames)
        assert {len(frame) for frame in sent[0] if frame[0] >> 4 == BEAT} == {HEAD}
        assert ring.sides[0].session.ring.seals is None

    @pytest.mark.parametrize("at", [9, 17])
    def test_nobody_begins_while_a_share_or_its_proof_is_wrong(self, at: int) -> None:
        ring = RingHarness(3)
        wire = ring.sides[0].wire

        def change(frame: bytearray, length: int) -> bool:
            if frame[0] >> 4 == SHARE and read_number(frame, 1) != ring.sides[0].number:
                frame[at] ^= 1
            return wire.send_on(frame, length)

        wire.tap = change
        ring.wait(5000)
        assert not any(side.session for side in ring.sides)
        wire.tap = None
        ring.run(lambda: all(side.session for side in ring.sides))

    def test_a_proof_of_other_options_does_not_count(self) -> None:
        ring = RingHarness(3)
        ring.willing = False
        ring.wait(2000)
        lobby = ring.sides[0].lobby
        assert lobby.seals.is_ready(lobby)
        lobby.me.level += 1
        assert not lobby.seals.is_ready(lobby)

    def test_a_share_of_a_device_that_is_no_member_is_dropped(self) -> None:
        ring = RingHarness(3)
        ring.willing = False
        ring.wait(2000)
        lobby = ring.sides[0].lobby
        before = [member.share for member in lobby.members]
        lobby.wire.frame[:9] = bytes([SHARE << 4, 1, 2, 3, 4]) + ring.sides[0].number.to_bytes(4, "little")
        lobby.seals.accept_frame(lobby, 21)
        lobby.seals.accept_frame(lobby, 20)
        assert [member.share for member in lobby.members] == before


def meet_three(count: int = 3) -> tuple[RingHarness, Side, Side]:
    ring = begun(count, plays=False)
    return ring, ring.sides[0], ring.sides[1]


def seal(side: Side, kind: int = BEAT) -> bytearray:
    """Return a sealed frame of a device, which it has not sent."""
    ring = side.session.ring
    frame = bytearray(64)
    ring.write_head(frame, kind, ring.first, ring.told_ms)
    frame[3] = ring.me << 4
    return frame[: ring.seals.sign(frame, HEAD)]


class TestSeals:
    @pytest.mark.parametrize("count", [3, 4])
    def test_a_seal_counts_once_and_in_order(self, count: int) -> None:
        _ring, first, second = meet_three(count)
        check = second.session.ring.seals.check
        early, late = seal(first), seal(first)
        assert len(early) == HEAD + 2 + 4 * (count - 1)
        assert check(late, len(late)) == HEAD and not check(late, len(late)) and not check(early, len(early))

    @pytest.mark.parametrize("at", [0, 3, *range(4, HEAD + 2)])
    def test_any_changed_byte_breaks_a_seal(self, at: int) -> None:
        _ring, first, second = meet_three()
        frame = seal(first)
        frame[at] ^= 16
        assert frame[3] >> 4 > 2 or not second.session.ring.seals.check(frame, len(frame))

    def test_hops_and_marks_of_acceptance_change_on_the_way(self) -> None:
        _ring, first, second = meet_three()
        frame = seal(first)
        frame[0] += 2
        frame[3] |= 5
        assert second.session.ring.seals.check(frame, len(frame)) == HEAD

    def test_a_frame_too_short_for_a_seal_is_dropped(self) -> None:
        _ring, first, second = meet_three()
        assert not second.session.ring.seals.check(seal(first), HEAD + 9)

    def test_the_serial_goes_on_where_its_two_bytes_begin_again(self) -> None:
        _ring, first, second = meet_three()
        first.session.ring.seals.serial = second.session.ring.seals.heard[first.match.me] = 0xFFFF
        frame = seal(first)
        assert frame[HEAD : HEAD + 2] == b"\0\0" and second.session.ring.seals.check(frame, len(frame)) == HEAD

    def test_a_full_play_and_its_seal_fit_into_a_frame(self) -> None:
        ring = begun(4)
        sent = watch(ring)
        events = ring.sides[0].match.events
        events.clear()
        events.add(ROUND << 4, 0)
        for _ in range(20):
            events.add(HOLD << 4, 0)
        ring.wait(50)
        assert max(len(frame) for frame in sent[0]) == LONGEST - 2


class TestResults:
    def test_a_result_shows_once_all_have_reported_it(self) -> None:
        ring = begun(3)
        settled: list[set[int]] = []

        def watch_results() -> bool:
            over = [side for side in ring.sides if side.match.over]
            settled.append({len(over)} if any(side.session.is_settled() for side in ring.sides) else set())
            return all(side.session.is_settled() for side in ring.sides)

        ring.run(watch_results)
        assert set().union(*settled) == {3}

    def test_another_result_of_any_player_ends_the_match_without_one(self) -> None:
        ring = begun(3)
        ring.run(lambda: all(side.match.over for side in ring.sides))
        session = ring.sides[0].session
        session.sums[(session.me + 1) % 3] = 7
        ring.wait(500)
        assert ring.states == [LIED] * 3 and not session.is_settled()

    def test_a_player_who_reports_no_result_is_awaited_for_a_minute(self) -> None:
        ring = begun(3)
        ring.run(lambda: all(side.match.over for side in ring.sides))
        ring.wait(500)
        session = ring.sides[0].session
        session.sums[(session.me + 1) % 3] = -1
        ring.wait(58_000)
        assert session.state == OVER
        ring.wait(3_000)
        assert session.state == LIED

    def test_the_first_result_that_a_player_reports_counts(self) -> None:
        ring = begun(3)
        ring.run(lambda: all(side.session.is_settled() for side in ring.sides))
        session = ring.sides[0].session
        session.apply_event((session.me + 1) % 3, make_event(SUM, 0, 1, 2, 3, 4), 0)
        assert session.is_settled()

    def test_a_player_reported_gone_ends_the_match_for_all(self) -> None:
        ring, first, second = meet_three()
        first.session.apply_event(second.match.me, make_event(GONE, 0, 0, 0, low=first.match.me), 0)
        ring.wait(500)
        assert ring.states == [LIED] * 3

    def test_a_report_about_a_player_who_holds_up_the_match_ends_it(self) -> None:
        ring, first, second = meet_three()
        third = ring.sides[2].match.me
        first.session.stalls.held_ms[third] = 30_000
        first.session.apply_event(second.match.me, make_event(GONE, 0, 0, 0, low=third), 0)
        assert first.session.state == LIED and not first.session.members.accused

    def test_nobody_starts_before_all_know_which_events_of_a_gone_player_count(self) -> None:
        _ring, first, second = meet_three()
        session = first.session
        session.state = WAITING
        session.away, session.unready = 0, -1
        assert session.is_ready()
        session.members.report_gone(second.match.me)
        session.match.events.clear()
        assert not session.is_ready()

    def test_frames_that_come_changed_for_5_s_end_the_match(self) -> None:
        ring, first, second = meet_three()

        def change(frame: bytearray, length: int) -> bool:
            if frame[3] >> 4 == first.match.me:
                frame[6] ^= 1
            return second.wire.send_on(frame, length)

        second.wire.tap = change
        ring.wait(4500)
        assert LIED not in ring.states
        ring.wait(2000)
        assert ring.states == [LIED] * 3

    def test_lines_kept_back_prove_nothing_about_the_player(self) -> None:
        ring, first, second = meet_three()
        first.seat_of(second).owed = -1
        first.session.accuse(second.match.me)
        ring.wait(500)
        assert ring.states == [LIED] * 3 and not first.session.members.accused

    def test_a_lost_link_alone_ends_no_other_match(self) -> None:
        _ring, first, _second = meet_three()
        first.session.members.lost = True
        first.session.set_state(LOST, first.now_ms)
        assert first.session.state == LOST and RUNNING < LOST < LIED
