"""Save games in progress, restore them and compare."""

import random
from collections.abc import Iterator

from firmware.engine import phases
from firmware.engine.game import Game
from firmware.engine.options import HALF_TURNS, Options
from firmware.modes.catalogue import make_mode
from firmware.modes.rules import find_rules
from firmware.option_table import GAME_FIELDS
from firmware.save import suspended, suspended_revival
from firmware.save.journal import Journal
from tests.support.drill import state

MOST_BYTES = len(Journal([]).payload)
Edge = tuple[int, int, int]  # control, pressed, time in ms


def copy(game: Game, variant: int) -> Game:
    """Return the game after power-off and resuming."""
    restored = keep_and_restore(game, variant)
    assert restored is not None
    return restored


def keep_and_restore(game: Game, variant: int) -> Game | None:
    return suspended_revival.restore(memoryview(packed(game, variant)), make_mode)


def packed(game: Game, variant: int) -> bytearray:
    buffer = bytearray(MOST_BYTES)
    return buffer[: suspended.pack(game, variant, buffer)]


def start_game(seed: int, variant: int, options: Options | None = None) -> Game:
    mode = make_mode(variant)
    game = find_rules(mode, options or Options())(seed, options, mode)
    game.start(0)
    return game


def draw(game: Game, rng: random.Random, rows: int) -> None:
    """Fill the lowest rows except one or two columns, so that random play clears lines."""
    for y in range(rows):
        open_columns = {rng.randrange(10), rng.randrange(10)}
        game.matrix.set_row(y, bytes(0 if x in open_columns else rng.randrange(1, 9) for x in range(10)))


def play(game: Game, variant: int, edges: Iterator[Edge]) -> set[int]:
    """Play edges on `game` and on a copy that is saved and restored before each; return the phases at these moments."""
    twin = game
    seen = set()
    for control, pressed, t_ms in edges:
        game.advance(t_ms)
        if twin is not game:
            twin.advance(t_ms)
        seen.add(game.phase)
        twin = copy(twin, variant)
        assert state(twin) == state(game)
        assert twin.input(control, pressed, t_ms) == game.input(control, pressed, t_ms)
        if game.phase == phases.GAME_OVER:
            break
    assert state(copy(twin, variant)) == state(game)
    return seen


def chance_edges(rng: random.Random, count: int) -> Iterator[Edge]:
    """Press and release controls at random moments, Hard Drop rarely."""
    held = 0
    t_ms = 0
    for _ in range(count):
        t_ms += rng.choice((0, 1, 16, 40, 90, 250, 600))
        control = rng.choice((0, 0, 1, 1, 2, 3, 4, 4, 5, 6))
        held ^= 1 << control
        yield control, held >> control & 1, t_ms


def chance_options(rng: random.Random) -> Options:
    options = Options()
    for name, least, most, default in GAME_FIELDS:
        setattr(options, name, rng.choice((default, default, rng.randint(least, min(most, 300)))))
    options.garbage_rows = rng.choice((0, 0, 5))
    options.modern &= ~HALF_TURNS  # two presses in one millisecond, between which nothing is saved
    return options
