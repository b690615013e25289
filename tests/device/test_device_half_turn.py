"""Presses that follow each other at once keep their order and count once, also where a chord waits for a button."""

import itertools
from typing import Any

import pytest

from firmware.device.chords import Chords, HalfTurns
from firmware.device.edges import EdgeQueue
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, ROTATE_CCW, ROTATE_CW
from firmware.engine.options import HALF_TURNS
from firmware.mapping import map_match
from firmware.nine_buttons import NineButtons
from tests.support.handhelds.handheld import Handheld
from tests.support.polling import Edge, read_edges

A, B, C, START = ROTATE_CW, ROTATE_CCW, HOLD, PAUSE  # buttons have the numbers of their controls
NINTH = 8
EIGHT = bytes(1 << button for button in range(8))
FRAME_MS = 17


def play(mapping: Any, edges: list[Edge], first_frame_ms: int = 0) -> list[Edge]:
    """Return the edges of controls for edges of buttons that are polled frame by frame."""
    found: list[Edge] = []
    queue = EdgeQueue()
    waiting = sorted(edges, key=lambda edge: edge[2])
    for now_ms in range(first_frame_ms, 600, FRAME_MS):
        queue.clear()
        while waiting and waiting[0][2] <= now_ms:
            queue.append(*waiting.pop(0))
        found += read_edges(mapping.translate(queue, now_ms))
    return found


def press(button: int, t_ms: int, held_ms: int) -> list[Edge]:
    return [(button, 1, t_ms), (button, 0, t_ms + held_ms)]


def list_presses(edges: list[Edge]) -> list[int]:
    return [control for control, pressed, _t_ms in edges if pressed]


@pytest.mark.parametrize("chord", list(itertools.permutations((A, B, C, START), 2)))
def test_presses_of_a_chord_count_once(chord: tuple[int, int]) -> None:
    """At no distance, length or phase of frames do a chord's buttons make the half turn and their own controls."""
    first, second = chord
    masks = EIGHT + bytes((1 << first | 1 << second,))
    for gap_ms in range(0, 61, 5):
        for first_ms, second_ms, phase_ms in itertools.product((10, 20, 50, 100), (10, 60), range(0, FRAME_MS, 4)):
            edges = press(first, 100, first_ms) + press(second, 100 + gap_ms, second_ms)
            found = play(HalfTurns(masks), edges, phase_ms)
            half_turn, own = [ROTATE_CW, ROTATE_CCW], [first, second]
            assert list_presses(found) == (half_turn if gap_ms < 35 else own), (gap_ms, first_ms, found)
            assert sum(1 if pressed else -1 for _control, pressed, _t_ms in found) == 0


@pytest.mark.parametrize("gap_ms", [1, 20, 34])
@pytest.mark.parametrize("held_ms", [10, 100])
def test_a_press_that_waits_stays_before_the_next_press(gap_ms: int, held_ms: int) -> None:
    """Hold and then a rotation: the rotation turns the Tetrimino that Hold brought, not the one it took."""
    mapping = HalfTurns(EIGHT + bytes((1 << C | 1 << START,)))
    found = play(mapping, press(C, 100, held_ms) + press(A, 100 + gap_ms, 60))
    assert list_presses(found) == [HOLD, ROTATE_CW]
    assert [t_ms for _control, _pressed, t_ms in found] == sorted(t_ms for _control, _pressed, t_ms in found)


def test_a_rotation_that_waits_is_not_dropped_past() -> None:
    six_buttons = bytearray(EIGHT)
    six_buttons[HOLD] = 1 << A | 1 << B
    assert list_presses(play(Chords(six_buttons), press(A, 100, 15) + press(HARD_DROP, 120, 30))) == [A, HARD_DROP]


@pytest.mark.parametrize("held", [(), (A,), (B,), (A, B)], ids=["none", "A", "B", "both"])
@pytest.mark.parametrize("nine", [False, True], ids=["a chord", "a ninth button"])
def test_a_half_turn_needs_no_free_rotation_button(held: tuple[int, ...], nine: bool) -> None:
    """The control presses both rotations in one millisecond also while a rotation button is still down."""
    handheld = Handheld()
    handheld.settings.modern = HALF_TURNS
    mapping = (
        NineButtons(handheld.settings, handheld.session) if nine else HalfTurns(EIGHT + bytes((1 << C | 1 << START,)))
    )
    half = press(NINTH, 200, 50) if nine else press(C, 200, 50) + press(START, 200, 50)
    found = play(mapping, [edge for button in held for edge in press(button, 100, 300)] + half)
    assert [(control, t_ms) for control, pressed, t_ms in found if pressed and t_ms >= 200] == [
        (ROTATE_CW, 200),
        (ROTATE_CCW, 200),
    ]
    states: dict[int, int] = {}
    for control, pressed, _t_ms in found:
        assert states.get(control, 0) != pressed, "an edge changes its control"
        states[control] = pressed
    assert not any(states.values())


@pytest.mark.parametrize("marked", [False, True])
def test_a_match_takes_a_ninth_button_and_makes_no_half_turn(marked: bool) -> None:
    handheld = Handheld()
    handheld.settings.modern = HALF_TURNS
    found = play(map_match(handheld.context, marked), press(LEFT, 100, 50) + press(NINTH, 200, 50))
    assert list_presses(found) == ([LEFT, NINTH] if marked else [LEFT])
