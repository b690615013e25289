"""Any device's recording of a link replays the whole match and traces to the same lines as every other's."""

from collections.abc import Callable

import pytest

from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording, is_linked
from firmware.save.recordings.link_trace import LinkTrace, LoggingHash
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
            for seat, again in zip(side.match.seats, recording.match.seats, strict=True):
                assert seat.game.matrix.masks == again.game.matrix.masks

    def test_rounds_follow_each_other(self) -> None:
        circle = play_two_rounds()
        first, second = (replay(circle.blob(side)).lines for side in circle.sides)
        assert first == second
        assert {line[:17] for line in first} >= {f"round {i}  player {j}" for i in (1, 2) for j in (1, 2)}
        assert first[-1].startswith("round 2") and any(line.startswith("round 1") for line in first)

    def test_a_round_is_played_again_from_its_beginning(self) -> None:
        circle = play_two_rounds()
        player = LinkPlayer(LinkRecording(circle.blob(circle.sides[0])))
        player.play_round()
        assert player.begin_next()
        before = (player.match.round, list(player.match.wins))
        player.play_round()
        ended = player.match.hash()
        player.rewind_round()
        assert (player.match.round, list(player.match.wins)) == before and not player.is_round_over()
        player.play_round()
        assert player.match.hash() == ended

    @pytest.mark.no_cover
    def test_who_is_gone_is_gone_in_the_replay(self) -> None:
        circle = RecordingRing(4, 7, wins=2)
        circle.run(lambda: all(side.match.time_ms > 300 for side in circle.sides))
        circle.lose(1)
        circle.run()
        circle.sides = circle.living
        circle.start_next_round()
        circle.run()
        assert len({tuple(replay(circle.blob(side)).lines) for side in circle.sides}) == 1

    def test_who_leaves_and_who_wins_by_it_have_the_same_match(self) -> None:
        circle = RecordingRing(2, 7)
        circle.run(lambda: all(side.match.time_ms > 3000 for side in circle.sides))
        circle.sides[1].leave()
        circle.run()
        first, second = (replay(circle.blob(side)) for side in circle.sides)
        assert first.lines == second.lines and f"won by team {circle.sides[0].match.me + 1}" in first.lines[-1]
        assert first.match.hash() == second.match.hash() == circle.sides[0].match.hash()

    def test_player_who_leaves_records_until_then_and_the_others_all(self) -> None:
        circle = RecordingRing(3, 7)
        circle.run(lambda: all(side.match.time_ms > 3000 for side in circle.sides))
        leaver, second, third = circle.sides
        leaver.leave()
        circle.run()
        until = replay(circle.blob(leaver))
        both = [replay(circle.blob(side)).lines for side in (second, third)]
        assert both[0] == both[1] and "won by" in both[0][-1]
        assert not until.match.over and len(until.lines) > 20 and set(until.lines) < set(both[0])

    def test_what_does_not_fit_ends_the_recording(self) -> None:
        circle = RecordingRing(2, 3, capacity=200)
        circle.run()
        blob = circle.blob(circle.sides[0])
        assert len(blob) <= 200 and not replay(blob).match.over

    def test_forgotten_events_of_a_player_are_forgotten_of_that_one_alone(self) -> None:
        lines: list[tuple[int, int, int, int]] = []
        hashes = [LoggingHash(number, lines) for number in range(2)]
        for time_ms in (10, 20, 30):
            for hashed in hashes:
                hashed.add(1, time_ms)
        hashes[1].keep_first(2)
        assert [line[:3] for line in lines] == [(10, 0, 1), (10, 1, 1), (20, 0, 2), (20, 1, 2), (30, 0, 3)]

    def test_nothing_is_noted_of_a_pause_let_go_nor_where_nothing_fits(self) -> None:
        noted = RecordingRing(2, 3).recorders[0]
        used = noted.recorder.used
        noted.note_of(0, 7, 0, 100)
        assert noted.recorder.used == used
        noted.recorder.full = True
        noted.note_event(1, b"\x20\0\0\0", 0, 10)
        noted.note_gone(1, 1, 1, 10)
        noted.note_next(10)
        assert noted.recorder.used == used


def refuse(blob: bytes) -> str:
    """Return what is said against a file, nothing where it plays."""
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


def test_at_its_end_it_stays(blob: bytes) -> None:
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
    def test_what_is_no_recording_says_why(self, blob: bytes, harm: Callable[[bytes], bytes], why: str) -> None:
        assert is_linked(blob) and not is_linked(b"SKY") and not is_linked(b"SKY\x04....")
        with pytest.raises(ValueError, match=why):
            LinkRecording(harm(blob))

    def test_any_other_byte(self, blob: bytes) -> None:
        """Whatever a file says, it is played or refused in one line."""
        refused = 0
        for at in range(4, len(blob) - 4, 3):
            said = refuse(damage(blob, at, 0xFF if at % 2 else 0x17))
            refused += said != ""
            assert len(said.splitlines()) <= 1
        assert refused > 20

    def test_a_file_that_ends_too_early(self, blob: bytes) -> None:
        assert "does not end" in refuse(seal(blob[:30]))

    def test_one_who_is_gone_but_never_was(self, blob: bytes) -> None:
        told = refuse(seal(blob[: LinkRecording(blob).at] + b"\x39\0\0"))
        assert told == "recording is damaged: player 4 cannot have done that"
