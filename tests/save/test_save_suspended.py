"""A suspended game continues exactly as without the suspension."""

import random
from collections.abc import Callable
from copy import deepcopy
from itertools import islice
from pathlib import Path

import pytest

from firmware.engine import controls, phases
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.engine.randomizer import SEEDS
from firmware.modes.catalogue import DAILY, MARATHON, SPRINT, STANDARD, ULTRA, ULTRA_LINES, ZEN, make_mode
from firmware.option_table import GAME_FIELDS
from firmware.save import suspended, suspended_revival
from firmware.save.recordings.recording import Recording
from tests.support import kept
from tests.support.drill import CODES, Drill, state
from tests.support.kept import MOST_BYTES, chance_edges, chance_options, copy, draw, play, start_game
from tests.support.recorded import PATHS, edges_of
from tests.support.variants import DIG, MASTER, SURVIVE, TEST_SPEC

VARIANTS = (MARATHON, SPRINT, ULTRA, ULTRA_LINES, DIG, SURVIVE, MASTER, DAILY)
PHASES = {phases.GENERATION, phases.FALLING, phases.LOCK, phases.GAME_OVER}


def finish(game: Game) -> None:
    while game.phase != phases.GAME_OVER:
        game.input(controls.HARD_DROP, 1, game.now_ms + 500)


def raise_solid_line(game: Game) -> None:
    game.matrix.raise_row(10)
    game.matrix.raise_row(4)


def fill_with_all_codes(game: Game) -> None:
    for y in range(40):
        game.matrix.set_row(y, bytes((x + y) % len(CODES) for x in range(10)))


def slide(game: Game, button: int) -> None:
    """Hold a button, and set `sliding` although the option asks for single steps."""
    game.input(button, 1, game.now_ms)
    game.sliding = True


def halt(game: Game, phase: int, hit_count: int = 0) -> None:
    """Take the Tetrimino out of play."""
    game.piece = 0
    game.phase = phase
    game.hit_count = hit_count


class TestSameGame:
    @pytest.mark.parametrize(("games", "edges"), [(4, 120), pytest.param(60, 400, marks=pytest.mark.long)])
    @pytest.mark.parametrize("variant", [*VARIANTS, STANDARD, TEST_SPEC])
    @pytest.mark.no_cover
    def test_game_switched_off_at_every_edge_is_the_same_game(self, variant: int, games: int, edges: int) -> None:
        rng = random.Random(f"off {variant}")
        seen: set[int] = set()
        expected = PHASES - {phases.LOCK} if variant in (STANDARD, TEST_SPEC) else PHASES
        for seed in range(60):
            options = chance_options(rng)
            if variant in (STANDARD, TEST_SPEC):
                options.aim = seed & 1
            game = start_game(seed, variant, options)
            draw(game, rng, rng.randrange(12))
            seen |= play(game, variant, chance_edges(rng, edges))
            if seed + 1 >= games and seen >= expected:
                break
        assert seen >= expected

    @pytest.mark.no_cover
    def test_line_clear_continues_where_it_was(self) -> None:
        """It is restored at each of the 500 ms from the Lock Down to the next Tetrimino."""
        seed = next(seed for seed in range(99) if Drill(order="", seed=seed).piece == "I")
        drill = Drill(order="", seed=seed, art="LLL....LLL", mode=make_mode(MARATHON))
        drill.tap("hard")
        assert (drill.game.phase, drill.game.hit_count) == (phases.ANIMATE, 1)
        seen = set()
        for _ in range(510):
            seen.add(drill.game.phase)
            restored = copy(drill.game, MARATHON)
            assert state(restored) == state(drill.game)
            drill.wait(1)
            restored.advance(drill.t_ms)
            assert state(restored) == state(drill.game)
        assert seen == {phases.ANIMATE, phases.GENERATION, phases.FALLING}

    @pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["begin", "whole"])
    @pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
    @pytest.mark.no_cover
    def test_recorded_game_is_the_same_game(self, path: Path, whole: bool) -> None:
        """Whole recordings are played in all variants."""
        recording = Recording(path.read_bytes())
        for variant in VARIANTS if whole else [recording.variant]:
            # Copied: a variant may change its options, and reading a recording again resets them.
            game = start_game(recording.seed, variant, deepcopy(recording.options))
            play(game, variant, islice(edges_of(recording), None if whole else 300))

    @pytest.mark.parametrize("change", [finish, raise_solid_line, fill_with_all_codes])
    def test_rare_states_are_restored(self, change: Callable[[Game], None]) -> None:
        game = start_game(1, MARATHON)
        change(game)
        assert state(copy(game, MARATHON)) == state(game)


class TestRecord:
    def test_longest_record_fits_the_journal(self) -> None:
        """The worst case: forty rows, nine hours, every count larger than a byte."""
        options = Options()
        for name, _least, most, _default in GAME_FIELDS:
            setattr(options, name, most)
        game = start_game((1 << 30) - 1, ULTRA_LINES, options)
        game.matrix.top = 40
        for name in ("time_ms", "now_ms", "entered_ms", "score", "shift_us", "fall_us", "interval_us", "wait_us"):
            setattr(game, name, (1 << 30) - 1)
        for name in ("a", "b", "c", "d", "lines", "lock_downs", "chain", "goal", "time_us", "awarded"):
            setattr(game, name, 0xFFFF)
        game.action = game.events = (1 << 23) - 1
        game.random.a = game.random.b = game.garbage.a = game.garbage.b = (1 << 30) - 1
        game.matrix.version = 0xFFFF
        statistics = game.statistics
        statistics.kinds = [0x3FFF] * 15
        for key in ("back_to_backs", "combo", "longest_combo", "pieces", "holds", "faults", "presses", "keys", "minis"):
            setattr(statistics, key, 0x3FF0)
        assert suspended.pack(game, ULTRA_LINES, bytearray(MOST_BYTES)) <= MOST_BYTES

    def test_record_of_a_usual_game_is_short(self) -> None:
        recording = Recording(PATHS[0].read_bytes())
        game = start_game(recording.seed, recording.variant, recording.options)
        for control, pressed, t_ms in edges_of(recording):
            game.input(control, pressed, t_ms)
            assert len(kept.packed(game, recording.variant)) <= 250

    def test_record_names_its_variant_at_a_known_byte(self) -> None:
        assert kept.packed(start_game(1, ULTRA), ULTRA)[suspended.VARIANT] == ULTRA

    def test_early_presses_are_restored(self) -> None:
        drill = Drill(order="", early_presses=1, mode=make_mode(MARATHON))
        drill.tap("hard", "left", "left", "cw")
        assert state(copy(drill.game, MARATHON)) == state(drill.game)

    def test_record_of_format_1_is_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Format 1 lacks three numbers between the Matrix's fields and the Blocks, and the last two counts."""
        game = start_game(5, MARATHON)
        draw(game, random.Random(1), 8)
        game.advance(10)
        with monkeypatch.context() as older:
            older.setattr(suspended, "_STATISTICS", suspended._STATISTICS[: suspended._OLD_STATISTICS])
            record = kept.packed(game, MARATHON)
        blocks_at = len(record) - 5 * game.matrix.top
        older_record = bytes([1]) + record[1 : blocks_at - 3] + record[blocks_at:]
        restored = suspended_revival.restore(older_record, make_mode)
        assert restored is not None and state(restored) == state(game)


class TestNoGame:
    @pytest.mark.parametrize(
        ("at", "byte"), [(0, suspended.OLDEST - 1), (0, suspended.FORMAT + 1), (suspended.VARIANT, 99)]
    )
    def test_record_of_another_version_is_no_game(self, at: int, byte: int) -> None:
        record = kept.packed(start_game(1, ULTRA), ULTRA)
        record[at] = byte
        assert suspended_revival.restore(record, make_mode) is None

    def test_truncated_record_is_no_game(self) -> None:
        game = start_game(1, ULTRA)
        draw(game, random.Random(1), 8)
        record = bytes(kept.packed(game, ULTRA))
        for end in range(len(record)):
            assert suspended_revival.restore(record[:end], make_mode) is None

    @pytest.mark.parametrize(
        "change",
        [
            lambda game: setattr(game.options, "level", 16),
            lambda game: setattr(game, "seed", SEEDS),
            lambda game: setattr(game.random, "a", 0),
            lambda game: setattr(game.random, "a", 1 << 40),
            lambda game: setattr(game.garbage, "b", 0),
            lambda game: game.dealer.order.__setitem__(0, game.dealer.order[1]),
            lambda game: game.next.__setitem__(3, 8),
            lambda game: game.next.__setitem__(3, 0),
            lambda game: game.matrix.set_row(0, b"\0" * 9 + b"\x0e"),
            lambda game: game.matrix.set_row(0, b"\0" * 9 + b"\x0f"),
            lambda game: game.matrix.set_row(game.y + 1, b"\1" * 9 + b"\0"),
            lambda game: setattr(game, "over", 1),
            lambda game: setattr(game, "phase", phases.GENERATION),
            lambda game: setattr(game, "phase", phases.LOCK),
            lambda game: halt(game, phases.FALLING),
            lambda game: halt(game, phases.ANIMATE, 1),
            lambda game: setattr(game, "level", 0),
            lambda game: setattr(game, "level", 1 << 16),
            lambda game: setattr(game, "time_ms", game.limit_ms + 1),
            lambda game: setattr(game, "shift_step", 1),
            lambda game: setattr(game, "soft", 1),
            lambda game: setattr(game, "sliding", 1),
            lambda game: slide(game, controls.RIGHT),
            lambda game: setattr(game, "entered_ms", game.time_ms + 1),
        ],
        ids=[
            "option", "seed", "generator", "generator beyond", "generator of lines", "bag", "Tetrimino to come",
            "none to come", "cell", "solid cell", "Tetrimino in Blocks", "over", "generated", "on the ground",
            "none in play", "rows to go", "level", "level beyond", "time", "shift", "Soft Drop", "sliding",
            "sliding by steps", "not yet there",
        ],
    )  # fmt: skip
    def test_impossible_game_is_no_game(self, change: Callable[[Game], object]) -> None:
        game = start_game(1, ULTRA)
        game.advance(1000)
        assert copy(game, ULTRA).piece
        change(game)
        assert kept.keep_and_restore(game, ULTRA) is None

    @pytest.mark.parametrize("variant", [MARATHON, ZEN, MASTER])
    def test_resting_tetrimino_in_the_falling_phase_is_no_game(self, variant: int) -> None:
        """It would fall through the floor, also in modes with their own rules."""
        game = start_game(1, variant)
        while game.phase != phases.LOCK:
            game.advance(game.now_ms + 100)
        assert kept.keep_and_restore(game, variant)
        game.phase = phases.FALLING
        assert kept.keep_and_restore(game, variant) is None


def test_a_dealer_of_a_mode_of_its_own_is_not_judged() -> None:
    game = start_game(1, MARATHON)
    game.dealer = object()
    assert suspended_revival.is_dealt(game, True)
