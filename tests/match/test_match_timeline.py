"""Steps through a recorded match in the spare time of frames, and playing on from a replay."""

from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, LEFT, SOFT_DROP
from firmware.match.match import Match
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_handover import hand_over
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.match_timeline import SLICE_MS, MatchTimeline
from tests.support.handhelds.handheld import Clock
from tests.support.standings import Table, standing

DROPS = 6


def make_recording(**options: int) -> MatchRecording:
    """Return a match whose first player drops six Tetriminos and holds Soft Drop at the end."""
    table = Table(**options)
    for i in range(DROPS):
        table.press(0, HARD_DROP, 500 + 500 * i)
    table.match.input(0, SOFT_DROP, 1, 3300)
    table.noted.note_edge(0, SOFT_DROP, 1, 3300)
    table.match.advance(3400)
    table.noted.stop(3400)
    return MatchRecording(table.noted.replay())


def begin(until_ms: int = 0, **options: int) -> MatchTimeline:
    """Return a timeline of this recording, watched until `until_ms`."""
    line = MatchTimeline(MatchPlayer(make_recording(**options)))
    if until_ms:
        line.pass_time(until_ms)
    return line


def press(match: Match, recorder: Any, number: int, button: int, *edges: tuple[int, int]) -> None:
    """Play and record edges (pressed, time) of a button."""
    for pressed, t_ms in edges:
        match.input(number, button, pressed, t_ms)
        recorder.owner.note_edge(number, button, pressed, t_ms)


def finish(match: Match, recorder: Any, t_ms: int) -> Match:
    """Play on until `t_ms` and stop; check and return the replay of the recording."""
    match.advance(t_ms)
    recorder.owner.stop(t_ms)
    player = MatchPlayer(MatchRecording(recorder.owner.replay()))
    player.advance(t_ms)
    assert standing(player.match) == standing(match)
    return player.match


def work(line: MatchTimeline, clock: Clock) -> None:
    now_ms = clock.now_ms
    while line.goes_on(clock, now_ms):
        line.pass_time(SLICE_MS)


def seek(line: MatchTimeline, number: int, *steps: int) -> None:
    for step in steps:
        line.step(number, step)
        work(line, Clock())
        assert not line.seeking


class TestSteps:
    def test_a_step_is_computed_in_the_spare_time_of_many_frames(self) -> None:
        line = begin()
        clock = Clock(step_ms=8)
        line.step(0, 1)
        frames = 0
        while line.seeking:
            work(line, clock)
            frames += 1
        assert frames > 2 and line.match.seats[0].game.lock_downs == 1

    def test_steps_add_up_while_a_step_is_computed(self) -> None:
        line = begin()
        for step, times, lock_downs in ((1, 3, 3), (-1, 2, 1)):
            for _ in range(times):
                line.step(0, step)
            work(line, Clock())
            assert line.match.seats[0].game.lock_downs == lock_downs

    def test_a_step_beyond_the_last_lock_down_leads_to_the_end(self) -> None:
        line = begin()
        seek(line, 0, *[1] * (DROPS + 3))
        assert line.player.is_round_over() and line.match.time_ms == 3400
        seek(line, 0, -1)
        assert line.match.seats[0].game.lock_downs == DROPS

    @pytest.mark.parametrize("slice_ms", [7, 16, 100])
    def test_a_step_leads_to_the_same_moment_from_any_speed(self, slice_ms: int) -> None:
        line = begin()
        while line.time_ms < 2700:
            line.pass_time(slice_ms)
        seek(line, 0, -1, -1)
        other = begin()
        seek(other, 0, 1, 1, 1, 1)
        assert standing(line.match) == standing(other.match) and line.time_ms == other.time_ms


class TestHandedOver:
    def test_a_handed_over_match_has_computers_and_its_recording(self) -> None:
        line = begin(3350, players=3, who=0x420)
        recorder = Recorder()
        match = hand_over(line.player, 1, 3, recorder)
        assert [match.options.level_of(i) for i in range(3)] == [3, 0, 4]
        assert not match.seats[0].game.pressed, "nobody holds Soft Drop now"
        press(match, recorder, 1, LEFT, (1, 3360), (0, 3360))
        finish(match, recorder, 4000)

    def test_a_match_can_be_handed_over_without_a_recorder(self) -> None:
        match = hand_over(begin(3350).player, 0, 3, None)
        assert match.options.who == 0x30 and not match.seats[0].game.pressed

    def test_a_head_that_is_too_long_leaves_the_recorder_full(self) -> None:
        recorder = Recorder(90)
        recorder.resize = lambda capacity: None  # type: ignore[method-assign]  # out of memory
        hand_over(begin(3350).player, 0, 3, recorder)
        assert recorder.full

    def test_an_unfinished_tap_ends_at_the_handover(self) -> None:
        table = Table()
        for t_ms in (100, 300):
            table.noted.note_edge(0, SOFT_DROP, 1, t_ms)
            table.noted.note_edge(0, SOFT_DROP, 0, t_ms + 90)
        table.noted.stop(900)
        line = MatchTimeline(MatchPlayer(MatchRecording(table.noted.replay())))
        line.pass_time(350)
        recorder = Recorder()
        match = hand_over(line.player, 0, 3, recorder)
        # The new player presses at once and keeps holding.
        press(match, recorder, 0, SOFT_DROP, (1, 360))
        assert finish(match, recorder, 800).seats[0].game.pressed

    @pytest.mark.parametrize("moment_ms", range(20, 1000, 45))
    def test_edges_read_ahead_are_not_recorded_at_a_handover(self, moment_ms: int) -> None:
        """Taps recorded after the handover keep their lengths."""
        table = Table()
        for t_ms, held_ms in ((100, 40), (200, 40), (300, 90), (450, 40), (600, 150), (800, 150)):
            table.noted.note_edge(0, LEFT, 1, t_ms)
            table.noted.note_edge(0, LEFT, 0, t_ms + held_ms)
        table.noted.stop(1000)
        line = MatchTimeline(MatchPlayer(MatchRecording(table.noted.replay())))
        line.pass_time(moment_ms)
        recorder = Recorder()
        match = hand_over(line.player, 0, 3, recorder)
        edges = [(1, 1000), (0, 1040), (1, 1200), (0, 1350), (1, 1400), (0, 1490), (1, 1600), (0, 1690)]
        press(match, recorder, 0, LEFT, *edges)
        finish(match, recorder, 1800)
        recording = MatchRecording(recorder.owner.replay())
        found = [(recording.pressed, recording.time_ms) for _ in iter(recording.read, False)]
        assert found[-8:] == edges


def test_resize_keeps_the_buffer_without_memory() -> None:
    recorder = Recorder(64)
    recorder.resize(1 << 60)
    assert (recorder.capacity, len(recorder.buffer)) == (64, 64)
