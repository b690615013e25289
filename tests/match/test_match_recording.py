"""A recorded match: its seed, its options and all timed edges replay the same match."""

import random

import pytest

from firmware.engine.controls import HARD_DROP, PAUSE
from firmware.engine.options import Options
from firmware.match.fields import FIELDS as MATCH_FIELDS
from firmware.match.options import MARKED
from firmware.option_table import GAME_FIELDS
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_changes import note_changes
from firmware.save.recordings.match_handover import hand_over
from firmware.save.recordings.match_recorder import WITH_TAPS, start_recording
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording, is_match
from tests.support.recorded import seal
from tests.support.standings import SEED, Table, standing


class TestRecorded:
    @pytest.mark.parametrize("slice_ms", [pytest.param(7, marks=pytest.mark.no_cover), 100, 5000])
    def test_a_recording_replays_the_same_match_at_any_speed(self, slice_ms: int) -> None:
        table = Table(players=3, target=MARKED)
        table.press(0, PAUSE, 100)
        table.play_round(1)
        while not table.match.over:
            table.play_round(2)
        first = standing(table.match)
        table.start_next_round()
        table.play_round(0)
        player = MatchPlayer(MatchRecording(table.noted.replay()))
        for end, another in ((first, True), (standing(table.match), False)):
            t_ms = 0
            while not player.is_round_over():
                t_ms += slice_ms
                player.advance(t_ms)
            assert standing(player.match) == end and player.begin_next() == another
        assert not player.begin_next()

    def test_a_recording_returns_the_noted_values(self) -> None:
        table = Table(teams=0)
        table.press(1, HARD_DROP, 250)
        table.noted.stop(900)
        recording = MatchRecording(table.noted.replay())
        assert (recording.seed, recording.options.wins, recording.choices[1].das_ms) == (SEED, 2, 133)
        assert recording.read()
        assert (recording.number, recording.button, recording.pressed, recording.time_ms) == (1, HARD_DROP, 1, 250)
        assert recording.read() and not recording.pressed and not recording.read() and recording.time_ms == 900
        assert not recording.read()

    def test_a_replay_ends_where_the_match_was_stopped(self) -> None:
        table = Table()
        table.press(0, HARD_DROP, 250)
        table.noted.stop(900)
        player = MatchPlayer(MatchRecording(table.noted.replay()))
        player.advance(5000)
        assert player.match.time_ms == 900 and player.is_round_over() and not player.match.over
        assert not MatchPlayer(MatchRecording(table.noted.replay())).begin_next(), "begin_next() reads to the end"

    def test_edges_after_the_end_of_a_round_are_skipped(self) -> None:
        table = Table()
        table.play_round(0)
        table.noted.note_edge(1, HARD_DROP, 1, table.match.time_ms)
        table.start_next_round()
        table.play_round(1)
        player = MatchPlayer(MatchRecording(table.noted.replay()))
        player.match.over = True
        assert player.begin_next() and player.match.round == 1

    def test_a_full_recorder_ends_the_recording_there(self) -> None:
        table = Table(capacity=120)
        table.play_round(0)
        assert table.recorder.full
        recording = MatchRecording(table.noted.replay())
        while recording.read():
            pass
        assert 0 < recording.time_ms < table.match.time_ms

    def test_recording_continues_after_a_replay(self) -> None:
        table = Table()
        table.press(0, HARD_DROP, 250)
        table.noted.replay()
        table.press(0, HARD_DROP, 550)
        table.noted.stop(600)
        recording = MatchRecording(table.noted.replay())
        assert [recording.read() for _ in range(5)] == [True] * 4 + [False]


Edges = list[tuple[int, int, int, int]]


def read_edges(recording: MatchRecording) -> Edges:
    """Return all edges of a recording as (player, control, pressed, time); a round's end has player -1."""
    one = recording
    read = iter(one.read, False)
    return [(-1 if one.next_round else one.number, one.button, one.pressed, one.time_ms) for _ in read]


class TestTaps:
    """A release is not written if its press lasts as long as the one before."""

    def record_edges(self, edges: Edges, capacity: int = 4096, end_ms: int = 10_000) -> Table:
        table = Table(players=3, capacity=capacity)
        for number, button, pressed, t_ms in edges:
            if number < 0:
                table.match.time_ms = t_ms
                table.noted.note_round(table.match)
            else:
                table.noted.note_edge(number, button, pressed, t_ms)
        table.noted.stop(end_ms)
        return table

    def test_presses_of_equal_length_take_half_the_bytes(self) -> None:
        moments = [(i, button, pressed) for i, button in enumerate(b"\x00\x04\x03" * 9) for pressed in (1, 0)]
        edges = [(0, button, pressed, 100 * i + 38 * (1 - pressed)) for i, button, pressed in moments]
        table = self.record_edges(edges)
        assert read_edges(MatchRecording(table.noted.replay())) == edges
        first = MatchRecording(table.noted.replay()).first
        assert table.recorder.used - first <= 2 * len(edges) // 2 + 4

    @pytest.mark.parametrize(
        "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.no_cover) for seed in range(4, 40))]
    )
    def test_random_edges_survive_recording(self, seed: int) -> None:
        """Overlapping presses, mostly of two lengths, some released in a later round."""
        choice = random.Random(seed)
        edges = []
        down: list[dict[int, int]] = [{}, {}, {}]
        for round_ in range(3):
            t_ms = 0
            for t_ms in range(0, 3000, 20):
                for number, held in enumerate(down):
                    for button in [button for button, until_ms in held.items() if until_ms <= t_ms]:
                        del held[button]
                        edges.append((number, button, 0, t_ms))
                    button = choice.randrange(8)
                    if choice.random() < 0.2 and button not in held:
                        edges.append((number, button, 1, t_ms))
                        if button != PAUSE:
                            held[button] = t_ms + choice.choice((40, 40, 40, 60, 500))
            if round_ < 2:
                edges.append((-1, PAUSE, 0, t_ms))
                down = [{button: choice.randrange(0, 200, 20) for button in held} for held in down]
        recording = MatchRecording(self.record_edges(edges, end_ms=3000).noted.replay())
        assert sort_edges(read_edges(recording)) == sort_edges(edges)
        player = MatchPlayer(recording)
        assert player.begin_next() and player.begin_next()
        rest = read_edges(recording)
        player.rewind_round()
        assert rest and rest == read_edges(recording)

    @pytest.mark.parametrize("held_ms", [0, 1])
    def test_the_first_tap_keeps_its_length(self, held_ms: int) -> None:
        edges = [(0, 4, 1, 100), (0, 4, 0, 100 + held_ms)]
        assert read_edges(MatchRecording(self.record_edges(edges).noted.replay())) == edges

    def test_a_press_at_the_end_of_a_full_recording_has_no_release(self) -> None:
        edges = [(0, 4, pressed, 100 * i + 38 * (1 - pressed)) for i in range(99) for pressed in (1, 0)]
        table = self.record_edges(edges, capacity=160)
        assert table.recorder.full
        found = read_edges(MatchRecording(table.noted.replay()))
        assert found == edges[: len(found)] and len(found) > 10


def sort_edges(edges: Edges) -> Edges:
    """Return edges sorted by time and player within each round."""
    ordered: Edges = []
    block: Edges = []
    for edge in [*edges, (-1, 0, 0, 0)]:
        if edge[0] < 0:
            ordered += [*sorted(block, key=lambda one: (one[3], one[0])), edge]
            block = []
        else:
            block.append(edge)
    return ordered


class TestRounds:
    def play(self, capacity: int) -> Table:
        table = Table(players=2, capacity=capacity)
        table.play_round(0)
        table.start_next_round()
        table.noted.begin_round(table.match)
        table.play_round(1)
        return table

    def test_a_large_recorder_keeps_all_rounds(self) -> None:
        assert MatchRecording(self.play(4096).noted.replay()).round == 0

    def test_a_small_recorder_keeps_the_last_round_and_the_wins_before(self) -> None:
        table = self.play(190)
        recording = MatchRecording(table.noted.replay())
        assert (recording.round, bytes(recording.wins)) == (1, b"\x00\x01")
        player = MatchPlayer(recording)
        while not player.is_round_over():
            player.advance(player.match.time_ms + 500)
        assert standing(player.match) == standing(table.match)

    def test_a_match_takes_a_larger_buffer_and_a_game_shrinks_it(self) -> None:
        recorder = Recorder(2048)
        for players, capacity in ((4, 4096), (2, 8192)):
            start_recording(recorder, WITH_TAPS, players, None)
            assert recorder.capacity == len(recorder.buffer) == capacity
        recorder.begin_game(0, 1, Options())
        assert recorder.capacity == len(recorder.buffer) == 2048

    def test_an_older_recording_without_taps_can_be_read(self) -> None:
        body = b"SKY\x03\x01\x00\x00" + bytes((0x83 + 8, 5, 0x80 + 3, 5, 0x40 + 7))
        edges = read_edges(MatchRecording(seal(body)))
        assert edges == [(0, HARD_DROP, 1, 10), (0, HARD_DROP, 0, 20)]


class TestChanges:
    def change(self, *changes: tuple[int, str, int]) -> Table:
        """Record changes of options at 300 ms, between two presses."""
        table = Table()
        table.press(0, HARD_DROP, 250)
        names = [row[0] for row in GAME_FIELDS]
        note_changes(table.noted, [(at << 5 | names.index(name)) << 10 | value for at, name, value in changes], 300)
        table.press(1, HARD_DROP, 350)
        return table

    def test_options_change_after_the_edges_before(self) -> None:
        recording = MatchRecording(self.change((0, "das_ms", 97), (1, "arr_ms", 8)).noted.replay())
        times = []
        while recording.read():
            times.append((recording.time_ms, recording.choices[0].das_ms, recording.choices[1].arr_ms))
        assert [moment for moment in times if moment[0] == 300] == [(300, *times[0][1:])]
        assert {moment[1:] for moment in times if moment[0] > 300} == {(97, 8)}

    def test_a_match_handed_over_after_a_change_keeps_its_recording(self) -> None:
        player = MatchPlayer(MatchRecording(self.change((1, "das_ms", 97)).noted.replay()))
        player.advance(320)
        recorder = Recorder()
        match = hand_over(player, 1, 3, recorder)
        recorder.owner.stop(match.time_ms)
        recording = MatchRecording(recorder.owner.replay())
        assert recording.choices[1].das_ms == 133
        again = MatchPlayer(recording)
        again.advance(320)
        assert again.match.choices[1].das_ms == 97 and standing(again.match) == standing(match)

    @pytest.mark.parametrize(
        ("change", "message"),
        [((5 << 5 | 6) << 10 | 97, "an option of player 6"), (31 << 10 | 1, "an option that there is not")],
    )
    def test_a_change_of_an_unknown_option_is_damage(self, change: int, message: str) -> None:
        table = Table()
        note_changes(table.noted, [change], 300)
        recording = MatchRecording(table.noted.replay())
        with pytest.raises(ValueError, match=f"^recording is damaged: it changes {message}$"):
            list(iter(recording.read, False))

    def test_a_change_without_room_ends_the_recording(self) -> None:
        table = Table(capacity=120)
        note_changes(table.noted, [6 << 10 | 97] * 20, 300)
        assert table.recorder.full and MatchRecording(table.noted.replay()).read() is False


class TestDamage:
    def blob(self) -> bytes:
        table = Table()
        table.press(0, HARD_DROP, 250)
        return table.noted.replay()

    def test_a_recorded_game_is_no_match(self) -> None:
        recorder = Recorder()
        recorder.begin_game(0, 1, Options())
        game = recorder.recorded(5)
        assert not is_match(game) and is_match(self.blob()) and not is_match(b"SK")
        with pytest.raises(ValueError, match="not a recorded match"):
            MatchRecording(game)

    def test_every_flipped_byte_is_found(self) -> None:
        blob = self.blob()
        for at in range(4, len(blob)):
            damaged = bytearray(blob)
            damaged[at] ^= 0x10
            with pytest.raises(ValueError, match="damaged"):
                MatchRecording(bytes(damaged))

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (b"\x01" + bytes([len(MATCH_FIELDS) + 1]) + bytes(40), "options, this version"),
            (b"\x01\x01\x09\x01\x05\x06\x07", "players is 9"),
            (b"\x80\x80\x80\x80\x80\x80", "does not end"),
            (b"\x80", "does not end"),
        ],
        ids=["more options than this version knows", "options out of their range", "a long number", "a short number"],
    )
    def test_invalid_values_are_refused(self, body: bytes, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            MatchRecording(seal(b"SKY\x03" + body))

    @pytest.mark.parametrize(
        ("number", "wins", "team"), [(2, [0, 2], 2), (9, [9, 0], 1), (1, [1, 1], 2), (0, [1, 0], 1), (1, [256, 0], 1)]
    )
    def test_wins_are_below_the_goal_and_from_the_rounds_before(self, number: int, wins: list[int], team: int) -> None:
        table = Table()
        table.noted.begin_from(table.match, table.match.choices, number, wins)  # type: ignore[arg-type]  # 256
        message = f"^recording is damaged: team {team} cannot have {wins[team - 1]} wins$"
        with pytest.raises(ValueError, match=message):
            MatchRecording(table.noted.replay())

    def test_missing_options_have_their_defaults(self) -> None:
        recording = MatchRecording(seal(b"SKY\x03\x01\x01\x02\x01\x05\x06\x07"))
        assert recording.options.quicken_s == 30 and [choice.level for choice in recording.choices] == [5, 6]
        assert recording.choices[0].das_ms == Options().das_ms

    def test_an_edge_of_an_unknown_player_is_damage(self) -> None:
        recording = MatchRecording(seal(b"SKY\x03\x01\x01\x02\x00\x38"))
        with pytest.raises(ValueError, match=r"^recording is damaged: it has an edge of player 4$"):
            recording.read()
