"""The recordings of all devices of a link replay the whole match and give the same trace."""

from collections.abc import Callable

import pytest

from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording, is_linked
from firmware.save.recordings.link_trace import LinkTrace, LoggingHash
from firmware.save.recordings.match_changes import note_changes
from tests.support.handhelds.link_notes import RecordingRing
from tests.support.handhelds.ring_harness import set_faults
from tests.support.recorded import seal


def replay(blob: bytes) -> LinkTrace:
    trace = LinkTrace(LinkRecording(blob))
    trace.play()
    return trace


def damage(blob: bytes, at: int, byte: int) -> bytes:
    return seal(blob[:at] + bytes([byte]) + blob[at + 1 : -4])


def play_two_rounds() -> RecordingRing:
    circle = RecordingRing(2, 5, wins=2)
    circle.run()
    circle.start_next_round()
    circle.run()
    return circle


class TestReplay:
    @pytest.mark.no_cover
    @pytest.mark.parametrize(("count", "delay_ms"), [(2, 5), (3, 5), (4, 5), (2, 700)])
    def test_every_side_replays_the_same_match(self, count: int, delay_ms: int) -> None:
        circle = RecordingRing(count, count + 10, quicken_s=0)
        set_faults(circle.lines, delay_ms=delay_ms)
        circle.run()
        replays = [replay(circle.blob(side)) for side in circle.sides]
        assert len({tuple(recording.lines) for recording in replays}) == 1
        assert {recording.match.hash() for recording in replays} == {side.match.hash() for side in circle.sides}
        for side, recording in zip(circle.sides, replays, strict=True):
            for seat, replayed_seat in zip(side.match.seats, recording.match.seats, strict=True):
                assert seat.game.matrix.masks == replayed_seat.game.matrix.masks

    def test_rounds_follow_each_other(self) -> None:
        circle = play_two_rounds()
        first, second = (replay(circle.blob(side)).lines for side in circle.sides)
        assert first == second
        assert {line[:17] for line in first} >= {f"round {i}  player {j}" for i in (1, 2) for j in (1, 2)}
        assert first[-1].startswith("round 2") and any(line.startswith("round 1") for line in first)

    def test_rewind_round_leads_to_the_beginning_of_the_round(self) -> None:
        circle = play_two_rounds()
        player = LinkPlayer(LinkRecording(circle.blob(circle.sides[0])))
        player.play_round()
        assert player.begin_next()
        before = (player.match.round, list(player.match.wins))
        player.play_round()
        end_hash = player.match.hash()
        player.rewind_round()
        assert (player.match.round, list(player.match.wins)) == before and not player.is_round_over()
        player.play_round()
        assert player.match.hash() == end_hash

    @pytest.mark.no_cover
    def test_a_lost_player_is_gone_in_the_replay_too(self) -> None:
        circle = RecordingRing(4, 7, wins=2)
        circle.run(lambda: all(side.match.time_ms > 300 for side in circle.sides))
        circle.lose(1)
        circle.run()
        circle.sides = circle.living
        circle.start_next_round()
        circle.run()
        assert len({tuple(replay(circle.blob(side)).lines) for side in circle.sides}) == 1

    def test_the_leaver_and_the_winner_record_the_same_match(self) -> None:
        circle = RecordingRing(2, 7)
        circle.run(lambda: all(side.match.time_ms > 3000 for side in circle.sides))
        circle.sides[1].leave()
        circle.run()
        first, second = (replay(circle.blob(side)) for side in circle.sides)
        assert first.lines == second.lines and f"won by team {circle.sides[0].match.me + 1}" in first.lines[-1]
        assert first.match.hash() == second.match.hash() == circle.sides[0].match.hash()

    @pytest.mark.no_cover
    def test_a_leaver_records_until_leaving_and_the_others_everything(self) -> None:
        circle = RecordingRing(3, 7)
        circle.run(lambda: all(side.match.time_ms > 3000 for side in circle.sides))
        leaver, second, third = circle.sides
        leaver.leave()
        circle.run()
        partial = replay(circle.blob(leaver))
        complete = [replay(circle.blob(side)).lines for side in (second, third)]
        assert complete[0] == complete[1] and "won by" in complete[0][-1]
        assert not partial.match.over and len(partial.lines) > 20 and set(partial.lines) < set(complete[0])

    def test_a_full_recorder_ends_the_recording(self) -> None:
        circle = RecordingRing(2, 3, capacity=200)
        circle.run()
        blob = circle.blob(circle.sides[0])
        assert len(blob) <= 200 and not replay(blob).match.over

    def test_keep_first_drops_events_of_one_player_only(self) -> None:
        lines: list[tuple[int, int, int, int]] = []
        hashes = [LoggingHash(number, lines) for number in range(2)]
        for time_ms in (10, 20, 30):
            for hashed in hashes:
                hashed.add(1, time_ms)
        hashes[1].keep_first(2)
        assert [line[:3] for line in lines] == [(10, 0, 1), (10, 1, 1), (20, 0, 2), (20, 1, 2), (30, 0, 3)]

    def test_a_released_pause_and_events_without_room_are_not_recorded(self) -> None:
        recorder_of_link = RecordingRing(2, 3).recorders[0]
        used = recorder_of_link.recorder.used
        recorder_of_link.note_edge(0, 7, 0, 100)
        assert recorder_of_link.recorder.used == used
        recorder_of_link.recorder.full = True
        recorder_of_link.note_event(1, b"\x20\0\0\0", 0, 10)
        recorder_of_link.note_gone(1, 1, 1, 10)
        recorder_of_link.note_next(10)
        note_changes(recorder_of_link, [6 << 10 | 97], 10)
        assert recorder_of_link.recorder.used == used


def find_error(blob: bytes) -> str:
    """Return the error of a file, or an empty text if it plays."""
    try:
        replay(blob)
    except ValueError as wrong:
        return str(wrong)
    return ""


@pytest.fixture(scope="module")
def blob() -> bytes:
    circle = RecordingRing(2, 3)
    circle.run()
    return circle.blob(circle.sides[0])


def test_a_recording_stays_at_its_end(blob: bytes) -> None:
    recording = LinkRecording(blob)
    while recording.read():
        pass
    assert recording.ended and not recording.read()


def damage_options(blob: bytes) -> bytes:
    at = 5
    while blob[at] > 127:
        at += 1
    return damage(blob, at + 1, 99)


class TestDamage:
    @pytest.mark.parametrize(
        ("harm", "why"),
        [
            (lambda blob: b"SKY\x04" + blob[4:], "should begin with SKY and 5"),
            (lambda blob: blob[:50] + bytes([blob[50] ^ 1]) + blob[51:], "check sum"),
            (lambda blob: damage(blob, 4, 3), "there is no player 4"),
            (lambda blob: damage(blob, blob.index(b"ANN") + 1, 0x20), "a player has no name"),
            (damage_options, "recording has 99 options"),
        ],
    )
    def test_invalid_recordings_raise_the_reason(self, blob: bytes, harm: Callable[[bytes], bytes], why: str) -> None:
        assert is_linked(blob) and not is_linked(b"SKY") and not is_linked(b"SKY\x04....")
        with pytest.raises(ValueError, match=why):
            LinkRecording(harm(blob))

    def test_any_changed_byte_plays_or_is_refused(self, blob: bytes) -> None:
        """A refusal has one line."""
        refused = 0
        for at in range(4, len(blob) - 4, 3):
            error = find_error(damage(blob, at, 0xFF if at % 2 else 0x17))
            refused += error != ""
            assert len(error.splitlines()) <= 1
        assert refused > 20

    def test_a_truncated_file_is_refused(self, blob: bytes) -> None:
        assert "does not end" in find_error(seal(blob[:30]))

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            (b"\0", "cannot have done that"),
            (b"\x81\xf8\x01\0", "an option that there is not"),
            (b"\x81\x30\0", "option das_ms is 0"),
        ],
    )
    def test_a_change_that_cannot_be_is_refused(self, blob: bytes, change: bytes, why: str) -> None:
        recording = LinkRecording(blob)
        changed = seal(blob[: recording.at] + bytes([recording.me << 4 | 7, 3]) + change + b"\x07\0")
        assert why in find_error(changed)
        player = LinkPlayer(LinkRecording(changed), lenient=True)
        player.play()
        assert player.damaged

    def test_the_loss_of_a_player_who_never_was_is_refused(self, blob: bytes) -> None:
        error = find_error(seal(blob[: LinkRecording(blob).at] + b"\x39\0\0"))
        assert error == "recording is damaged: player 4 cannot have done that"
