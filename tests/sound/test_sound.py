"""Guideline 13.2, 13.3: one voice plays effects, the most important first, and music between them."""

import itertools
import math
import sys

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.engine import events
from firmware.sound.effects import HEARD, MENU_BACK, MENU_CHOOSE, MENU_MOVE, NOTES, STARTS
from firmware.sound.voice import TUNES, Voice, pitch_hz
from tests.support.needs import needs_wasm
from tools import interpreters, sounds
from tools.assets import tunes

FRAME_MS = 16
LATER_MS = 1_000


def bits(names: str) -> int:
    """Return the event bits of names that are joined by bars."""
    return sum(getattr(events, name) for name in names.split("|"))


# All actions of Guideline 13.2 in this game, from the minimum and the extended list.
MOVES = ["ROTATED", "MOVED", "LANDED", "MOVE_FAILED", "ROTATE_FAILED", "HELD", "HOLD_FAILED", "SOFT_DROPPED"]
MOVES += ["HARD_DROPPED|LOCKED", "LOCKED", "ELIMINATED", "GENERATED"]
SPINS = [f"{spin}|{lines}" for spin in ("T_SPIN", "MINI_T_SPIN") for lines in ("SINGLE", "DOUBLE")]
BACK_TO_BACKS = [f"BACK_TO_BACK|{lines}" for lines in ("TETRIS", *SPINS[:3], "T_SPIN|TRIPLE")]
CLEARS = ["SINGLE", "DOUBLE", "TRIPLE", "TETRIS", "T_SPIN", "MINI_T_SPIN", "T_SPIN|TRIPLE", *SPINS, *BACK_TO_BACKS]
OTHERS = ["LEVEL_UP|ELIMINATED", "GARBAGE", "GAME_OVER|LOCKED", "GAME_OVER|COMPLETED"]
ACTIONS = {name: bits(name) for name in MOVES + OTHERS} | {name: events.LOCKED | bits(name) for name in CLEARS}

# Two effects sound different if one is silent, or they are this many semitones apart, ...
APART_SEMITONES = 3.5
# ... for this time, or for half of the longer effect if that is less.
APART_MS = 48


class Buzzer:
    """Record the tones of the buzzer as (hz, duty), hz 0 for silence."""

    def __init__(self) -> None:
        self.tones: list[tuple[int, int]] = []

    def tone(self, hz: int, duty: int) -> None:
        assert 60 <= hz <= 5000 and 0 < duty <= 32768
        self.tones.append((hz, duty))

    def off(self) -> None:
        self.tones.append((0, 0))

    @property
    def hz(self) -> int:
        return self.tones[-1][0] if self.tones else 0


class Player:
    """A voice and a clock that a test advances in frames."""

    def __init__(self, now_ms: int = 0) -> None:
        self.buzzer = Buzzer()
        self.voice = Voice(self.buzzer)
        self.now_ms = now_ms
        self.voice.update(self.now_ms)

    def tell(self, happened: int) -> None:
        self.voice.tell(happened, self.now_ms)
        self.voice.update(self.now_ms)

    def tell_menu(self, sound: int) -> None:
        self.voice.tell_menu(sound)
        self.voice.update(self.now_ms)

    def play_tune(self, number: int) -> None:
        self.voice.play_tune(number)
        self.voice.update(self.now_ms)

    def wait(self, length_ms: int, frame_ms: int = FRAME_MS) -> list[tuple[int, int]]:
        """Let time pass; return the sound as runs of (hz, ms)."""
        runs: list[tuple[int, int]] = []
        for _ in range(0, length_ms, frame_ms):
            hz = self.buzzer.hz
            if runs and runs[-1][0] == hz:
                runs[-1] = (hz, runs[-1][1] + frame_ms)
            else:
                runs.append((hz, frame_ms))
            self.now_ms = (self.now_ms + frame_ms) % TICKS_PERIOD
            self.voice.update(self.now_ms)
        return runs

    def finish(self) -> int:
        """Wait until the effect ends; return the time in ms."""
        begun_ms = self.now_ms
        while self.voice.priority:
            self.wait(1, 1)
        return self.now_ms - begun_ms

    @property
    def state(self) -> tuple[int, ...]:
        voice = self.voice
        return (voice.priority, voice.phrase, voice.at, voice.left_ms, voice.tune_at, voice.tune_ms)


def sound_of(happened: int) -> list[tuple[int, int]]:
    """Return the sound of an event as runs of (hz, ms), without the silence after it."""
    player = Player(LATER_MS)
    player.tell(happened)
    runs = player.wait(1500, 1)
    assert runs.pop()[0] == 0
    return runs


def contour_of(label: str, frame_ms: int) -> list[float | None]:
    """Return an effect of the score for each ms: semitones above A4, or None for silence; without its end.

    Pitches are those of the board's pin: its 16-bit counter counts sixteenths of 125 MHz cycles.
    """
    steps_hz = 125_000_000 * 16 / 65_536
    player = Player(LATER_MS)
    sounds.start_effect(player.voice, label, player.now_ms)
    player.voice.update(player.now_ms)
    runs = player.wait(1500, frame_ms)[:-1]
    pitches = {hz: 12 * math.log2(steps_hz / round(steps_hz / hz) / 440) if hz else None for hz, _ms in runs}
    return [pitches[hz] for hz, length_ms in runs for _ in range(length_ms)]


def apart_ms(one: list[float | None], other: list[float | None]) -> int:
    """Return the time in ms for which two effects, begun together, sound different."""
    return sum(
        a is not b if a is None or b is None else abs(a - b) >= APART_SEMITONES
        for a, b in itertools.zip_longest(one, other)
    )


class TestEffects:
    @pytest.fixture
    def player(self) -> Player:
        return Player(LATER_MS)

    def test_a_note_is_a_semitone_counted_from_c2_in_whole_hertz(self) -> None:
        assert [pitch_hz(1), pitch_hz(13), pitch_hz(34), pitch_hz(72)] == [65, 131, 440, 3952]
        for note in range(1, 73):
            assert pitch_hz(note) == pytest.approx(440 * 2 ** ((note - 34) / 12), rel=0.001, abs=1)

    @pytest.mark.parametrize("action", ACTIONS)
    def test_every_action_sounds_and_ends(self, action: str) -> None:
        assert sound_of(ACTIONS[action])[0][0] > 0

    def test_every_effect_is_distinct_by_its_notes_alone(self) -> None:
        """The pitches in a row, without their lengths, tell the effects apart."""
        tones = [tuple(hz for hz, _ms in sound_of(happened)) + (0,) for happened in ACTIONS.values()]
        for sound in (MENU_MOVE, MENU_CHOOSE, MENU_BACK):
            player = Player()
            player.tell_menu(sound)
            tones.append(tuple(hz for hz, _ms in player.wait(1000, 1)))
        assert len(set(tones)) == len(tones)

    @pytest.mark.parametrize("frame_ms", [1, 16, 17])
    def test_every_two_effects_differ_to_the_ear_by_contour_or_length(self, frame_ms: int) -> None:
        """They differ as written, and in the frames of a game, which lengthen the shortest notes."""
        contours = {label: contour_of(label, frame_ms) for label, _notes in tunes.read_score(tunes.EFFECTS).bars}
        assert {"MOVED", "ELIMINATED", "GENERATED"} <= set(contours)
        for (label, one), (other_label, other) in itertools.combinations(contours.items(), 2):
            needed_ms = min(APART_MS, max(len(one), len(other)) / 2)
            assert apart_ms(one, other) >= needed_ms > 0, (label, other_label)

    @pytest.mark.parametrize(
        ("first", "then"),
        [("T_SPIN", "SINGLE"), ("T_SPIN", "DOUBLE"), ("T_SPIN", "TRIPLE"), ("BACK_TO_BACK", "TETRIS")],
    )
    def test_a_t_spin_and_a_back_to_back_have_a_motif_before_the_lines(self, first: str, then: str) -> None:
        assert sound_of(bits(first) | bits(then)) == sound_of(bits(first)) + sound_of(bits(then))

    def test_more_lines_sound_longer(self) -> None:
        lengths = []
        for lines in (events.SINGLE, events.DOUBLE, events.TRIPLE, events.TETRIS):
            player = Player()
            player.tell(lines)
            lengths.append(player.finish())
        assert lengths == sorted(lengths) and len(set(lengths)) == 4

    def test_events_without_an_effect_are_silent(self, player: Player) -> None:
        player.tell(0)
        player.tell(~HEARD & 0x3FFFFFFF)
        player.wait(100)
        assert player.buzzer.tones == []

    @pytest.mark.parametrize(
        ("names", "loudest"),
        [("TETRIS|LOCKED|MOVED", "TETRIS"), ("GENERATED|LOCKED|SOFT_DROPPED", "LOCKED")]
        + [("HARD_DROPPED|LOCKED", "HARD_DROPPED"), ("ELIMINATED|GENERATED", "ELIMINATED")]
        + [(f"{faint}|{other}", other) for faint in ("ELIMINATED", "GENERATED") for other in ("LEVEL_UP", "MOVED")],
    )
    def test_the_most_important_of_several_events_sounds(self, names: str, loudest: str) -> None:
        assert sound_of(bits(names)) == sound_of(bits(loudest))

    @pytest.mark.parametrize(
        ("less", "more"),
        [("MOVED", "LOCKED"), ("TETRIS", "LEVEL_UP"), ("SINGLE", "TETRIS"), ("MOVED", "TETRIS")]
        + [("LOCKED", "LEVEL_UP"), ("HELD", "GAME_OVER")]
        + [(faint, other) for faint in ("ELIMINATED", "GENERATED") for other in ("MOVED", "SINGLE")],
    )
    def test_a_more_important_effect_interrupts_a_less_important_one(self, less: str, more: str) -> None:
        for before, after in ((less, more), (more, less)):
            player = Player(LATER_MS)
            player.tell(bits(before))
            player.tell(bits(after))
            assert player.wait(1500, 1)[:-1] == sound_of(bits(more))

    def test_a_repeated_event_restarts_its_effect(self, player: Player) -> None:
        player.tell(events.MOVED)
        player.finish()
        player.tell(events.MOVED)
        assert player.buzzer.hz > 0

    def test_a_menu_sound_interrupts_every_effect(self, player: Player) -> None:
        player.tell(events.COMPLETED)
        player.tell_menu(MENU_MOVE)
        assert player.buzzer.hz == 880

    def test_a_soft_drop_sounds_at_its_start_not_at_each_row(self, player: Player) -> None:
        for _ in range(20):
            player.tell(events.SOFT_DROPPED)
            player.wait(48)
        assert [hz for hz, _duty in player.buzzer.tones].count(pitch_hz(0x25)) == 1
        player.wait(200)
        player.tell(events.SOFT_DROPPED)
        assert player.buzzer.hz == pitch_hz(0x25)

    def test_a_soft_drop_hides_no_other_effect(self, player: Player) -> None:
        player.tell(events.SOFT_DROPPED)
        player.finish()
        player.tell(events.SOFT_DROPPED | events.ROTATED)
        assert player.voice.priority == events.ROTATED

    @pytest.mark.parametrize("now_ms", [0, 1, TICKS_PERIOD // 2, TICKS_PERIOD - 65_000, TICKS_PERIOD - 1])
    def test_the_first_soft_drop_sounds_at_any_time_of_the_clock(self, now_ms: int) -> None:
        player = Player(now_ms)
        player.voice.soft_ms = (now_ms - 1000) % TICKS_PERIOD
        player.tell(events.SOFT_DROPPED)
        assert player.buzzer.hz > 0

    def test_effects_last_as_written_across_the_wrap_of_the_clock(self) -> None:
        player = Player(TICKS_PERIOD - 50)
        player.tell(events.LEVEL_UP)
        assert player.wait(400, 1)[:3] == [(784, 40), (0, 16), (784, 40)]

    def test_silence_ends_an_effect_at_once(self, player: Player) -> None:
        player.tell(events.TETRIS)
        player.voice.silence()
        assert player.wait(500) == [(0, 512)]

    def test_the_table_has_an_effect_for_every_bit_that_sounds(self) -> None:
        assert all(NOTES[STARTS[bit]] for bit in range(23) if HEARD >> bit & 1) and not HEARD >> 23


E5, B4, C5, D5, A4 = 659, 494, 523, 587, 440


def start_music(number: int = 0) -> Player:
    player = Player(LATER_MS)
    player.play_tune(number)
    return player


SCRIPT = [0, 0, events.MOVED, events.ROTATED | events.MOVED, events.SOFT_DROPPED, events.SOFT_DROPPED, 0]
SCRIPT += [events.LOCKED, events.TETRIS | events.BACK_TO_BACK, 0, events.LEVEL_UP, 0, 0, 0, events.HELD, 0]


class TestMusic:
    @pytest.fixture
    def player(self) -> Player:
        return start_music()

    def test_13_3_the_first_tune_is_korobeiniki(self) -> None:
        """A quarter takes 400 ms; a short silence separates repeated notes."""
        assert TUNES[0] == "korobeiniki"
        phrase = [(E5, 400), (B4, 200), (C5, 200), (D5, 400), (C5, 200), (B4, 200), (A4, 376), (0, 24), (A4, 200)]
        phrase += [(C5, 200), (E5, 400), (D5, 200), (C5, 200), (B4, 600), (C5, 200), (D5, 400), (E5, 400)]
        assert start_music().wait(4800, 1) == phrase

    @pytest.mark.parametrize("number", range(len(TUNES)))
    def test_a_tune_begins_again_when_it_ends(self, number: int) -> None:
        length_ms = sum(start_music(number).voice.tune[:-1:2]) * 8
        player = start_music(number)
        once = player.wait(length_ms, 8)
        assert player.wait(length_ms, 8) == once

    @pytest.mark.parametrize("frame_ms", [5, 16, 17, 33, 66])
    def test_the_tempo_is_the_same_at_every_frame_rate(self, player: Player, frame_ms: int) -> None:
        player.wait(38_400 * 3 + 800, frame_ms)
        assert player.voice.tune_at in range(6, 12)  # C5 begins at 600, lasts to 800; D5 to 1200

    def test_only_the_notes_of_a_tune_stay_in_memory(self) -> None:
        player = start_music(1)
        assert "firmware.sound.minuet" not in sys.modules and not hasattr(sys.modules["firmware.sound"], "minuet")
        player.voice.play_tune(0)
        player.voice.play_tune(1)
        assert player.voice.playing

    def test_music_is_faster_with_a_shorter_unit(self, player: Player) -> None:
        player.voice.unit_ms = 6
        assert player.wait(1200, 1)[1:3] == [(B4, 150), (C5, 150)]

    def test_music_continues_where_a_line_clear_interrupted_it(self, player: Player) -> None:
        player.wait(500, 1)
        assert player.buzzer.hz == B4
        player.tell(events.TETRIS)
        assert player.finish() == 400 and player.wait(800, 1)[:3] == [(B4, 100), (C5, 200), (D5, 400)]

    def test_music_keeps_time_beneath_a_move(self, player: Player) -> None:
        player.wait(300, 1)
        player.tell(events.HARD_DROPPED | events.LOCKED)
        player.finish()
        assert player.wait(250, 1)[:1] == [(E5, 52)]

    @pytest.mark.parametrize("action", MOVES)
    def test_a_move_interrupts_music_for_less_than_the_shortest_note(self, player: Player, action: str) -> None:
        player.wait(20)
        player.tell(ACTIONS[action])
        assert player.finish() <= 100

    def test_the_end_of_a_game_ends_its_music(self, player: Player) -> None:
        player.tell(events.GAME_OVER)
        player.finish()
        assert player.wait(500) == [(0, 512)]

    def test_silence_pauses_music_until_it_is_resumed(self, player: Player) -> None:
        player.wait(500, 1)
        player.voice.silence()
        assert player.wait(5000, 1) == [(0, 5000)]
        player.voice.resume_tune()
        assert player.wait(250, 1)[:2] == [(B4, 100), (C5, 150)]

    def test_an_effect_sounds_while_music_is_paused(self, player: Player) -> None:
        player.voice.silence()
        player.tell_menu(MENU_CHOOSE)
        assert player.buzzer.hz == 880
        player.finish()
        assert player.buzzer.hz == 0

    def test_music_that_was_silenced_before_its_first_note_begins_with_it(self) -> None:
        player = Player(LATER_MS)
        player.voice.play_tune(0)
        player.voice.silence()
        player.voice.resume_tune()
        assert player.buzzer.hz == 0 and player.wait(50)[-1][0] == E5

    def test_resuming_without_a_tune_is_silent(self) -> None:
        player = Player()
        player.voice.resume_tune()
        assert player.wait(500) == [(0, 512)]

    def test_stop_tune_stops_the_tune_but_no_effect(self, player: Player) -> None:
        player.tell(events.TETRIS)
        player.voice.stop_tune()
        assert player.buzzer.hz > 0
        player.finish()
        assert player.wait(500) == [(0, 512)] and player.voice.tune == b""

    def test_music_does_not_catch_up_after_a_very_late_frame(self, player: Player) -> None:
        player.wait(350, 1)
        player.now_ms += 60_000
        player.voice.update(player.now_ms)
        assert player.wait(300, 1)[:2] == [(B4, 150), (C5, 150)]

    def test_each_step_of_volume_is_a_wider_pulse_up_to_the_square_wave(self) -> None:
        duties = []
        for volume in range(1, 6):
            player = Player(LATER_MS)
            player.voice.set_volumes(0, volume)
            player.tell(events.MOVED)
            duties.append(player.buzzer.tones[-1][1])
        assert duties == [2048, 4096, 8192, 16384, 32768]

    def test_music_and_effects_have_separate_volumes(self, player: Player) -> None:
        player.voice.set_volumes(1, 5)
        assert player.buzzer.tones[-1] == (E5, 2048)
        player.tell(events.MOVED)
        assert player.buzzer.tones[-1][1] == 32768

    def test_a_new_volume_applies_at_once(self, player: Player) -> None:
        player.voice.set_volumes(0, 4)
        assert player.buzzer.hz == 0
        player.voice.set_volumes(5, 4)
        assert player.buzzer.tones[-1] == (E5, 32768)

    def test_music_holds_its_note_during_effects_that_are_off(self, player: Player) -> None:
        player.voice.set_volumes(3, 0)
        player.wait(300, 1)
        player.tell(events.TETRIS)
        assert player.wait(500, 1) == [(E5, 500)]

    @pytest.mark.parametrize("volumes", [(0, 0), (0, 5), (5, 0), (1, 1)])
    def test_volumes_change_no_timing(self, volumes: tuple[int, int]) -> None:
        loud, quiet = start_music(), start_music()
        quiet.voice.set_volumes(*volumes)
        for happened in itertools.chain.from_iterable(itertools.repeat(SCRIPT, 5)):
            for player in (loud, quiet):
                player.tell(happened)
            for _ in range(7):
                loud.wait(FRAME_MS)
                quiet.wait(FRAME_MS)
                assert loud.state == quiet.state
        assert loud.voice.tune_at > 20

    def test_volume_0_silences_music_and_effects(self, player: Player) -> None:
        player.voice.set_volumes(0, 0)
        for happened in (events.MOVED, events.TETRIS, events.GAME_OVER):  # the last ends the music
            player.tell(happened)
            assert {hz for hz, _ms in player.wait(2000)} == {0}


LOCKED_SCRIPT = """
import micropython
from firmware.sound.voice import Voice

class Buzzer:
    count = 0
    def tone(self, hz, duty):
        Buzzer.count += 1
    def off(self):
        pass

def play(voice, start_ms, frames):
    now_ms = start_ms
    for frame in range(frames):
        now_ms = now_ms + 17 & 0x1FFFFFFF
        voice.tell(frame * 0x3A5 & 0x7FFFFF if frame & 7 else 0, now_ms)
        if frame % 50 == 0:
            voice.tell_menu(frame % 3)
        if frame % 200 == 0:
            voice.set_volumes((frame // 200 + 3) % 6, (frame // 200 + 4) % 5)
            voice.silence()
            voice.resume_tune()
        voice.update(now_ms)

def play_on(voice, frames):
    for frame in range(frames):
        voice.tell(1 << frame % 17, frame * 17)
        voice.update(frame * 17)

voice = Voice(Buzzer())
voice.play_tune(0)
play(voice, 0x1FFFFFFF - 5000, 1)
voice.play_tune(0)
micropython.heap_lock()
play_on(voice, 2000)
play(voice, 0x1FFFFFFF - 5000, 1000)
micropython.heap_unlock()
print(Buzzer.count)
"""
HEAP_SCRIPT = """
import gc
import firmware.compat
import firmware.engine.game
class buzzer:
    def tone(hz, duty):
        pass
    def off():
        pass
gc.collect()
before = gc.mem_alloc()
from firmware.sound.voice import Voice
voice = Voice(buzzer)
voice.play_tune(0)
gc.collect()
first = gc.mem_alloc() - before
for time in range(9):
    voice.play_tune(time % 3)
gc.collect()
second = gc.mem_alloc()
for time in range(36):
    voice.play_tune(time % 3)
gc.collect()
print(first, gc.mem_alloc() - second)
"""


@needs_wasm
def test_music_and_effects_allocate_nothing() -> None:
    assert int(interpreters.run(interpreters.WASM, LOCKED_SCRIPT).last_line) > 2000


@needs_wasm
def test_a_voice_takes_at_most_4_kb_and_further_tunes_add_nothing() -> None:
    first, growth = map(int, interpreters.run(interpreters.WASM, HEAP_SCRIPT).last_line.split())
    assert first <= 4096
    assert growth <= 32, "36 tunes that stayed in memory would take 16 bytes each, or more"
