"""Define the players of matches: the strong one, three to compare it with, and the levels of the handheld."""

import inspect
import random
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any

from firmware.tetress.computer import LEVELS, Computer
from firmware.tetress.game import ACTIONS, Game
from sim.terminal import Refusal, tell_unknown
from tools.tetress.agent import Agent, colour_number
from tools.tetress.notation import Cell, action_of, cells_of

Cells = tuple[Cell, Cell, Cell, Cell]


class Baseline:
    """Keep a game up to date, and break ties at random."""

    def __init__(self, colour: int | str, seconds: float = 180.0, seed: int = 0) -> None:
        self.colour = colour_number(colour)
        self.random = random.Random(seed)
        self.game = Game()

    def update(self, colour: int | str, cells: Iterable[Cell]) -> None:
        self.game.play(action_of(cells))

    def choose(self) -> Cells:
        return cells_of(self.pick(self.legal()))

    def legal(self) -> list[int]:
        """Return the numbers of all legal actions, shuffled."""
        actions = [0] * ACTIONS
        del actions[self.game.list_actions(actions) :]
        self.random.shuffle(actions)
        return actions

    def pick(self, actions: list[int]) -> int:
        """Return the action to play; `actions`: all legal actions, shuffled."""
        raise NotImplementedError


class RandomPlayer(Baseline):
    def pick(self, actions: list[int]) -> int:
        return actions[0]


class Greedy(Baseline):
    """Play the action after which this player leads by the most tokens."""

    def pick(self, actions: list[int]) -> int:
        """Return the best action at depth 1; only full lines make a difference."""

        def lead_after(action: int) -> int:
            game = self.game
            game.play(action)
            count = game.count(self.colour) - game.count(self.colour ^ 1)
            for colour in (0, 1):
                game.tokens[colour][:] = before[colour]
            game.played, game.over = played, 0
            game.find()
            return count

        before = [list(rows) for rows in self.game.tokens]
        played = self.game.played
        return max(actions, key=lead_after)


class Two(Baseline):
    """Search two actions ahead by alpha-beta on mobility alone; the first action is random."""

    def pick(self, actions: list[int]) -> int:
        """Search; needs the extra `solve`."""
        if self.game.played < 2:
            return actions[0]
        import numpy as np

        from tools.tetress.search import look_two

        rows = [self.game.tokens[self.colour], self.game.tokens[self.colour ^ 1]]
        return int(look_two(np.array(rows, np.int64), self.game.played, np.array(actions, np.int32)))


class Level(Baseline):
    def __init__(self, level: int, colour: int | str, seconds: float = 180.0, seed: int = 0) -> None:
        super().__init__(colour, seconds, seed)
        self.level = level
        self.computer = Computer(seed * 7919 + self.colour + 1)

    def pick(self, actions: list[int]) -> int:
        """Let the handheld's computer think without pauses; return its action."""
        self.computer.begin(self.game, self.level)
        while not self.computer.think(100):
            pass
        return self.computer.action


class Strong(Agent):
    """The strong player; it needs no seed."""

    def __init__(self, colour: int | str, seconds: float = 180.0, seed: int = 0) -> None:
        super().__init__(colour, seconds)


COMPILED = {"strong", "two"}  # their search needs numba
PLAYERS: dict[str, Callable[..., Any]] = {"strong": Strong, "random": RandomPlayer, "greedy": Greedy, "two": Two}
PLAYERS |= {f"level{level}": partial(Level, level) for level in range(1, LEVELS + 1)}


def accepted(call: Callable[..., Any], **offered: Any) -> dict[str, Any]:
    """Return the arguments in `offered` that `call` accepts by name."""
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return {}
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return offered
    return {name: value for name, value in offered.items() if name in parameters}


def find_player(name: str) -> Callable[..., Any]:
    """Return the constructor (colour, seconds, seed) of a player, by its name here or as `module:Class`.

    A `module:Class` gets its colour, and `seconds` and `seed` if it has parameters of these names. Raise Refusal
    for an unknown name.
    """
    if name in PLAYERS:
        return PLAYERS[name]
    module, _, attribute = name.partition(":")
    if not attribute:
        raise Refusal(tell_unknown(name, [*PLAYERS, "module:Class"], "player"))
    try:
        found = getattr(import_module(module), attribute)
    except Exception as problem:  # a foreign module may fail in any way
        raise Refusal(f"no player {name!r}: {problem}") from None
    return lambda colour, seconds, seed: found(colour, **accepted(found, seconds=seconds, seed=seed))
