"""Power cuts on the real firmware during a save, and what holding B at power-on risks."""

import functools

import pytest

from firmware.modes.catalogue import make_mode
from firmware.save import suspended_revival
from firmware.save.journal import SETTINGS, SUSPENDED, Journal
from tests.support.flash import RamStore
from tests.support.handhelds.board_console import deployed, find_uf2, make_console
from tools.board.handheld import Handheld, make_handheld
from tools.board.machine import Snapshot
from tools.board.nvm import make_nvm
from tools.board.player import Player
from tools.measure.cuts import cutting, kinds

pytestmark = pytest.mark.board
STEP_S = 0.001
CUT_S = 0.000_05


def read_game(nvm: bytes) -> object | None:
    """Return the game in progress that a board would restore, or None."""
    record = bytes(Journal([RamStore(nvm)]).read(SUSPENDED))
    return suspended_revival.restore(record, make_mode) if record else None


def is_writing(handheld: Handheld) -> bool:
    chip = handheld.machine.chip
    return bool(chip["flash_busy_until"] > chip["now"])


def drop_until_write(handheld: Handheld, seconds: float) -> Snapshot | None:
    """Drop a Tetrimino; run to a write of the non-volatile memory and return the snapshot before, or None."""
    handheld.press("U")
    nvm = handheld.nvm
    end_s = handheld.time_s + seconds
    before = handheld.snapshot()
    while handheld.time_s < end_s:
        handheld.run(STEP_S)
        if handheld.time_s > end_s - seconds + 0.05:
            handheld.release("U")
        if handheld.nvm != nvm or is_writing(handheld):
            return before
        before = handheld.snapshot()
    return None


def cut_through(handheld: Handheld, step_s: float) -> list[bytes]:
    """Cut the power every `step_s` until a write has ended.

    Return the memory's content before, then each different content after a cut.
    """
    found = [handheld.nvm]
    idle_steps = 0
    while idle_steps < 40:  # the flash rests between pages
        handheld.run(step_s)
        moment = handheld.snapshot()
        idle_steps = 0 if is_writing(handheld) else idle_steps + 1
        handheld.power_off()
        if handheld.nvm != found[-1]:
            found.append(handheld.nvm)
        handheld.restore(moment)
    return found


@functools.cache
def before_a_save() -> tuple[Player, Snapshot]:
    """Return a console in a game, and a snapshot just before the third save."""
    console = make_console(motion_on=0)
    console.start_game()
    handheld = console.handheld
    saves = 0
    for piece in range(30):
        for button in ("LLLL", "RRRR", "LL", "", "RR")[piece % 5]:
            console.tap(button, 0.03, 0.03)
        moment = drop_until_write(handheld, 0.4)
        console.check()
        if moment:
            saves += 1
            if saves == 3:
                return console, moment
            handheld.run(0.06)
            handheld.release("U")
            handheld.run(0.4)
    console.fail("the game was not saved three times")
    raise AssertionError


@pytest.mark.long
def test_a_game_comes_back_when_power_fails_every_50_us_of_its_save() -> None:
    console, moment = before_a_save()
    console.handheld.restore(moment)
    found = cut_through(console.handheld, CUT_S)
    games = [read_game(nvm) for nvm in found]
    print(f"CUTS {len(found)} different memories")
    assert all(games), f"{sum(not game for game in games)} of {len(games)} cuts lose the game"
    assert len({game.lock_downs for game in games}) == 2  # type: ignore[attr-defined]


@pytest.mark.long
def test_a_cut_at_the_end_of_a_game_leaves_the_whole_game_or_none() -> None:
    console, moment = before_a_save()
    handheld = console.handheld
    handheld.restore(moment)
    handheld.release("U")
    handheld.run(0.5)
    settings = bytes(Journal([RamStore(handheld.nvm)]).read(SETTINGS))
    moments = []
    for _ in range(30):
        found = drop_until_write(handheld, 0.4)
        if found:
            moments.append(found)
            handheld.run(0.06)
            handheld.release("U")
            handheld.run(0.4)
        if not read_game(handheld.nvm):
            break
    assert moments

    handheld.restore(moments[-1])
    kept = [bool(read_game(nvm)) for nvm in cut_through(handheld, 0.0005)]

    assert kept[0]
    assert not kept[-1]
    assert kept == sorted(kept, reverse=True)
    assert bytes(Journal([RamStore(handheld.nvm)]).read(SETTINGS)) == settings


SAMPLE, ALL = 12, 300
SHORT = [("the save of a match's pause", SAMPLE), ("rewriting the journal", SAMPLE)]
CASES = [(name, most) for most in (SAMPLE, ALL) for name in kinds.NAMES]


@pytest.mark.parametrize(
    ("name", "most"), [pytest.param(*case, marks=() if case in SHORT else pytest.mark.long) for case in CASES]
)
def test_a_cut_loses_nothing_saved_outside_the_stated_window(name: str, most: int) -> None:
    result = cutting.cut(name, find_uf2(), deployed(), most)
    print(cutting.tabulate([result.cells]))
    assert sum(result.losses) >= most and result.outside == 0
    assert result.losses[cutting.WRITTEN] or "B held" in name or "goes on" in name, "no cut met the record"
    if "B held" not in name:
        assert not result.losses[cutting.PROGRAM]
        assert (result.erases, result.window_s <= 0.06) == (int("rewriting" in name), True)


def test_b_at_power_on_is_told_and_the_next_start_writes_nothing() -> None:
    """CircuitPython once wrote boot_out.txt again at that start, and at the next one, although the PC had the drive."""
    handheld = make_handheld(find_uf2(), deployed(), nvm=make_nvm())
    handheld.run(3)
    writes = []
    for holds_b in (True, True, False):
        handheld.power_off()
        player = Player(handheld)
        kinds.switch_on(player, holds_b)
        assert player.shows("B HELD: A POWER", small=True) == holds_b
        writes.append(len(handheld.writes))
    assert writes[0] and writes[1:] == [0, 0], "only the first of these starts makes the file of the copy"
