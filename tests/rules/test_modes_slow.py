"""Slow play, by the sections of firmware/modes/README.md."""

import pytest

from firmware.engine import phases
from firmware.engine.options import Options
from firmware.finishing import finish
from firmware.modes.catalogue import DAILY, MARATHON, PUZZLE, WORST, ZEN, make_mode, read
from firmware.modes.classes import UNRANKED
from firmware.modes.puzzle import Puzzle
from firmware.modes.rules import find_rules
from firmware.modes.slow import STILL, apply
from firmware.option_table import GAME_FIELDS
from firmware.save.journal import Journal
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.recordings.recording_trace import Trace
from firmware.save.scores import find_table
from sim.traces import trace
from tests.support.drill import Drill, choose
from tests.support.flash import RamStore
from tests.support.kept import start_game
from tests.support.recorded import record_more

FACTORS = {1: 75, 2: 50, 3: 25}


def drill(slow: int, variant: int = MARATHON, art: str = "", **options: int) -> Drill:
    """Return a game of O at a speed, with its first Tetrimino in play."""
    chosen = choose(Options(), slow=slow)
    apply(chosen, make_mode(variant), 0)
    options |= {"generation_ms": chosen.generation_ms, "animate_ms": chosen.animate_ms}
    made = Drill("O", art, make_mode(variant), slow=chosen.slow, **options)
    made.wait(made.game.options.generation_ms)
    return made


def test_13_1_only_marathon_zen_and_puzzles_have_it() -> None:
    variants = [int(record[b"mode"].split()[0]) for record in read() if record[b"mode"] != b"none"]
    slow = []
    for variant in variants:
        options = choose(Options(), slow=2)
        apply(options, make_mode(variant), 0)
        slow += [variant] * (options.slow > 0)
    assert slow == [MARATHON, ZEN, PUZZLE]


@pytest.mark.parametrize("variant", [DAILY, WORST])
def test_13_1_other_modes_ignore_it_in_a_recording(variant: int) -> None:
    options = Options()
    usual = find_rules(make_mode(variant), options)
    options.slow = 3
    assert find_rules(make_mode(variant), options) is usual and options.slow == 3


@pytest.mark.parametrize("slow", FACTORS)
def test_13_2_a_row_takes_longer(slow: int) -> None:
    game = drill(slow).game
    normal = drill(0).game
    assert game.interval_us == normal.interval_us * 100 // FACTORS[slow]


@pytest.mark.parametrize("slow", FACTORS)
def test_13_2_a_soft_drop_row_takes_longer(slow: int) -> None:
    made = drill(slow)
    made.press("soft")
    assert made.game.interval_us == 50_000 * 100 // FACTORS[slow]


@pytest.mark.parametrize(("variant", "lock_ms"), [(MARATHON, 500), (ZEN, 5000)])
@pytest.mark.parametrize("slow", FACTORS)
def test_13_2_the_lock_down_timer_takes_longer(slow: int, variant: int, lock_ms: int) -> None:
    made = drill(slow, variant)
    made.press("soft")
    while made.game.phase == phases.FALLING:
        made.wait(1)
    whole = -(-lock_ms * 100 // FACTORS[slow])
    made.wait(whole - 3)
    assert not made.game.lock_downs
    made.tap("left")  # restarts the timer
    made.wait(whole - 1)
    assert not made.game.lock_downs
    made.wait(1)
    assert made.game.lock_downs == 1


def test_13_2_the_options_hold_the_longer_delays() -> None:
    options = choose(Options(), slow=3)
    apply(options, make_mode(MARATHON), 0)
    assert (options.generation_ms, options.animate_ms) == (800, 1200)
    options.check()


def test_13_2_delay_and_repeat_stay_as_set() -> None:
    made = drill(3)
    made.press("left")
    x = made.game.x
    made.wait(made.game.options.das_ms)
    assert made.game.x == x - 1


@pytest.mark.parametrize("variant", [MARATHON, ZEN])
def test_13_3_still_nothing_falls_by_itself(variant: int) -> None:
    made = drill(STILL, variant)
    y = made.game.y
    for _ in range(2000):
        made.wait(500)
    assert (made.game.y, made.game.lock_downs) == (y, 0)


@pytest.mark.parametrize("variant", [MARATHON, ZEN])
def test_13_3_still_only_a_hard_drop_locks_down(variant: int) -> None:
    made = drill(STILL, variant)
    made.press("soft")
    made.wait(2000)
    made.release("soft")
    for _ in range(40):  # more moves than Extended Placement has
        made.tap("left", "right")
    for _ in range(2000):
        made.wait(500)
    assert (made.game.y, made.game.lock_downs) == (made.game.ghost_y, 0)
    made.tap("hard")
    assert made.game.lock_downs == 1


def test_13_4_a_puzzle_has_a_slower_soft_drop() -> None:
    options = choose(Options(), slow=2)
    apply(options, Puzzle, 0)
    assert (options.soft_factor, options.generation_ms) == (10, 400)


@pytest.mark.parametrize("variant", [MARATHON, ZEN])
@pytest.mark.parametrize("slow", [1, STILL])
def test_13_5_a_slow_game_has_no_place(variant: int, slow: int) -> None:
    made = drill(slow, variant)
    made.game.score = made.game.lines = 100
    assert finish(Journal([RamStore()]), variant, made.game, 0) == (None, UNRANKED, -1)
    made = drill(0, variant)
    made.game.score = made.game.lines = 100
    assert finish(Journal([RamStore()]), variant, made.game, 0)[0] == (0, find_table(variant, 0))


@pytest.mark.parametrize("slow", [1, 2, 3, STILL])
@pytest.mark.parametrize("variant", [MARATHON, ZEN])
def test_a_recording_replays_a_slow_game_exactly(variant: int, slow: int) -> None:
    options = choose(Options(), slow=slow)
    apply(options, make_mode(variant), 0)
    game = start_game(7, variant, options)
    recorder = Recorder()
    recorder.begin_game(variant, 7, options)
    game.mode = traced = Trace(game.mode)
    record_more(game, recorder, 90, 37)
    *_, last = trace(Recording(recorder.recorded(game.time_ms)))
    assert game.lock_downs >= 3 and not game.over and last.endswith(f"{traced.value:08x}")


def test_the_number_of_the_option_is_that_of_recordings() -> None:
    assert GAME_FIELDS[21] == ("slow", 0, STILL, 0)
