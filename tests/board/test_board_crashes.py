"""A full heap on the real firmware: the crash page shows the error, and a button restarts the game."""

import functools
from collections.abc import Callable

import pytest

from tests.support.handhelds.board_console import ONE, deployed, find_uf2
from tools.board.handheld import Handheld, make_handheld
from tools.board.machine import Snapshot
from tools.board.nvm import make_nvm
from tools.board.player import Player

pytestmark = pytest.mark.board
LED = 1 << 25
FREE_BYTES = 200
# Replaces the module `time`. Once the console sends an f, it fills the heap in every frame.
PROBE = f"""
import gc, supervisor, sys, time
real = time
kept = []
full = False
class Time:
    def __getattr__(self, name):
        return getattr(real, name)
    def sleep(self, seconds):
        global full
        if not full and supervisor.runtime.serial_bytes_available:
            full = "f" in sys.stdin.read(supervisor.runtime.serial_bytes_available)
        if full:
            fill()
        real.sleep(seconds)
def fill():
    global kept
    gc.collect()
    for size in (4096, 1024, 256, 64, 16):
        try:
            while gc.mem_free() > {FREE_BYTES} + size + 32:
                kept = (kept, bytearray(size))
        except MemoryError:
            pass
if not supervisor.get_previous_traceback():
    sys.modules["time"] = Time()
"""


@functools.cache
def boot_with_probe(nvm: bytes) -> tuple[Handheld, Snapshot]:
    files = dict(deployed())
    assert "code.py" in files
    files["probe.py"] = PROBE.encode()
    files["code.py"] = b"import probe\n" + files["code.py"]
    handheld = make_handheld(find_uf2(), files, nvm=nvm)
    console = Player(handheld)
    console.to_title()
    return handheld, handheld.snapshot()


def open_options(console: Player) -> None:
    console.to_menu()
    console.choose("OPTIONS", after_s=0.8)


def play_game(console: Player) -> None:
    console.start_game()
    console.play(2, 1)


def pause_game(console: Player) -> None:
    play_game(console)
    console.tap("S", after_s=1)
    console.taps("DD")


def play_match(console: Player) -> None:
    console.start_versus()
    console.play(2, 1)


def pause_match(console: Player) -> None:
    play_match(console)
    console.tap("S", after_s=1.2)
    console.tap("U")


def finish_round(console: Player) -> None:
    console.start_versus()
    for _ in range(4):
        console.top_out()
        if console.has_result:
            break
    console.run(2)


# The way to a screen, and the buttons to press there with a full heap.
MOMENTS: dict[str, tuple[Callable[[Player], None], str]] = {
    "title": (Player.check, "A"),
    "menu": (Player.to_menu, "A"),
    "versus": (Player.open_versus, "A"),
    "options": (open_options, "A"),
    "levels": (Player.open_levels, "A"),
    "game": (play_game, "S"),
    "pause": (pause_game, "A"),
    "match": (play_match, "S"),
    "pause of a match": (pause_match, "ADD"),  # past CONTINUE and REMATCH, which begin in an empty heap
    "end of a round": (finish_round, "A"),
}
SHORT = ("match",)


@pytest.mark.parametrize("moment", [pytest.param(at, marks=[pytest.mark.long] * (at not in SHORT)) for at in MOMENTS])
def test_a_full_heap_shows_the_crash_page_and_a_button_restarts(moment: str) -> None:
    handheld, snapshot = boot_with_probe(make_nvm(ONE, motion_on=0))
    handheld.restore(snapshot)
    console = Player(handheld)
    go_there, buttons = MOMENTS[moment]
    go_there(console)
    settings = handheld.nvm[:64]

    for _ in range(2):  # the emulated computer's first byte waits for the second
        handheld.send("f")
        handheld.run(0.3)
    for each in buttons + "ADAAA":  # a scene as small as the one before still fits
        if not handheld.problem:
            console.tap(each, after_s=0.8)

    check_crash(console)
    assert handheld.nvm[:64] == settings


def check_crash(console: Player) -> None:
    """Check that page and LED report the crash, and that a button restarts the game."""
    handheld = console.handheld
    for _ in range(250):
        if handheld.problem and console.shows("PROBLEM"):
            break
        handheld.run(0.02)
    else:
        console.fail("the crash page did not come")
    assert "MemoryError" in handheld.problem
    assert console.shows("MEMORYERROR", small=True)
    assert led_blinks(handheld)
    length = len(handheld.serial)
    console.tap("B")
    console.handheld.run_until(lambda: console.shows("FALLING MINOS", small=True), 5)
    assert console.shows("FALLING MINOS", small=True), handheld.draw_text()
    handheld.run(5)
    assert console.shows("PRESS A", "CONTINUE"), handheld.draw_text()
    assert "Traceback" not in handheld.serial[length:]


def led_blinks(handheld: Handheld) -> bool:
    """Return True if the LED is both on and off within three seconds."""
    seen = set()
    for _ in range(150):
        handheld.run(0.02)
        chip = handheld.machine.chip
        seen.add(bool(int(chip["gpio_out"]) & int(chip["gpio_oe"]) & LED))
    return seen == {False, True}
