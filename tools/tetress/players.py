"""Name the players of matches: the strong one, three to measure it against, and the levels of the handheld."""

import inspect
import random
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Protocol

from firmware.tetress.computer import LEVELS, Computer
from firmware.tetress.game import Game
from tools.tetress.agent import Agent, colour_number
from tools.tetress.notation import ACTIONS, Cell, action_of, cells_of

Cells = tuple[Cell, Cell, Cell, Cell]


class Player(Protocol):
    """What a referee drives."""

    def choose(self) -> Iterable[Cell]:
        """Return the four cells to play."""

    def update(self, colour: int, cells: Iterable[Cell]) -> None:
        """Take note of an action."""


class Baseline:
    """Keep a game up to date; what is equally good is chosen by chance."""

    def __init__(self, colour: int | str, seconds: float = 180.0, seed: int = 0) -> None:
        self.colour = colour_number(colour)
        self.random = random.Random(seed)
        self.game = Game()

    def update(self, colour: int | str, cells: Iterable[Cell]) -> None:
        """Take note of an action that was played, by either."""
        self.game.play(action_of(cells))

    def choose(self) -> Cells:
        """Return the four cells to play."""
        return cells_of(self.pick(self.legal()))

    def legal(self) -> list[int]:
        """Return the numbers of all legal actions, shuffled."""
        actions = [0] * ACTIONS
        del actions[self.game.list_actions(actions) :]
        self.random.shuffle(actions)
        return actions

    def pick(self, actions: list[int]) -> int:
        """Return the action to play, of all legal ones in an order by chance."""
        raise NotImplementedError


class RandomPlayer(Baseline):
    """Play any legal action."""

    def pick(self, actions: list[int]) -> int:
        """Return the first."""
        return actions[0]


class Greedy(Baseline):
    """Play what leaves the most tokens more than the opponent has."""

    def pick(self, actions: list[int]) -> int:
        """Return the best of those one action deep; only full lines make a difference."""

        def ahead(action: int) -> int:
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
        return max(actions, key=ahead)


class Two(Baseline):
    """Search two actions ahead by alpha-beta on mobility alone; the first action is random."""

    def pick(self, actions: list[int]) -> int:
        """Search; needs the extra `solve`."""
        if self.game.played < 2:
            return actions[0]
        import numpy as np

        from tools.tetress.search import look_two

        rows = [self.game.tokens[self.colour], self.game.tokens[self.colour ^ 1]]
        return int(look_two(np.array(rows, np.int64), self.game.played, np.array(actions, np.int64)))


class Level(Baseline):
    """The computer of the handheld."""

    level = 1

    def __init__(self, colour: int | str, seconds: float = 180.0, seed: int = 0) -> None:
        Baseline.__init__(self, colour, seconds, seed)
        self.computer = Computer(seed * 7919 + self.colour + 1)

    def pick(self, actions: list[int]) -> int:
        """Think without pause."""
        self.computer.begin(self.game, self.level)
        while not self.computer.think(100):
            pass
        return self.computer.action


class Strong(Agent):
    """The strong player; it needs no seed."""

    def __init__(self, colour: int | str, seconds: float = 180.0, seed: int = 0) -> None:
        Agent.__init__(self, colour, seconds)


PLAYERS: dict[str, Callable[..., Any]] = {"strong": Strong, "random": RandomPlayer, "greedy": Greedy, "two": Two}
for _level in range(1, LEVELS + 1):
    PLAYERS[f"level{_level}"] = type(f"Level{_level}", (Level,), {"level": _level, "__doc__": Level.__doc__})


def accepted(call: Callable[..., Any], **offered: Any) -> dict[str, Any]:
    """Return those of the arguments offered that `call` takes by their names."""
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return {}
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return offered
    return {name: value for name, value in offered.items() if name in parameters}


def find_player(name: str) -> Callable[..., Any]:
    """Return what makes a player of colour, seconds and seed, by its name here or as `module:Class`.

    A class from elsewhere is called with its colour, and with `seconds` and `seed` where it takes them by these
    names. Raises ValueError for a name that stands for nothing.
    """
    if name in PLAYERS:
        return PLAYERS[name]
    module, _, attribute = name.partition(":")
    if not attribute:
        raise ValueError(f"no player {name!r}: there are {', '.join(PLAYERS)}, and module:Class")
    try:
        found = getattr(import_module(module), attribute)
    except Exception as problem:  # somebody else's module may fail in any way
        raise ValueError(f"no player {name!r}: {problem}") from None
    return lambda colour, seconds, seed: found(colour, **accepted(found, seconds=seconds, seed=seed))
