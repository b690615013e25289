"""Guideline 2.5 and 4: controls on any button or on a chord of two."""

import random

import pytest

from firmware.device.chords import Chords
from firmware.device.edges import EdgeQueue
from firmware.engine import controls
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, ROTATE_CCW, ROTATE_CW
from tests.support.polling import Edge, read_edges

A, B = 4, 5
IDENTITY = bytes(1 << button for button in range(8))
WINDOW_MS = 35


def masks(**changes: int) -> bytearray:
    """Return the usual masks of all controls, except for those that are named."""
    changed = bytearray(IDENTITY)
    for name, mask in changes.items():
        changed[getattr(controls, name)] = mask
    return changed


class PressPlanner:
    """Press buttons and record the edges of controls, with their times."""

    def __init__(self, buttons: bytearray) -> None:
        self.chords = Chords(buttons)
        self.edges = EdgeQueue()
        self.control_edges: list[Edge] = []

    def move(self, *edges: Edge, now_ms: int) -> list[Edge]:
        """Return the edges of controls for a frame at `now_ms` with these edges (button, pressed, t_ms)."""
        self.edges.clear()
        for button, pressed, t_ms in edges:
            self.edges.append(button, pressed, t_ms)
        seen = read_edges(self.chords.translate(self.edges, now_ms))
        self.control_edges += seen
        return seen


CHORD = masks(HOLD=1 << A | 1 << B)


class TestChords:
    def test_two_controls_can_swap_buttons(self) -> None:
        planner = PressPlanner(masks(LEFT=1 << HOLD, HOLD=1 << LEFT))
        found = planner.move((HOLD, 1, 3), (LEFT, 1, 4), (HOLD, 0, 5), now_ms=9)
        assert found == [(LEFT, 1, 3), (HOLD, 1, 4), (LEFT, 0, 5)]

    def test_unmapped_controls_and_buttons_do_nothing(self) -> None:
        planner = PressPlanner(masks(HOLD=0))
        assert planner.move((HOLD, 1, 1), (HOLD, 0, 2), now_ms=99) == []

    @pytest.mark.parametrize(("first", "second"), [(A, B), (B, A)])
    def test_two_buttons_together_are_the_chord_and_nothing_else(self, first: int, second: int) -> None:
        planner = PressPlanner(CHORD)
        assert planner.move((first, 1, 100), now_ms=110) == []
        assert planner.move((second, 1, 120), now_ms=125) == [(HOLD, 1, 120)]
        assert planner.move((first, 0, 200), now_ms=200) == [(HOLD, 0, 200)]
        assert planner.move(now_ms=900) == []
        assert planner.move((second, 0, 901), now_ms=901) == []

    def test_one_button_of_a_chord_waits_for_the_other(self) -> None:
        planner = PressPlanner(CHORD)
        assert planner.move((A, 1, 100), now_ms=100 + WINDOW_MS - 1) == []
        assert planner.move(now_ms=100 + WINDOW_MS) == [(ROTATE_CW, 1, 100 + WINDOW_MS)]
        assert planner.move((A, 0, 300), now_ms=300) == [(ROTATE_CW, 0, 300)]

    def test_a_short_press_is_not_lost(self) -> None:
        planner = PressPlanner(CHORD)
        assert planner.move((A, 1, 100), (A, 0, 110), now_ms=116) == []
        assert planner.move(now_ms=140) == [(ROTATE_CW, 1, 135), (ROTATE_CW, 0, 135)]

    def test_two_short_presses_of_one_button_are_two(self) -> None:
        planner = PressPlanner(CHORD)
        planner.move((A, 1, 100), (A, 0, 108), (A, 1, 116), (A, 0, 124), now_ms=160)
        assert planner.control_edges == [(ROTATE_CW, pressed, t_ms) for t_ms in (100, 151) for pressed in (1, 0)]

    def test_buttons_of_no_chord_do_not_wait(self) -> None:
        planner = PressPlanner(CHORD)
        assert planner.move((HARD_DROP, 1, 100), now_ms=100) == [(HARD_DROP, 1, 100)]

    def test_edges_of_one_time_part_no_chord(self) -> None:
        planner = PressPlanner(CHORD)
        planner.move((A, 1, 100), now_ms=105)
        found = planner.move((LEFT, 1, 110), (A, 0, 110), (B, 1, 110), now_ms=110)
        assert found == [(HOLD, 1, 110), (HOLD, 0, 110), (LEFT, 1, 110)]

    def test_a_late_second_button_presses_its_own_control(self) -> None:
        planner = PressPlanner(CHORD)
        assert planner.move((A, 1, 100), now_ms=200) == [(ROTATE_CW, 1, 135)]
        assert planner.move((B, 1, 300), now_ms=340) == [(ROTATE_CCW, 1, 335)]
        assert planner.move((A, 0, 350), (B, 0, 360), now_ms=370) == [(ROTATE_CW, 0, 350), (ROTATE_CCW, 0, 360)]

    def test_buttons_without_a_control_have_time_for_the_chord(self) -> None:
        planner = PressPlanner(masks(HOLD=1 << A | 1 << B, ROTATE_CW=0, ROTATE_CCW=0))
        assert planner.move((A, 1, 100), now_ms=900) == []
        assert planner.move((B, 1, 950), (A, 0, 960), (B, 0, 970), now_ms=980) == [(HOLD, 1, 950), (HOLD, 0, 960)]
        assert planner.move((A, 1, 1000), (A, 0, 1005), (B, 1, 1010), now_ms=1100) == []

    def test_two_chords_can_share_a_button(self) -> None:
        planner = PressPlanner(masks(HOLD=1 << A | 1 << B, PAUSE=1 << A | 1 << LEFT))
        assert planner.move((A, 1, 1), (LEFT, 1, 2), now_ms=3) == [(PAUSE, 1, 2)]
        assert planner.move((A, 0, 4), (LEFT, 0, 5), now_ms=6) == [(PAUSE, 0, 4)]
        assert planner.move((A, 1, 11), (B, 1, 12), now_ms=13) == [(HOLD, 1, 12)]

    def test_every_control_is_released_with_the_last_button(self) -> None:
        rng = random.Random(5)
        for _ in range(300):
            buttons = bytearray(rng.choice([0, 1 << rng.randrange(8), 0b11 << rng.randrange(7)]) for _ in range(8))
            planner = PressPlanner(buttons)
            held_buttons: set[int] = set()
            t_ms = 0
            for _ in range(60):
                t_ms += rng.randrange(30)
                button = rng.randrange(8)
                planner.move((button, button not in held_buttons, t_ms), now_ms=t_ms + rng.randrange(20))
                held_buttons ^= {button}
            t_ms += 100
            planner.move(*[(button, 0, t_ms) for button in held_buttons], now_ms=t_ms)
            pressed: dict[int, int] = {}
            for control, edge, _ in planner.control_edges:
                assert pressed.get(control, 0) != edge, "an edge changes its control"
                pressed[control] = edge
            assert not any(pressed.values())
            assert planner.chords.down == planner.chords.waiting == planner.chords.used == 0
