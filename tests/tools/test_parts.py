"""tools.parts: what the pages of the journal and of the edge queue promise, tried with the packages themselves."""

import importlib
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support.flash import PowerCut, RamBackupBank, RamStore
from tests.support.needs import needs_wasm
from tools import interpreters
from tools.files import write_files
from tools.parts import packages

KIND = 5


class Nvm(bytearray):
    """Memory of a board: a write that is not into erased bytes erases all; power fails after `left` bytes."""

    left = 1 << 20
    erases = 0

    def __setitem__(self, where: Any, data: Any) -> None:
        image = bytearray(self)
        image[where] = data
        if any(self[where].replace(b"\xff", b"")):
            self.erases += 1
            self.write(slice(0, len(self)), b"\xff" * len(self))
            where, data = slice(0, len(self)), image
        self.write(where, bytes(data))

    def write(self, where: slice, data: bytes) -> None:
        count = min(self.left, len(data))
        self.left -= count
        super().__setitem__(slice(where.start, where.start + count), data[:count])
        if count < len(data):
            raise PowerCut


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


def open_nvm(part: Any, memory: Nvm) -> Any:
    return part.Journal([part.NvmStore(memory)])


def read(journal: Any, kind: int = KIND) -> bytes:
    return bytes(journal.read(kind))


class TestJournal:
    def test_it_finds_the_newest_record_of_each_kind_and_none_for_others(self, part: Any) -> None:
        memory = Nvm(b"\xff" * 4096)
        journal = open_nvm(part, memory)
        for kind, payload in ((1, b"old"), (127, b"last"), (1, b"new")):
            assert save(journal, kind, payload) is True
        journal = open_nvm(part, memory)
        assert (read(journal, 1), read(journal, 127), read(journal, 2)) == (b"new", b"last", b"")

    def test_what_was_read_lasts_until_the_next_call(self, part: Any) -> None:
        journal = open_nvm(part, Nvm(b"\xff" * 4096))
        save(journal, 1, b"one")
        save(journal, 2, b"two")
        found = journal.read(1)
        assert bytes(found) == b"one"
        journal.read(2)
        assert bytes(found) == b"two"

    def test_a_record_cut_while_it_is_appended_leaves_all_that_were_there(self, part: Any) -> None:
        memory = Nvm(b"\xff" * 4096)
        journal = open_nvm(part, memory)
        save(journal, 1, b"another")
        save(journal, KIND, b"before")
        image, seen = bytes(memory), set()
        for left in range(len(b"after!") + 11):
            cut = Nvm(image)
            weak = open_nvm(part, cut)
            cut.left = left
            with pytest.raises(PowerCut):
                save(weak, KIND, b"after!")
            cut.left = 1 << 20
            found = open_nvm(part, cut)
            assert read(found, 1) == b"another"
            seen.add(read(found))
            assert save(found, KIND, b"again") and read(open_nvm(part, cut)) == b"again"
        assert seen == {b"before"}

    def test_each_flipped_bit_leaves_the_record_before_it(self, part: Any) -> None:
        memory = Nvm(b"\xff" * 4096)
        journal = open_nvm(part, memory)
        save(journal, KIND, b"before")
        begin = journal.end
        save(journal, KIND, b"after!")
        for at, bit in itertools.product(range(begin, journal.end), range(8)):
            image = bytearray(memory)
            image[at] ^= 1 << bit
            assert read(open_nvm(part, Nvm(image))) == b"before"

    def test_a_full_memory_gets_the_newest_records_only(self, part: Any) -> None:
        memory = Nvm(b"\xff" * 512)
        journal = open_nvm(part, memory)
        for number in range(60):
            assert save(journal, 1 + number % 2, bytes([number] * 40))
        assert memory.erases > 1
        journal = open_nvm(part, memory)
        assert (read(journal, 1), read(journal, 2)) == (bytes([58] * 40), bytes([59] * 40))

    def test_a_cut_while_the_only_store_is_erased_may_cost_all(self, part: Any) -> None:
        lost = 0
        for left in range(0, 1024, 31):
            memory = fill(part, Nvm(b"\xff" * 512))
            memory.left = left
            with pytest.raises(PowerCut):
                save(open_nvm(part, memory), KIND, b"x" * 100)
            lost += not read(open_nvm(part, Nvm(memory)), 1)
        assert lost

    @pytest.mark.parametrize("way", ["two banks", "a backup"])
    def test_two_banks_and_a_backup_survive_a_cut_at_any_moment(self, part: Any, way: str) -> None:
        class Weak(RamStore):
            def write(self, offset: int, data: Any) -> None:
                spend(lambda count: super(Weak, self).write(offset, bytes(data[:count])), len(data))

            def erase(self) -> None:
                spend(lambda count: self.image.__setitem__(slice(0, count), b"\xff" * count), self.size)

        class WeakBackup(RamBackupBank):
            def keep(self, pieces: Any) -> None:
                image = b"".join(map(bytes, pieces)).ljust(self.size, b"\xff")
                spend(lambda count: self.image.__setitem__(slice(0, count), image[:count]), self.size)

        left = 0

        def spend(do: Any, wanted: int) -> None:
            nonlocal left
            count = min(left, wanted)
            left -= count
            do(count)
            if count < wanted:
                raise PowerCut

        is_pair = way == "two banks"
        erased = 0
        for cut in itertools.chain(range(0, 3000, 41), [1 << 20]):
            stores = [Weak(512) for _ in range(1 + is_pair)]
            backup = None if is_pair else WeakBackup(512)
            left = 1 << 20
            journal = part.Journal(stores, backup)
            save(journal, 1, b"first")
            while save(journal, KIND, b"y" * 90, "append"):
                pass
            left = cut
            try:
                save(journal, KIND, b"z" * 90)
            except PowerCut:
                erased += 1
            left = 1 << 20
            found = part.Journal(stores, backup)
            assert read(found, 1) == b"first" and read(found) in (b"y" * 90, b"z" * 90), cut
        assert erased > 10 and read(found) == b"z" * 90

    def test_append_never_erases_and_says_that_there_is_no_room(self, part: Any) -> None:
        memory = fill(part, Nvm(b"\xff" * 512))
        assert save(open_nvm(part, memory), KIND, b"x" * 100, "append") is False
        assert memory.erases == 0

    def test_lower_kinds_go_first_where_not_all_fit(self, part: Any) -> None:
        memory = Nvm(b"\xff" * 512)
        journal = open_nvm(part, memory)
        assert save(journal, 100, b"c" * 200) and save(journal, 6, b"b" * 200)
        assert save(journal, 2, b"a" * 200) is True
        journal = open_nvm(part, memory)
        assert [len(read(journal, kind)) for kind in (2, 6, 100)] == [200, 200, 0]

    def test_some_kinds_from_18_to_22_are_dropped_and_no_others(self, part: Any) -> None:
        memory = Nvm(b"\xff" * 4096)
        journal = open_nvm(part, memory)
        for kind in range(1, 128):
            save(journal, kind, b"a")
        while save(journal, 1, b"x" * 200, "append"):
            pass
        assert save(journal, 1, b"x" * 200)
        assert memory.erases == 1
        lost = {kind for kind in range(1, 128) if not read(journal, kind)}
        assert lost and lost <= set(range(18, 23))

    def test_a_record_has_11_bytes_of_its_own_and_453_of_yours(self, part: Any) -> None:
        journal = open_nvm(part, Nvm(b"\xff" * 4096))
        assert len(journal.payload) == 453
        assert save(journal, KIND, b"x" * 453) and journal.end == 453 + 11

    @pytest.mark.parametrize("size", [512, 4096, 20_480])
    def test_memories_of_512_to_20480_bytes_keep_their_last_record(self, part: Any, size: int) -> None:
        memory = Nvm(b"\xff" * size)
        journal = open_nvm(part, memory)
        for number in range(size // 400 + 3):
            assert save(journal, KIND, bytes([number]) * 453) and read(journal) == bytes([number]) * 453
        assert memory.erases and read(open_nvm(part, memory)) == bytes([number]) * 453


def fill(part: Any, memory: Nvm) -> Nvm:
    """Save until the next record of 100 bytes has no room."""
    journal = open_nvm(part, memory)
    save(journal, 1, b"first")
    while save(journal, KIND, b"y" * 100, "append"):
        pass
    return memory


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

    def test_releases_of_one_time_come_first_and_nine_buttons_are_known(self, buttons: Any) -> None:
        queue = buttons[0].EdgeQueue()
        for button in range(9):
            queue.append(button, button != 8, 7)
        assert (queue.button[0], queue.pressed[0]) == (8, 0)
        assert sorted(queue.button[: queue.count]) == list(range(9))

    def test_the_second_press_waits_with_all_after_it_while_others_are_polled(self, buttons: Any) -> None:
        part, keys, bench = buttons
        for pin in (6, 7):
            bench.pins[pin].press()
            bench.pass_time(20)
            bench.pins[pin].release()
            bench.pass_time(20)
        queue = part.EdgeQueue()
        keys.poll(queue)
        queue.hold_back()
        assert [edge[:2] for edge in read_edges(queue)] == [(0, 1), (0, 0)]
        bench.pins[6].press()
        bench.pass_time(20)
        queue.advance()
        keys.poll(queue)
        assert [edge[:2] for edge in read_edges(queue)] == [(1, 1), (1, 0), (0, 1)]

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
