"""Build openers with the engine, press by press."""

from firmware.engine import controls
from firmware.engine.game import AIM_REACHED
from firmware.engine.options import Options
from firmware.modes.opener import HOLD, NONE, ORDERS, Opener
from firmware.modes.puzzle import PuzzleGame
from sim.bots.places import Places, cells_of, play_steps
from tools.openers.text import OpenerError

_NEXT_MS = 2000  # until the next Tetrimino comes


def begin(number: int, order: int) -> PuzzleGame:
    """Return the game of an opener, as packed, with the bag in this order."""
    game = PuzzleGame(number * ORDERS + order, Options(), Opener())
    game.start(0)
    game.advance(_NEXT_MS)
    return game


def build(number: int, order: int) -> PuzzleGame | None:
    """Follow the advice by button edges; return the game at its end, or None if the bag bars the opener.

    Raise OpenerError if a step cannot be played.
    """
    game = begin(number, order)
    mode = game.mode
    assert isinstance(mode, Opener)
    if mode.advise(game) == NONE:
        return None
    while not game.over:
        advice = mode.advise(game)
        if advice == HOLD:
            game.input(controls.HOLD, 1, game.now_ms)
            game.input(controls.HOLD, 0, game.now_ms)
            game.advance(game.now_ms)
            continue
        step = mode.places[game.piece]
        steps = Places(game).steps_into(cells_of(game.piece, step & 3, (step >> 2 & 15) - 3, (step >> 6 & 63) - 3))
        if advice == NONE or not steps:
            raise OpenerError(f"opener {number}, order {order}: Tetrimino {game.piece} cannot get there")
        play_steps(game, steps)
        game.advance(game.now_ms + _NEXT_MS)
    return game


def prove(number: int, stride: int) -> int:
    """Build an opener with one of `stride` orders; return how many bags allow it. Raise OpenerError."""
    allowed = 0
    for order in range(0, ORDERS, stride):
        game = build(number, order)
        if game:
            allowed += 1
            if game.over != AIM_REACHED:
                raise OpenerError(f"opener {number}, order {order}: the advice does not build it")
    return allowed
