"""A suspended game of Standard has no facing that its pieces lack; only two modules import its rules."""

import ast
import random

import pytest

from firmware.modes.catalogue import STANDARD, TEST_SPEC
from tests.support.kept import chance_edges, keep_and_restore, start_game
from tools.deploy import image

both_variants = pytest.mark.parametrize("variant", [STANDARD, TEST_SPEC])
UNUSED_FACINGS = [(1, 2), (1, 3), (4, 1), (4, 2), (4, 3), (5, 2), (7, 3)]


class TestSaved:
    @both_variants
    def test_an_unused_facing_is_never_met(self, variant: int) -> None:
        """I, S and Z have two orientations, O has one: a suspended game holds no other."""
        game = start_game(5, variant)
        facings: dict[int, set[int]] = {}
        for control, pressed, t_ms in chance_edges(random.Random(1), 3000):
            game.input(4 if control == 3 else control, pressed, t_ms)
            if game.piece:
                facings.setdefault(game.piece, set()).add(game.facing)
            if game.over:
                break
        assert facings and all(len(seen) <= {1: 2, 4: 1, 5: 2, 7: 2}.get(piece, 4) for piece, seen in facings.items())

    @both_variants
    @pytest.mark.parametrize(
        ("piece", "facing"), [*UNUSED_FACINGS, pytest.param(0, 0, id="fell through more rows than there are")]
    )
    def test_game_with_an_unused_facing_is_no_game(self, variant: int, piece: int, facing: int) -> None:
        """Its piece could turn out of the Matrix, or fall so many rows that its points are negative."""
        game = start_game(5, variant)
        game.advance(3000)
        assert game.lowest > 0 and keep_and_restore(game, variant)
        if piece:
            game.place(piece, 3, 8, facing)
        else:
            game.lowest = 20 - game.y
        assert keep_and_restore(game, variant) is None

    def test_only_the_two_variants_import_the_rules_of_standard(self) -> None:
        """On a board the deploy replaces their constants, so only these two modules import the rules."""
        trees = image.read_trees(image.read_sources())
        users = {path for path, tree in trees.items() if "firmware.modes.standard" in ast.unparse(tree)}
        assert users == {"firmware/modes/standard.py", "firmware/modes/test_spec.py"}
