"""A recording is a seed, options and timed edges; every damage to its file is noticed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.engine import controls, events
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import make_mode
from firmware.option_table import GAME_FIELDS
from firmware.save.recorder import PLAIN, Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_reading import copy_head
from firmware.save.recordings.recording_trace import Trace
from tests.support.recorded import NAMES, RECORDINGS, edges_of, play, read, record_more, seal

edges = st.lists(st.tuples(st.integers(0, 100_000), st.integers(0, 6), st.booleans()), max_size=50)
# The modes of firmware/modes/README.md.
MODES = ("modes/dig", "modes/dig_race", "modes/survive", "modes/master", "modes/daily", "modes/modern")


class TestTrace:
    @pytest.mark.parametrize("name", NAMES + MODES)
    def test_the_trace_matches_the_file_of_traces(self, name: str) -> None:
        game, trace = play(read(name))
        expected = (RECORDINGS / "traces.txt").read_text(encoding="utf-8").splitlines()[1:]
        assert f"{name} {trace.value:08x} {trace.lock_downs} {game.score} {game.lines}" in expected

    @pytest.mark.parametrize("slice_ms", [7, 16, 50_000])
    def test_the_trace_does_not_depend_on_the_slices(self, slice_ms: int) -> None:
        assert play(read("lost"), slice_ms)[1].value == play(read("lost"))[1].value

    def test_a_player_returns_the_events_of_each_slice(self) -> None:
        """They equal the events of a Game with the same edges."""
        recording, edges = read("sprint"), read("sprint")
        player = Player(recording, recording.game(make_mode(recording.variant)))
        game = edges.game(make_mode(edges.variant))
        has_edge, all_events = edges.read(), 0
        for time_ms in range(0, 60_000, 250):
            happened = 0
            while has_edge and edges.time_ms <= time_ms:
                happened |= game.input(edges.button, edges.pressed, edges.time_ms)
                has_edge = edges.read()
            happened |= game.advance(time_ms)
            assert player.advance(time_ms) == happened
            all_events |= happened
        assert all_events & events.HARD_DROPPED and all_events & events.ELIMINATED

    def test_the_listener_is_called_at_every_lock_down(self) -> None:
        values: list[int] = []
        recording = read("sprint")
        game = recording.game(make_mode(recording.variant))
        game.mode = trace = Trace(game.mode, lambda trace, _game: values.append(trace.value))
        player = Player(recording, game)
        while not player.finished():
            player.advance(10_000_000)
        assert len(values) == trace.lock_downs == len(set(values))


class TestRecorder:
    def test_playback_equals_the_recorded_game(self) -> None:
        options = Options()
        options.level = 9
        recorder = Recorder()
        recorder.begin_game(0, 77, options)
        game = Game(77, options, make_mode(0))
        record_more(game, recorder, 120, 37)
        assert not game.over

    @settings(max_examples=50)
    @given(seed=st.integers(0, (1 << 30) - 1), edges=edges, rest_ms=st.integers(0, 1 << 24))
    def test_a_recording_returns_every_edge(self, seed: int, edges: list[tuple[int, int, bool]], rest_ms: int) -> None:
        recorder = Recorder()
        recorder.begin_game(0, seed, Options())
        time_ms = 0
        written = []
        for gap_ms, button, pressed in edges:
            time_ms += gap_ms
            recorder.record_edge(button, pressed, time_ms)
            written.append((button, int(pressed), time_ms))
        recording = Recording(recorder.recorded(time_ms + rest_ms))
        assert list(edges_of(recording)) == written and (recording.seed, recording.time_ms) == (seed, time_ms + rest_ms)
        assert not recording.read()

    def test_a_full_recorder_ends_the_recording_at_its_last_edge(self) -> None:
        recorder = Recorder(128)
        recorder.begin_game(0, 1, Options())
        for index in range(200):
            recorder.record_edge(controls.LEFT, index % 2, index * 100)
        assert recorder.full
        recording = Recording(recorder.recorded(99_999))
        count = len(list(edges_of(recording)))
        assert 10 < count < 200 and recording.time_ms == (count - 1) * 100

    def test_a_head_without_room_leaves_the_recorder_full_and_as_it_was(self) -> None:
        recorder = Recorder(200)
        recorder.begin_game(0, 1, Options())
        before = bytes(recorder.buffer)
        copy_head(recorder, recorder.used, bytes(200), 0, 8)
        assert recorder.full and bytes(recorder.buffer) == before

    def test_recording_continues_after_a_look_at_it(self) -> None:
        recorder = Recorder()
        recorder.begin_game(0, 1, Options())
        recorder.record_edge(0, 1, 10)
        recorder.recorded(20)
        recorder.record_edge(0, 0, 30)
        recording = Recording(recorder.recorded(40))
        assert [recording.read(), recording.read(), recording.read()] == [True, True, False]

    def test_the_next_game_undoes_what_a_match_added_to_the_buffer(self) -> None:
        recorder = Recorder(128)
        recorder.begin(PLAIN, 300, 400)
        assert (recorder.capacity, len(recorder.buffer)) == (300, 300)
        recorder.begin_game(0, 1, Options())
        assert (recorder.capacity, len(recorder.buffer)) == (128, 128)

    def test_the_header_fits_the_smallest_recorder(self) -> None:
        recorder = Recorder(128)
        options = Options()
        for name, _, most, _ in GAME_FIELDS:
            setattr(options, name, most)
        recorder.begin_game(0, (1 << 30) - 1, options)
        assert recorder.used <= 64


class TestChangedOptions:
    """A change of an option during a game is recorded between its edges."""

    def record(self, *changes: tuple[str, int], capacity: int = 4096) -> Recorder:
        recorder = Recorder(capacity)
        recorder.begin_game(0, 1, Options())
        recorder.record_edge(controls.LEFT, 1, 100)
        recorder.record_edge(controls.LEFT, 0, 200)
        for name, value in changes:
            recorder.note_change(name, value)
        recorder.record_edge(controls.RIGHT, 1, 300)
        return recorder

    def test_a_change_holds_from_the_edge_before_it(self) -> None:
        recording = Recording(self.record(("das_ms", 1000), ("arr_ms", 0)).recorded(400))
        seen = []
        while recording.read():
            seen.append((recording.time_ms, recording.options.das_ms, recording.options.arr_ms))
        assert seen == [(100, 300, 55), (200, 300, 55), (300, 1000, 0)]
        recording.rewind()
        assert (recording.options.das_ms, recording.options.arr_ms) == (300, 55)

    def test_a_recording_without_changes_has_format_1(self) -> None:
        assert self.record().recorded(400)[3] == 1 and self.record(("guard_ms", 50)).recorded(400)[3] == 2

    def test_a_new_game_begins_without_changes(self) -> None:
        recorder = self.record(("das_ms", 100))
        recorder.begin_game(0, 2, Options())
        assert recorder.recorded(0)[3] == 1

    def test_the_recording_ends_at_a_change_without_room(self) -> None:
        recorder = self.record(*[("das_ms", value) for value in range(100, 110)], capacity=self.record().used + 12)
        assert recorder.full
        recording = Recording(recorder.recorded(400))
        assert [t_ms for _, _, t_ms in edges_of(recording)] == [100, 200]
        assert recording.time_ms == 200 and 100 <= recording.options.das_ms < 109

    @pytest.mark.parametrize(
        ("change", "message"),
        [((len(GAME_FIELDS) << 10) + 1, "an option that there is not"), (6 << 10, "option das_ms is 0")],
    )
    def test_an_impossible_change_is_refused(self, change: int, message: str) -> None:
        recorder = self.record()
        recorder.put(change << 4 | 15)
        recording = Recording(recorder.recorded(400))
        assert [recording.read() for _ in range(3)] == [True] * 3
        with pytest.raises(ValueError, match=message):
            recording.read()


class TestFile:
    @settings(max_examples=100)
    @given(at=st.integers(0, 10_000), flip=st.integers(1, 255))
    def test_any_changed_byte_is_noticed(self, at: int, flip: int) -> None:
        blob = bytearray((RECORDINGS / "lost.sky").read_bytes())
        blob[at % len(blob)] ^= flip
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            Recording(bytes(blob))

    @settings(max_examples=50)
    @given(length=st.integers(0, 10_000))
    def test_any_cut_is_noticed(self, length: int) -> None:
        blob = (RECORDINGS / "lost.sky").read_bytes()
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            Recording(blob[: length % len(blob)])

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b"SKY\x03" + bytes(8), "recording has format 3, this version of Skyline reads 1 and 2"),
            (b"GIF8" + bytes(8), "not a Skyline recording: it should begin with SKY"),
            (
                b"SKY\x01\x00\x05\x7f" + bytes(200),
                f"recording has 127 options, this version of Skyline knows {len(GAME_FIELDS)}",
            ),
            (b"SKY\x01\x00\x05\x01\x63", "option level is 99, allowed is 1 to 15"),
            (b"SKY\x01\xff\xff\xff\xff\xff\xff", "recording is damaged: a number at byte 9 does not end"),
            (b"SKY\x01\xff", "recording is damaged: a number at byte 5 does not end"),
        ],
    )
    def test_an_error_names_the_fault_of_a_file(self, body: bytes, message: str) -> None:
        with pytest.raises(ValueError, match=f"^{message}$"):
            Recording(seal(body))
        if body[:4] == b"SKY\x01":
            with pytest.raises(ValueError, match=r"^recording is damaged: its check sum does not match$"):
                Recording(body + bytes(4))

    def test_an_old_recording_plays_with_defaults_of_newer_options(self) -> None:
        old = seal(b"SKY\x01\x00\x05\x01\x03" + b"\x07")
        recording = Recording(old)
        assert recording.options.level == 3 and recording.options.das_ms == 300
        assert not recording.read()
