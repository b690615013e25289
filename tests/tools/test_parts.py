"""tools.parts: the packages stand alone, and their pages give true figures.

What the modules do is tested where they are: tests/save/test_save_journal.py, test_save_power_cuts.py,
tests/device/test_device_edges.py and test_device_order.py.
"""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support.needs import needs_wasm
from tools import interpreters
from tools.files import write_files
from tools.parts import packages

KIND = 5


def import_part(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    files = packages.make(name)
    write_files(folder, {path: content for path, content in files.items() if path.startswith(f"{name}/")})
    monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module(name)


def forget(name: str) -> None:
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        del sys.modules[module]


@pytest.fixture
def part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The package nvm_journal."""
    yield import_part("nvm_journal", tmp_path, monkeypatch)
    forget("nvm_journal")


def save(journal: Any, kind: int, payload: bytes, how: str = "save") -> bool:
    journal.payload[: len(payload)] = payload
    return bool(getattr(journal, how)(kind, len(payload)))


def open_nvm(part: Any, memory: bytearray) -> Any:
    return part.Journal([part.NvmStore(memory)])


def read(journal: Any, kind: int = KIND) -> bytes:
    return bytes(journal.read(kind))


class TestJournal:
    def test_it_finds_the_newest_record_of_each_kind_and_none_for_others(self, part: Any) -> None:
        memory = bytearray(b"\xff" * 4096)
        journal = open_nvm(part, memory)
        for kind, payload in ((1, b"old"), (127, b"last"), (1, b"new")):
            assert save(journal, kind, payload) is True
        journal = open_nvm(part, memory)
        assert (read(journal, 1), read(journal, 127), read(journal, 2)) == (b"new", b"last", b"")

    def test_what_was_read_lasts_until_the_next_call(self, part: Any) -> None:
        journal = open_nvm(part, bytearray(b"\xff" * 4096))
        save(journal, 1, b"one")
        save(journal, 2, b"two")
        found = journal.read(1)
        assert bytes(found) == b"one"
        journal.read(2)
        assert bytes(found) == b"two"

    def test_some_kinds_from_18_to_22_are_dropped_and_no_others(self, part: Any) -> None:
        memory = bytearray(b"\xff" * 4096)
        journal = open_nvm(part, memory)
        for kind in range(1, 128):
            save(journal, kind, b"a")
        while save(journal, 1, b"x" * 200, "append"):
            pass
        assert save(journal, 1, b"x" * 200)
        lost = {kind for kind in range(1, 128) if not read(journal, kind)}
        assert lost and lost <= set(range(18, 23))

    def test_a_record_has_11_bytes_of_its_own_and_453_of_yours(self, part: Any) -> None:
        journal = open_nvm(part, bytearray(b"\xff" * 4096))
        assert len(journal.payload) == 453
        assert save(journal, KIND, b"x" * 453) and journal.end == 453 + 11

    @pytest.mark.parametrize("size", [512, 4096, 20_480])
    def test_memories_of_512_to_20480_bytes_keep_their_last_record(self, part: Any, size: int) -> None:
        memory = bytearray(b"\xff" * size)
        journal = open_nvm(part, memory)
        for number in range(size // 400 + 3):
            assert save(journal, KIND, bytes([number]) * 453) and read(journal) == bytes([number]) * 453
        assert read(open_nvm(part, memory)) == bytes([number]) * 453


@pytest.fixture
def buttons(workbench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The package edge_queue, and its Keys on two pins of the workbench."""
    part = import_part("edge_queue", tmp_path / "parts", monkeypatch)
    board = importlib.import_module("board")
    yield part, part.Keys([board.GP6, board.GP7]), workbench
    forget("edge_queue")


def read_edges(queue: Any) -> list[tuple[int, int, int]]:
    return [(queue.button[i], queue.pressed[i], queue.t_ms[i]) for i in range(queue.count)]


class TestEdgeQueue:
    def test_edges_have_index_state_and_the_time_of_the_fifth_equal_scan(self, buttons: Any) -> None:
        part, keys, bench = buttons
        start = bench.now_ms
        bench.pins[7].press()
        bench.pass_time(100)
        bench.pins[7].release()
        bench.pass_time(100)
        queue = part.EdgeQueue()
        keys.poll(queue)
        assert read_edges(queue) == [(1, 1, start + 5), (1, 0, start + 105)]

    def test_the_scanner_holds_64_edges_for_a_full_queue(self, buttons: Any) -> None:
        part, keys, bench = buttons
        for _ in range(33):
            for change in (bench.pins[6].press, bench.pins[6].release):
                change()
                bench.pass_time(10)
        queue = part.EdgeQueue(8)
        found = []
        for _ in range(9):
            queue.clear()
            keys.poll(queue)
            found += read_edges(queue)
        assert [pressed for _, pressed, _ in found] == [1, 0] * 32

    def test_edges_of_less_than_6_ms_get_the_time_of_the_first(self, buttons: Any) -> None:
        part, keys, bench = buttons
        for apart, times in ((5, 1), (6, 2)):
            bench.pins[6].press()
            bench.pass_time(apart)
            bench.pins[7].press()
            bench.pass_time(50)
            queue = part.EdgeQueue()
            keys.poll(queue)
            assert queue.count == 2 and len({t_ms for *_, t_ms in read_edges(queue)}) == times
            for pin in bench.pins[6:8]:
                pin.release()
            bench.pass_time(50)
            keys.poll(part.EdgeQueue())

    @needs_wasm
    def test_polling_allocates_nothing(self) -> None:
        interpreters.run(interpreters.WASM, POLLING)


POLLING = """
import sys
import micropython

class Event:
    def __init__(self):
        self.timestamp = self.key_number = 0
        self.pressed = True

class Events:
    def __init__(self):
        self.left = 0

    def get_into(self, event):
        if not self.left:
            return False
        self.left -= 1
        event.key_number = self.left & 1
        event.pressed = self.left & 2 > 0
        event.timestamp = self.left >> 1
        return True

    def __len__(self):
        return self.left

class Keypad:
    Event = Event

    def Keys(self, pins, **how):
        self.events = Events()
        return self

class Supervisor:
    def ticks_ms(self):
        return 5000

sys.modules["keypad"] = Keypad()
sys.modules["supervisor"] = Supervisor()
from firmware.device.edges import EdgeQueue
from firmware.device.keys import Keys

keys = Keys([1, 2])
queue = EdgeQueue()
for count in (1, 40, 40):
    sys.modules["keypad"].events.left = count
    queue.hold_back()
    micropython.heap_lock()
    queue.advance()
    keys.poll(queue)
    queue.hold_back()
    queue.advance()
    queue.clear()
    micropython.heap_unlock()
"""
