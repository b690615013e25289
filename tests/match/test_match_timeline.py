"""Stepping through a recorded match in the spare time of frames, and what is handed over to be played on."""

import pytest

from firmware.engine.controls import HARD_DROP, LEFT, SOFT_DROP
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_handover import hand_over
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.match_timeline import SLICE_MS, MatchTimeline
from tests.support.standings import Table, standing

DROPS = 6


class Clock:
    """Show another time at each look."""

    def __init__(self, step_ms: int) -> None:
        self.step_ms = step_ms
        self.now_ms = 0

    def ticks_ms(self) -> int:
        self.now_ms += self.step_ms
        return self.now_ms


def recorded(**options: int) -> MatchRecording:
    """Return a match whose first player drops six Tetriminos, and holds Soft Drop down at its end."""
    table = Table(**options)
    for i in range(DROPS):
        table.press(0, HARD_DROP, 500 + 500 * i)
    table.match.input(0, SOFT_DROP, 1, 3300)
    table.noted.note_of(0, SOFT_DROP, 1, 3300)
    table.match.advance(3400)
    table.noted.stop(3400)
    return MatchRecording(table.noted.replay())


def work(line: MatchTimeline, clock: Clock) -> None:
    """Seek in one frame, which begins now."""
    now_ms = clock.now_ms
    while line.goes_on(clock, now_ms):
        line.pass_time(SLICE_MS)


def seek(line: MatchTimeline, number: int, *steps: int) -> None:
    for step in steps:
        line.step(number, step)
        work(line, Clock(0))
        assert not line.seeking


def test_what_is_not_shown_takes_the_spare_time_of_many_frames() -> None:
    line = MatchTimeline(MatchPlayer(recorded()))
    clock = Clock(8)
    line.step(0, 1)
    frames = 0
    while line.seeking:
        work(line, clock)
        frames += 1
    assert frames > 2 and line.match.seats[0].game.lock_downs == 1


def test_steps_add_up_while_it_is_on_its_way() -> None:
    line = MatchTimeline(MatchPlayer(recorded()))
    line.step(0, 1)
    line.step(0, 1)
    line.step(0, 1)
    work(line, Clock(0))
    assert line.match.seats[0].game.lock_downs == 3
    line.step(0, -1)
    line.step(0, -1)
    work(line, Clock(0))
    assert line.match.seats[0].game.lock_downs == 1


def test_beyond_the_last_lock_down_is_the_end() -> None:
    line = MatchTimeline(MatchPlayer(recorded()))
    seek(line, 0, *[1] * (DROPS + 3))
    assert line.player.is_round_over() and line.match.time_ms == 3400
    seek(line, 0, -1)
    assert line.match.seats[0].game.lock_downs == DROPS


@pytest.mark.parametrize("slice_ms", [7, 16, 100])
def test_a_step_leads_to_the_same_moment_however_it_was_watched(slice_ms: int) -> None:
    line = MatchTimeline(MatchPlayer(recorded()))
    while line.time_ms < 2700:
        line.pass_time(slice_ms)
    seek(line, 0, -1, -1)
    other = MatchTimeline(MatchPlayer(recorded()))
    seek(other, 0, 1, 1, 1, 1)
    assert standing(line.match) == standing(other.match) and line.time_ms == other.time_ms


class TestHandedOver:
    def test_persons_become_computers_and_the_recorder_holds_what_led_there(self) -> None:
        line = MatchTimeline(MatchPlayer(recorded(players=3, who=0x420)))
        line.pass_time(3350)
        recorder = Recorder()
        match = hand_over(line.player, 1, 3, recorder)
        assert [match.options.level_of(i) for i in range(3)] == [3, 0, 4]
        assert not match.seats[0].game.pressed, "nobody holds Soft Drop now"
        for pressed in (1, 0):
            match.input(1, LEFT, pressed, 3360)
            recorder.owner.note_of(1, LEFT, pressed, 3360)
        match.advance(4000)
        recorder.owner.stop(4000)
        player = MatchPlayer(MatchRecording(recorder.owner.replay()))
        player.advance(4000)
        assert standing(player.match) == standing(match)

    def test_without_a_recorder_it_is_handed_over_all_the_same(self) -> None:
        line = MatchTimeline(MatchPlayer(recorded()))
        line.pass_time(3350)
        match = hand_over(line.player, 0, 3, None)
        assert match.options.who == 0x30 and not match.seats[0].game.pressed

    def test_a_head_that_is_too_long_leaves_the_recorder_full(self) -> None:
        recorder = Recorder(90)
        recorder.resize = lambda capacity: None  # type: ignore[method-assign]  # there is no memory for more
        line = MatchTimeline(MatchPlayer(recorded()))
        line.pass_time(3350)
        hand_over(line.player, 0, 3, recorder)
        assert recorder.full

    def test_a_tap_that_has_not_ended_ends_where_it_is_handed_over(self) -> None:
        table = Table()
        for t_ms in (100, 300):
            table.noted.note_of(0, SOFT_DROP, 1, t_ms)
            table.noted.note_of(0, SOFT_DROP, 0, t_ms + 90)
        table.noted.stop(900)
        line = MatchTimeline(MatchPlayer(MatchRecording(table.noted.replay())))
        line.pass_time(350)
        recorder = Recorder()
        match = hand_over(line.player, 0, 3, recorder)
        # The new player presses at once, and holds on.
        match.input(0, SOFT_DROP, 1, 360)
        recorder.owner.note_of(0, SOFT_DROP, 1, 360)
        match.advance(800)
        recorder.owner.stop(800)
        player = MatchPlayer(MatchRecording(recorder.owner.replay()))
        player.advance(800)
        assert player.match.seats[0].game.pressed and standing(player.match) == standing(match)

    @pytest.mark.parametrize("moment_ms", range(20, 1000, 45))
    def test_what_was_only_read_ahead_is_not_taken_for_played(self, moment_ms: int) -> None:
        """Whenever it is handed over, taps noted later last as long as they did."""
        table = Table()
        for t_ms, held_ms in ((100, 40), (200, 40), (300, 90), (450, 40), (600, 150), (800, 150)):
            table.noted.note_of(0, LEFT, 1, t_ms)
            table.noted.note_of(0, LEFT, 0, t_ms + held_ms)
        table.noted.stop(1000)
        line = MatchTimeline(MatchPlayer(MatchRecording(table.noted.replay())))
        line.pass_time(moment_ms)
        recorder = Recorder()
        match = hand_over(line.player, 0, 3, recorder)
        for t_ms, held_ms in ((1000, 40), (1200, 150), (1400, 90), (1600, 90)):
            match.input(0, LEFT, 1, t_ms)
            recorder.owner.note_of(0, LEFT, 1, t_ms)
            match.input(0, LEFT, 0, t_ms + held_ms)
            recorder.owner.note_of(0, LEFT, 0, t_ms + held_ms)
        match.advance(1800)
        recorder.owner.stop(1800)
        recording = MatchRecording(recorder.owner.replay())
        found = [(recording.pressed, recording.time_ms) for _ in iter(recording.read, False)]
        assert found[-8:] == [(1, 1000), (0, 1040), (1, 1200), (0, 1350), (1, 1400), (0, 1490), (1, 1600), (0, 1690)]
        player = MatchPlayer(recording)
        player.advance(1800)
        assert standing(player.match) == standing(match)


def test_where_there_is_no_memory_the_buffer_stays() -> None:
    recorder = Recorder(64)
    recorder.resize(1 << 60)
    assert (recorder.capacity, len(recorder.buffer)) == (64, 64)
