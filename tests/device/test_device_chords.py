"""Guideline 2.5 and 4: every control on any button, or on two together; and the queue that their edges are in."""

import random

import pytest

from firmware.device.chords import Chords
from firmware.device.edges import EdgeQueue
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, ROTATE_CW

A, B = 4, 5
IDENTITY = bytes(1 << button for button in range(8))
WINDOW_MS = 35


def masks(**changes: int) -> bytearray:
    """Return the masks of the beginning, but for the controls named."""
    changed = bytearray(IDENTITY)
    for name, mask in changes.items():
        changed[globals()[name]] = mask
    return changed


class PressPlanner:
    """Press buttons and note the edges of controls that come of it, with their times."""

    def __init__(self, buttons: bytearray) -> None:
        self.chords = Chords(buttons, 32)
        self.edges = EdgeQueue(32)
        self.told: list[tuple[int, int, int]] = []

    def move(self, *edges: tuple[int, int, int], now_ms: int) -> list[tuple[int, int, int]]:
        """Let a frame at `now_ms` see these edges (button, pressed, t_ms)."""
        self.edges.clear()
        for button, pressed, t_ms in edges:
            self.edges.append(button, bool(pressed), t_ms)
        queue = self.chords.translate(self.edges, now_ms)
        seen = [(queue.button[i], queue.pressed[i], queue.t_ms[i]) for i in range(queue.count)]
        self.told += seen
        return seen


CHORD = masks(HOLD=1 << A | 1 << B)


class TestQueue:
    def test_edges_keep_their_order_and_time(self) -> None:
        queue = EdgeQueue()
        queue.append(3, True, 5)
        queue.append(3, False, (1 << 29) - 1)
        assert queue.count == 2 and (queue.button[0], queue.pressed[0], queue.t_ms[0]) == (3, 1, 5)
        assert (queue.button[1], queue.pressed[1], queue.t_ms[1]) == (3, 0, (1 << 29) - 1)

    def test_full_queue_refuses_until_it_is_cleared(self) -> None:
        queue = EdgeQueue(1)
        queue.append(0, True, 0)
        with pytest.raises(IndexError):
            queue.append(1, True, 0)
        queue.clear()
        assert queue.count == 0
        queue.append(1, True, 9)
        assert queue.button[0] == 1


class TestChords:
    def test_buttons_may_change_places(self) -> None:
        hands = PressPlanner(masks(LEFT=1 << HOLD, HOLD=1 << LEFT))
        assert hands.move((HOLD, 1, 3), (LEFT, 1, 4), (HOLD, 0, 5), now_ms=9) == [
            (LEFT, 1, 3),
            (HOLD, 1, 4),
            (LEFT, 0, 5),
        ]

    def test_unmapped_controls_and_buttons_do_nothing(self) -> None:
        hands = PressPlanner(masks(HOLD=0))
        assert hands.move((HOLD, 1, 1), (HOLD, 0, 2), now_ms=99) == []

    @pytest.mark.parametrize(("first", "second"), [(A, B), (B, A)])
    def test_two_buttons_together_are_the_chord_and_nothing_else(self, first: int, second: int) -> None:
        hands = PressPlanner(CHORD)
        assert hands.move((first, 1, 100), now_ms=110) == []
        assert hands.move((second, 1, 120), now_ms=125) == [(HOLD, 1, 120)]
        assert hands.move((first, 0, 200), now_ms=200) == [(HOLD, 0, 200)]
        assert hands.move(now_ms=900) == []
        assert hands.move((second, 0, 901), now_ms=901) == []

    def test_one_button_of_a_chord_waits_a_moment_for_the_other(self) -> None:
        hands = PressPlanner(CHORD)
        assert hands.move((A, 1, 100), now_ms=100 + WINDOW_MS - 1) == []
        assert hands.move(now_ms=100 + WINDOW_MS) == [(ROTATE_CW, 1, 100 + WINDOW_MS)]
        assert hands.move((A, 0, 300), now_ms=300) == [(ROTATE_CW, 0, 300)]

    def test_a_short_press_is_not_lost(self) -> None:
        hands = PressPlanner(CHORD)
        assert hands.move((A, 1, 100), (A, 0, 110), now_ms=116) == [(ROTATE_CW, 1, 110), (ROTATE_CW, 0, 110)]

    def test_buttons_of_no_chord_do_not_wait(self) -> None:
        hands = PressPlanner(CHORD)
        assert hands.move((HARD_DROP, 1, 100), now_ms=100) == [(HARD_DROP, 1, 100)]

    def test_the_partner_that_comes_late_makes_the_chord_too(self) -> None:
        hands = PressPlanner(CHORD)
        hands.move((A, 1, 100), now_ms=200)
        assert hands.move((B, 1, 300), now_ms=300) == [(HOLD, 1, 300)]
        assert hands.move((A, 0, 310), (B, 0, 320), now_ms=330) == [(HOLD, 0, 310), (ROTATE_CW, 0, 310)]

    def test_chords_may_share_a_button(self) -> None:
        hands = PressPlanner(masks(HOLD=1 << A | 1 << B, PAUSE=1 << A | 1 << LEFT))
        assert hands.move((A, 1, 1), (LEFT, 1, 2), now_ms=3) == [(PAUSE, 1, 2)]
        assert hands.move((A, 0, 4), (LEFT, 0, 5), now_ms=6) == [(PAUSE, 0, 4)]
        assert hands.move((A, 1, 11), (B, 1, 12), now_ms=13) == [(HOLD, 1, 12)]

    def test_whatever_is_pressed_every_control_is_let_go_with_the_last_button(self) -> None:
        rng = random.Random(5)
        for _ in range(300):
            buttons = bytearray(rng.choice([0, 1 << rng.randrange(8), 0b11 << rng.randrange(7)]) for _ in range(8))
            hands = PressPlanner(buttons)
            down: set[int] = set()
            t_ms = 0
            for _ in range(60):
                t_ms += rng.randrange(30)
                button = rng.randrange(8)
                hands.move((button, button not in down, t_ms), now_ms=t_ms + rng.randrange(20))
                down ^= {button}
            t_ms += 100
            hands.move(*[(button, 0, t_ms) for button in down], now_ms=t_ms)
            pressed: dict[int, int] = {}
            for control, edge, _ in hands.told:
                assert pressed.get(control, 0) != edge, "an edge is a change"
                pressed[control] = edge
            assert not any(pressed.values())
            assert hands.chords.down == hands.chords.waiting == hands.chords.used == 0
