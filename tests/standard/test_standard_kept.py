"""Recordings, suspended games, steps through a recording and tables of scores take Standard as any other game."""

import ast
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.engine import phases
from firmware.engine.game import Game
from firmware.modes.catalogue import STANDARD, TEST_SPEC, find, make_mode
from firmware.modes.listing import list_tables
from firmware.save.recordings.recording import Recording
from firmware.save.recordings.recording_timeline import Timeline
from firmware.save.scores import find_table
from tests.support.kept import chance_edges, chance_options, draw, keep_and_restore, play, start_game
from tools.deploy import image

RECORDINGS = Path(__file__).parents[1] / "recordings"
PHASES = {phases.GENERATION, phases.FALLING, phases.GAME_OVER}
both = pytest.mark.parametrize("variant", [STANDARD, TEST_SPEC])


STILL: Any = SimpleNamespace(ticks_ms=lambda: 0)  # a clock that stands still
UNUSED = [(1, 2), (1, 3), (4, 1), (4, 2), (4, 3), (5, 2), (7, 3)]


class TestKept:
    @both
    def test_game_switched_off_at_every_edge_is_the_same_game(self, variant: int) -> None:
        rng = random.Random(f"standard off {variant}")
        seen: set[int] = set()
        for seed in range(12):
            options = chance_options(rng)
            options.aim = seed & 1
            game = start_game(seed, variant, options)
            assert isinstance(game, Game)
            draw(game, rng, rng.randrange(12))
            seen |= play(game, variant, chance_edges(rng, 120))
            if seed > 4 and seen >= PHASES:
                break
        assert seen >= PHASES

    @pytest.mark.parametrize("name", ["standard", "test_spec"])
    def test_a_recording_can_be_stepped_through(self, name: str) -> None:
        line = Timeline(Recording((RECORDINGS / f"{name}.sky").read_bytes()), make_mode)
        assert line.work(STILL, 0) and line.total > 90 and len(line.times) in (line.total + 1, line.total + 2)
        for step in (1, 1, 1, -1):
            line.step(step)
            assert line.work(STILL, 0)
        assert line.game.lock_downs == 2

    @both
    def test_variant_has_a_table_of_scores_whether_directions_repeat_or_not(self, variant: int) -> None:
        table = find_table(variant, 0)
        assert table >= 0 and find_table(variant, 1) == table and list_tables()[table].record == find(variant)

    def test_the_variants_have_tables_of_their_own(self) -> None:
        assert len({find_table(variant, 0) for variant in range(6)}) == 6

    @both
    def test_an_unused_facing_is_never_met(self, variant: int) -> None:
        """Two orientations of I, S and Z, one of O: a suspended game could hold no other."""
        game = start_game(5, variant)
        facings: dict[int, set[int]] = {}
        for control, pressed, t_ms in chance_edges(random.Random(1), 3000):
            game.input(4 if control == 3 else control, pressed, t_ms)
            if game.piece:
                facings.setdefault(game.piece, set()).add(game.facing)
            if game.over:
                break
        assert facings and all(len(seen) <= {1: 2, 4: 1, 5: 2, 7: 2}.get(piece, 4) for piece, seen in facings.items())

    @both
    @pytest.mark.parametrize(
        ("piece", "facing"), [*UNUSED, pytest.param(0, 0, id="fell through more rows than there are")]
    )
    def test_game_with_an_unused_facing_is_no_game(self, variant: int, piece: int, facing: int) -> None:
        """It would turn out of the Matrix, or count on beyond what can be kept and be worth less than nothing."""
        game = start_game(5, variant)
        game.advance(3000)
        assert game.lowest > 0 and keep_and_restore(game, variant)
        if piece:
            game.place(piece, 3, 8, facing)
        else:
            game.lowest = 20 - game.y
        assert keep_and_restore(game, variant) is None

    def test_what_is_not_played_is_not_in_memory(self) -> None:
        """Nothing but these rules imports them on a board, which has constants in their place."""
        trees = image.read_trees(image.read_sources())
        users = {path for path, tree in trees.items() if "firmware.modes.standard" in ast.unparse(tree)}
        assert users == {"firmware/modes/standard.py", "firmware/modes/test_spec.py"}
