"""Guideline 13.2: one voice tells what happens, the most important first."""

from __future__ import annotations

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.engine import events
from firmware.sound.effects import CALLS, NOTES
from firmware.sound.voice import Voice, pitch_hz


class Buzzer:
    """Note what is asked of the buzzer."""

    def __init__(self) -> None:
        self.heard: list[int] = []

    def tone(self, hz: int, duty: int) -> None:
        assert 0 < duty < 65536
        self.heard.append(hz)

    def off(self) -> None:
        self.heard.append(0)


def play(voice: Voice, start_ms: int, length_ms: int) -> None:
    """Let the voice sound for a while, in frames of 16 ms."""
    for passed_ms in range(0, length_ms, 16):
        voice.update((start_ms + passed_ms) % TICKS_PERIOD)


def test_a_note_is_a_semitone_counted_from_c2() -> None:
    assert [pitch_hz(1), pitch_hz(13), pitch_hz(34)] == [65, 130, 440]


def test_every_effect_is_distinct_and_within_what_a_piezo_can_do() -> None:
    assert len(set(NOTES)) == len(NOTES) == len(CALLS)
    for effect in NOTES:
        assert len(effect) % 2 == 0
        assert all(1 <= note <= 72 or note == 0 for note in effect[::2])
        assert all(effect[1::2])


@pytest.mark.parametrize(
    "event",
    [
        events.ROTATED,
        events.MOVED,
        events.LANDED,
        events.LOCKED,
        events.SINGLE,
        events.DOUBLE,
        events.TRIPLE,
        events.TETRIS,
        events.T_SPIN,
        events.MINI_T_SPIN,
        events.SOFT_DROPPED,
        events.HARD_DROPPED,
        events.HELD,
        events.MOVE_FAILED,
        events.ROTATE_FAILED,
        events.LEVEL_UP,
        events.GAME_OVER,
    ],
)
def test_every_action_sounds_and_ends(event: int) -> None:
    buzzer = Buzzer()
    voice = Voice(buzzer)
    voice.tell(event, 0)
    play(voice, 0, 3000)
    assert any(buzzer.heard)
    assert buzzer.heard[-1] == 0


def test_what_has_no_sound_is_silent() -> None:
    buzzer = Buzzer()
    voice = Voice(buzzer)
    voice.tell(0, 0)
    voice.tell(events.GENERATED, 0)
    play(voice, 0, 100)
    assert buzzer.heard == []


def test_the_more_important_interrupts_and_the_less_important_waits_in_vain() -> None:
    buzzer = Buzzer()
    voice = Voice(buzzer)
    voice.tell(events.TETRIS | events.LOCKED, 0)
    voice.update(0)
    voice.tell(events.MOVED, 10)
    assert voice.effect == NOTES[CALLS.index(events.TETRIS)]
    voice.tell(events.GAME_OVER, 20)
    assert voice.effect == NOTES[CALLS.index(events.GAME_OVER)]


def test_muting_changes_no_timing() -> None:
    loud, quiet = Buzzer(), Buzzer()
    voices = Voice(loud), Voice(quiet, muted=True)
    for voice in voices:
        voice.tell(events.LEVEL_UP, TICKS_PERIOD - 50)
        play(voice, TICKS_PERIOD - 50, 2000)
    assert len(loud.heard) == len(quiet.heard)
    assert not any(quiet.heard)
