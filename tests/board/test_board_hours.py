"""Hours of play on the real firmware: the heap stays flat, and no wrap of a clock is seen."""

import random

import pytest

from tests.support.handhelds.board_console import make_console
from tools.board.player import MOVES, Player

pytestmark = pytest.mark.board

_MINUTE_S = 60
MINUTES = 12  # the emulator needs about as long where others use the machine, half as long where it is idle
_FLAT_BYTES = 512
# From power-on: supervisor.ticks_ms() begins 65,536 ms before its first wrap and has 29 bits; the TIMER's lower word
# counts microseconds.
_FIRST_WRAP_S = 65.536
_TICKS_PERIOD_S = (1 << 29) / 1000
_TIMER_PERIOD_S = (1 << 32) / 1e6
WRAPS_S = {
    "first": _FIRST_WRAP_S,
    "timer": _TIMER_PERIOD_S,
    "second, after 6.2 days": _FIRST_WRAP_S + _TICKS_PERIOD_S,
    "fourth, after 18.6 days": _FIRST_WRAP_S + 3 * _TICKS_PERIOD_S,
}


def start_zen(console: Player) -> None:
    console.to_menu()
    console.choose("MORE MODES", after_s=0.5)
    console.choose("ZEN", after_s=0)
    console.expect(lambda: not console.is_loading and not console.shows("READY", "GO", "ZEN"), 6)


def drop(console: Player, chance: random.Random) -> None:
    """Drop one Tetrimino anywhere, as fast as a quick person."""
    for button in chance.choice(MOVES):
        console.tap(button, 0.03, 0.03)
    console.tap("U", 0.03, 0.1)


def read_free_bytes(console: Player) -> int:
    """Return the free bytes after a collection, with one Tetrimino just dealt."""
    return console.handheld.heap(collect=True).free


@pytest.mark.long
@pytest.mark.parametrize("minutes", [MINUTES, 60])
def test_zen_at_full_speed_leaves_the_heap_flat(minutes: int) -> None:
    """One game all the time."""
    console = make_console()
    start_zen(console)
    chance = random.Random(minutes)
    figures = []
    start_s = console.handheld.time_s
    for minute in range(1, minutes + 1):
        while console.handheld.time_s < start_s + minute * _MINUTE_S:
            drop(console, chance)
        console.check()
        late = sum(frame.busy_s > 1 / 60 for frame in console.handheld.frames())
        figures.append((read_free_bytes(console), late, len(console.handheld.frames())))
        console.handheld.machine.forget_logs()
        if minute % 5 == 0 or minute == minutes:
            print(f"ZEN minute {minute}: free, late frames, frames {figures[-1]}", flush=True)
    fifth_minute = figures[4]  # by then all is loaded
    assert abs(figures[-1][0] - fifth_minute[0]) <= _FLAT_BYTES, figures
    assert min(frames for _free, _late, frames in figures) > 3500, "sixty frames a second"


@pytest.mark.long
@pytest.mark.parametrize("minutes", [MINUTES, 60])
def test_marathons_at_full_speed_leave_the_heap_flat(minutes: int) -> None:
    """One game after the other, each to its end, through its results; read in each after ten Tetriminos."""
    console = make_console()
    console.open_levels()
    chance = random.Random(minutes)
    figures: list[tuple[float, int]] = []
    start_s = console.handheld.time_s
    while console.handheld.time_s < start_s + minutes * _MINUTE_S:
        console.tap("A", after_s=3.5)
        for _ in range(10):
            drop(console, chance)
        figures.append((console.handheld.time_s - start_s, read_free_bytes(console)))
        while not console.shows("OVER"):
            drop(console, chance)
        console.check()
        console.handheld.machine.forget_logs()
        print(f"MARATHON {len(figures)} at {figures[-1][0]:.0f} s: free {figures[-1][1]}", flush=True)
        console.run(2.5)
        console.to_retry()
    after_five = [free for at_s, free in figures if at_s >= 5 * _MINUTE_S]
    print(f"MARATHONS {len(figures)}, free from minute 5 on {min(after_five)} to {max(after_five)}")
    assert abs(after_five[-1] - after_five[0]) <= _FLAT_BYTES, figures


@pytest.mark.parametrize(
    "name", [name if "second" in name else pytest.param(name, marks=pytest.mark.long) for name in WRAPS_S]
)
def test_no_frame_sees_a_wrap_of_the_clock(name: str) -> None:
    """Switched on 20 seconds before the wrap, with the TIMER set as if it had run until then."""
    console = make_console()
    handheld = console.handheld
    handheld.power_off()
    handheld.power_on(WRAPS_S[name] - 20)
    console.to_title()
    start_zen(console)
    chance = random.Random(1)
    locked = 0
    while handheld.time_s < WRAPS_S[name] - 1:
        drop(console, chance)
    before = handheld.picture()
    while handheld.time_s < WRAPS_S[name] + 1:
        drop(console, chance)
        locked += handheld.picture() != before
        before = handheld.picture()
    console.check()
    busy = [each.busy_s for each in handheld.frames(WRAPS_S[name] - 1) if each.start_s < WRAPS_S[name] + 1]
    print(f"WRAP {name}: {len(busy)} frames in 2 s, the longest {1000 * max(busy):.1f} ms, {locked} Tetriminos")
    assert len(busy) >= 118 and locked >= 6
    start_s = handheld.time_s
    console.tap("S", after_s=1)
    assert console.shows("PAUSE") and handheld.time_s - start_s < 2
