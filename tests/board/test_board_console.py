"""The emulated board's command line: steps of scripts, printed lines and keys."""

from pathlib import Path
from typing import Any

import pytest

from sim.contacts import Contacts
from sim.terminal import Refusal
from tools.board import script
from tools.board.console import Console
from tools.board.heap import Heap
from tools.board.play import ButtonKeys, Fingers


class FakeHandheld:
    is_on = True
    serial = ""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.time_s = 0.0
        self.machine = self

    def run(self, seconds: float) -> None:
        self.time_s = round(self.time_s + seconds, 6)

    def hold(self, names: str, down: bool) -> None:
        self.calls.append((self.time_s, names, down))

    def set_pin(self, pin: int, low: bool) -> None:
        self.calls.append((pin, low))

    def send(self, text: str) -> None:
        self.calls.append(("send", text))

    def heap(self, collect: bool = False) -> Heap:
        return Heap(2000, 0, 1000) if collect else Heap(1500, 0, 800)

    def save_picture(self, path: Path) -> None:
        raise OSError(28, "No space left on device")

    def cut_at(self, number: int, erases: bool | None, done: float) -> None:
        """Let the flash do nothing, so that the cut never comes."""

    def power_off(self) -> None:
        self.is_on = False

    def power_on(self) -> None:
        self.is_on = True
        self.time_s = 0.0


def run_script(text: str, handheld: FakeHandheld, serial: bool = False) -> list[str]:
    printed: list[str] = []
    handhelds: list[Any] = [handheld]
    Console(handhelds, printed.append, serial).carry_out(script.read(text))
    return printed


def test_a_tap_presses_and_releases() -> None:
    handheld = FakeHandheld()
    run_script("wait 1\ntap L+A 0.1", handheld)
    assert handheld.calls == [(1.0, "L+A", True), (1.1, "L+A", False)]
    assert handheld.time_s == 1.35


def test_send_types_a_line() -> None:
    handheld = FakeHandheld()
    run_script("send print(1) # not a comment", handheld)
    assert handheld.calls == [("send", "print(1) # not a comment\r\n")]


def test_heap_prints_the_free_bytes_with_and_without_garbage() -> None:
    printed = run_script("wait 2\nheap", FakeHandheld())
    assert printed == ["    2.000 s  heap 1500 free, largest block 800; without garbage 2000, 1000"]


def test_no_time_passes_without_power() -> None:
    handheld = FakeHandheld()
    printed = run_script("wait 1\noff\nwait 5\non\nwait 2", handheld)
    assert [line.split("  ")[-1] for line in printed] == ["power off", "power on"]
    assert handheld.time_s == 2.0


def test_serial_lines_are_printed_when_they_are_complete() -> None:
    handheld = FakeHandheld()
    handheld.serial = "one\r\ntwo\r\nthr"
    assert run_script("wait 1", handheld, serial=True) == ["    0.050 s  | one", "    0.050 s  | two"]


def test_a_picture_that_cannot_be_written_raises_board_error() -> None:
    with pytest.raises(Refusal, match=r"cannot write there\.png: No space left on device"):
        run_script("picture there.png", FakeHandheld())


def test_keys_hold_their_buttons() -> None:
    handheld = FakeHandheld()
    contacts = Contacts()
    keys, fingers = ButtonKeys(contacts), Fingers(handheld)  # type: ignore[arg-type]
    keys.press("ArrowUp", 0)
    keys.press("KeyA", 5)
    keys.release("ArrowUp", 9)
    contacts.poll(fingers)  # type: ignore[arg-type]
    assert [call[1:] for call in handheld.calls] == [("HARD_DROP", True), ("ROTATE_CW", True), ("HARD_DROP", False)]


def test_the_tightest_moments_of_the_heap_are_printed_with_their_step() -> None:
    handheld = FakeHandheld()
    frees = iter([3000, 900, 2500, 2600])
    handheld.heap = lambda collect=False: Heap(next(frees, 2000), 0, 800)  # type: ignore[method-assign]
    printed: list[str] = []
    handhelds: list[Any] = [handheld]
    console = Console(handhelds, printed.append, heap_s=0.02)

    console.carry_out(script.read("wait 0.02\ntap A 0.02"))
    console.print_least(handhelds[0])

    assert printed[0] == "least heap: 900 free, largest block 800, at 0.040 s, in tap A"


def test_a_cut_that_does_not_come_is_an_error() -> None:
    console = Console([FakeHandheld()], lambda _line: None)  # type: ignore[list-item]
    console.carry_out(script.read("cut 1 half\nwait 1"))
    with pytest.raises(Refusal, match="did not come"):
        console.check_cuts()


def test_a_cut_that_does_not_come_before_the_power_goes_off_is_an_error() -> None:
    with pytest.raises(Refusal, match="did not come"):
        run_script("cut 1 half\noff\nwait 1", FakeHandheld())
