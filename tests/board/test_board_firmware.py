"""CircuitPython's official UF2 on the emulated board: boot, picture, console, heap, power cuts, a ring."""

import pytest

from tests.support.handhelds.board_console import find_uf2, run_code
from tools.board import BoardError, firmware_image
from tools.board.handheld import Handheld, make_handheld
from tools.board.heap_watch import REWRITING, Figures, HeapWatch
from tools.board.machine import Snapshot
from tools.board.ring import Ring
from tools.board.wires import LINK_SETTINGS
from tools.deploy import arguments, compiling

pytestmark = pytest.mark.board


@pytest.fixture(scope="module")
def booted() -> tuple[Handheld, Snapshot]:
    handheld = make_handheld(find_uf2())
    assert handheld.run_until(lambda: handheld.is_lit, 5)
    return handheld, handheld.snapshot()


@pytest.fixture
def handheld(booted) -> Handheld:
    handheld, snapshot = booted
    handheld.restore(snapshot)
    return handheld


def test_the_first_picture_comes_soon_after_power_on(handheld: Handheld) -> None:
    assert handheld.time_s < 2.5
    assert 300 < sum(byte.bit_count() for byte in handheld.picture()) < 4000
    assert "Traceback" not in handheld.serial


def test_compiled_files_number_the_names_that_the_firmware_has() -> None:
    """An MPY file holds these names as numbers; tools/deploy gives them to what it renames."""
    names = sorted(arguments.find_fixed())
    text = "print('first')\n" + "".join(f"print('{name}')\n" for name in names) + "print('DONE')\n"
    content = compiling.compile_all({"names.py": text}, compiling.FORMATS[10])["names.mpy"]
    handheld = run_code("import names", files={"names.mpy": content})
    assert handheld.serial.partition("first")[2].partition("DONE")[0].split() == names


def test_a_button_changes_the_picture(handheld: Handheld) -> None:
    handheld.run(2.5)
    before = handheld.picture()
    handheld.tap("A", after_s=1.0)
    assert handheld.picture() != before


def test_frames_come_sixty_a_second(handheld: Handheld) -> None:
    handheld.run(4)
    handheld.tap("A", after_s=1.0)
    handheld.tap("A", after_s=2.0)
    frames = handheld.frames(handheld.time_s - 1)
    assert 55 <= len(frames) <= 61
    assert max(frame.busy_s for frame in frames) < 1 / 60


def test_late_frames_are_measured_separately() -> None:
    handheld = run_code(
        "import board, keypad",
        "keys = keypad.Keys([board.GP2], value_when_pressed=False)",
        "event = keypad.Event()",
        "def work(ms):",
        "    end = time.monotonic_ns() + ms * 1000000",
        "    while time.monotonic_ns() < end: pass",
        "for ms in (5, 30, 4, 25, 3):",
        "    keys.events.get_into(event)",
        "    work(ms)",
        "    if ms < 5: time.sleep(0.005)",
        "print('DONE')",
        "while True: pass",
    )

    frames = [round(1000 * frame.busy_s) for frame in handheld.frames()]

    assert frames == [5, 30, 4, 25, 3]


def test_a_snapshot_gives_the_same_run_again(booted) -> None:
    handheld, snapshot = booted

    def run_again() -> tuple[int, bytes, int]:
        handheld.restore(snapshot)
        handheld.run(1.5)
        return handheld.busy_cycles, handheld.picture(), len(handheld.transfers)

    assert run_again() == run_again()


def test_the_heap_watch_finds_the_moment_of_least_free_heap(handheld: Handheld) -> None:
    with HeapWatch(handheld) as watch:
        watch.run(1.0, every_s=0.25)
    assert len(watch.moments) >= 4
    assert 0 < watch.least_free.heap.free <= watch.moments[-1].heap.free
    assert watch.least_block.heap.largest_block <= watch.least_free.heap.free


def test_moments_in_which_the_flash_is_rewritten_are_a_part_of_their_own() -> None:
    """The second write turns cleared bits back, which needs an erase."""
    handheld = run_code(
        "import microcontroller",
        "microcontroller.nvm[0] = 0",
        "print('DONE')",
        "input()",
        "microcontroller.nvm[0] = 1",
        "print('WRITTEN')",
        "while True: pass",
    )
    with HeapWatch(handheld) as watch:
        figures, count = Figures(watch), len(handheld.writes)
        handheld.send("\r")
        watch.run(0.5, every_s=0.005)
        figures.note("after")
    assert "WRITTEN" in handheld.serial
    writes = handheld.writes[count:]
    (erased_s,) = (write.time_s for write in writes if write.erases)
    assert {moment.rewrites for moment in figures.parts["after"]} == {False}
    assert all(0 <= moment.time_s - erased_s < 0.07 for moment in figures.parts[REWRITING])
    assert max(write.time_s for write in writes) - erased_s < 0.065


@pytest.mark.parametrize("kilobytes", [0, 50])
def test_the_largest_block_can_be_allocated_and_hardly_more(kilobytes: int) -> None:
    handheld = run_code(
        "import gc",
        f"kept = [bytearray(1000) for _ in range({kilobytes})]",
        "def fits(size):",
        "    gc.collect()",
        "    try: bytearray(size)",
        "    except MemoryError: return False",
        "    return True",
        "gc.collect()",
        "print('DONE')",
        "size = int(input())",
        "print('FITS', fits(size - 700), fits(size + 700))",
    )
    handheld.run(0.05)

    handheld.send(f"{handheld.heap(collect=True).largest_block}\r")

    assert handheld.run_until(lambda: "FITS True False" in handheld.serial, 5), handheld.serial


def test_there_is_no_heap_before_micropython_runs() -> None:
    handheld = make_handheld(find_uf2(), {})
    with pytest.raises(BoardError, match="there is no heap"):
        handheld.heap()


def test_the_console_receives_typed_text() -> None:
    handheld = run_code("print('DONE')", "print(int(input()) * 2, 'twice')")
    handheld.send("21\r")
    assert handheld.run_until(lambda: "42 twice" in handheld.serial, 2)


@pytest.mark.parametrize(("done", "erased"), [(0.0, 0), (0.5, 2048), (1.0, 4096)])
def test_a_board_starts_after_a_power_cut_within_an_erase(done: float, erased: int) -> None:
    handheld = run_code(
        "import microcontroller",
        "print('READ', microcontroller.nvm[0], 'DONE')",
        "while True:",
        "    for value in range(255): microcontroller.nvm[0:4096] = bytes([value]) * 4096",
    )
    handheld.cut_at(2, erases=True, done=done)
    handheld.run(5)

    cut_nvm = handheld.nvm
    assert not handheld.is_on and handheld.writes[-1].address == firmware_image.NVM_START
    assert cut_nvm.count(0xFF) == erased and len(set(cut_nvm)) == 1 + (done == 0.5)
    with pytest.raises(BoardError, match="switched off"):
        handheld.run(1)
    handheld.power_on()
    assert handheld.run_until(lambda: "DONE" in handheld.serial, 5)
    assert f"READ {cut_nvm[0]}" in handheld.serial


def test_handhelds_on_a_ring_receive_from_each_other() -> None:
    lines = [
        "import board, busio, time",
        "time.sleep(0.5)",
        "wire = busio.UART(board.GP12, board.GP13, baudrate=115200, timeout=1)",
        "wire.write(b'hello')",
        "print('HEARD', wire.read(5), 'DONE')",
    ]
    files = {"code.py": "\n".join(lines).encode()}
    ring = Ring([make_handheld(find_uf2(), files, settings=LINK_SETTINGS, seed=seed) for seed in (1, 2, 3)])

    ring.run(4)

    assert ring.carried == [5, 5, 5]
    assert all("b'hello'" in each.serial for each in ring.handhelds)


def test_the_same_seed_gives_the_same_random_numbers() -> None:
    def read_random(seed: int) -> str:
        return run_code("import os", "print(os.urandom(8), 'DONE')", seed=seed).serial

    assert read_random(1) == read_random(1) != read_random(2)
