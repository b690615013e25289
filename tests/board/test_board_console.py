"""What the command of the emulated board does with its handhelds: steps, lines, keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, ROTATE_CW
from sim.contacts import Contacts
from tools.board import BoardError, script, wires
from tools.board.console import Console
from tools.board.heap import Heap
from tools.board.play import ButtonKeys, Fingers


class Handheld:
    """Stand for a handheld: note what is done to it."""

    is_on = True
    serial = ""

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []
        self.time_s = 0.0
        self.machine = self

    def run(self, seconds: float) -> None:
        self.time_s = round(self.time_s + seconds, 6)

    def hold(self, names: str, down: bool) -> None:
        self.done.append((self.time_s, names, down))

    def set_pin(self, pin: int, low: bool) -> None:
        self.done.append((pin, low))

    def send(self, text: str) -> None:
        self.done.append(("send", text))

    def heap(self, collect: bool = False) -> Heap:
        return Heap(2000, 0, 1000) if collect else Heap(1500, 0, 800)

    def save_picture(self, path: Path) -> None:
        raise OSError(28, "No space left on device")

    def power_off(self) -> None:
        self.is_on = False

    def power_on(self) -> None:
        self.is_on = True
        self.time_s = 0.0


def carry_out(text: str, handheld: Handheld, serial: bool = False) -> list[str]:
    """Carry out a script; return the lines it printed."""
    said: list[str] = []
    Console([handheld], said.append, serial).carry_out(script.read(text))  # type: ignore[list-item]
    return said


def test_a_tap_holds_and_lets_go() -> None:
    handheld = Handheld()

    carry_out("wait 1\ntap L+A 0.1", handheld)

    assert handheld.done == [(1.0, "L+A", True), (1.1, "L+A", False)]
    assert handheld.time_s == 1.35


def test_the_console_types_a_line() -> None:
    handheld = Handheld()

    carry_out("send print(1) # not a comment", handheld)

    assert handheld.done == [("send", "print(1) # not a comment\r\n")]


def test_free_heap_is_told_with_and_without_garbage() -> None:
    said = carry_out("wait 2\nheap", Handheld())

    assert said == ["    2.000 s  heap 1500 free, largest block 800; without garbage 2000, 1000"]


def test_no_time_passes_for_a_handheld_without_power() -> None:
    handheld = Handheld()

    said = carry_out("wait 1\noff\nwait 5\non\nwait 2", handheld)

    assert [line.split("  ")[-1] for line in said] == ["power off", "power on"]
    assert handheld.time_s == 2.0


def test_serial_lines_are_printed_once_they_are_whole() -> None:
    handheld = Handheld()
    handheld.serial = "one\r\ntwo\r\nthr"

    assert carry_out("wait 1", handheld, serial=True) == ["    0.050 s  | one", "    0.050 s  | two"]


def test_a_picture_that_cannot_be_written_is_told() -> None:
    with pytest.raises(BoardError, match=r"cannot write there\.png: No space left on device"):
        carry_out("picture there.png", Handheld())


def test_keys_move_the_buttons_pins() -> None:
    handheld = Handheld()
    contacts = Contacts()
    keys, fingers = ButtonKeys(contacts), Fingers(handheld)  # type: ignore[arg-type]

    keys.press("K_UP", 0)
    keys.press("K_a", 5)
    keys.release("K_UP", 9)
    contacts.poll(fingers)  # type: ignore[arg-type]

    up, a = wires.CONTROL_PINS[HARD_DROP], wires.CONTROL_PINS[ROTATE_CW]
    assert handheld.done == [(up, True), (a, True), (up, False)]
