"""Let a policy of `Skyline-v0` play by the Tetris Bot Protocol, and so in matches.

A policy is a function of an observation and its info that returns an action, named MODULE:FUNCTION or FILE.py:FUNCTION:

    def lowest(observation, info):
        return int(info["action_mask"].argmax())

The observation is that of the environment without a match: it has no `rival`, `level` is 1, and `garbage` is what the
host announces. Options of the environment, such as spins=True, are an attribute of the function: `lowest.options`.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from firmware.engine import scoring
from firmware.engine.game import SPAWN_X, SPAWN_Y
from firmware.engine.matrix import WIDTH
from firmware.players.planner import PressPlanner
from sim.bots.protocol import Message, Move, read_matrix
from tools.bots.bot_server import BotServer
from tools.bots.env import Observation, Placements, turn_and_move

Policy = Callable[[Observation, dict[str, Any]], int]

_I = 1
_OPTIONS = ("spins", "seen", "rows", "pixels", "observe_mask")


def find_policy(text: str) -> Policy:
    """Return the policy that MODULE:FUNCTION or FILE.py:FUNCTION names; raise ValueError with one line."""
    where, _, name = text.rpartition(":")
    if not where or not name:
        raise ValueError(f"{text!r} names no policy: MODULE:FUNCTION or FILE.py:FUNCTION is needed")
    try:
        module = _load(Path(where)) if where.endswith(".py") else importlib.import_module(where)
    except Exception as problem:  # a stranger's module may raise any
        reason = " ".join(str(problem).split())
        raise ValueError(f"cannot import {where}: {type(problem).__name__}: {reason}") from problem
    policy = getattr(module, name, None)
    if not callable(policy):
        raise ValueError(f"{where} has no function {name}")
    return policy


def _load(path: Path) -> Any:
    """Import a file, which may import those beside it."""
    sys.path.append(str(path.resolve().parent))
    spec = spec_from_file_location(path.stem, path)
    assert spec and spec.loader  # because of its suffix
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Position(Placements):
    """An environment whose position a host sets. announced: rows that will rise."""

    announced = 0

    def enter(self, piece: int, hold: int, queue: list[int]) -> None:
        """Put a Tetrimino into play, with these in the Hold Queue (0 for none) and in the Next Queue."""
        game = self.game
        game.hold = hold
        game.next[:] = bytes(queue[:6]).ljust(6, b"\0")
        game.place(piece, SPAWN_X, SPAWN_Y - (piece == _I), 0)

    def _observe(self) -> Observation:
        observation = super()._observe()
        observation["garbage"][0] = self.announced
        return observation

    def observe(self) -> tuple[Observation, dict[str, Any]]:
        return self._observe_and_inform()

    def find_move(self, action: Any) -> Move:
        """Return the resting place that an action leads to; raise ValueError for an invalid action."""
        if not self._accepts(action):
            raise ValueError(f"the policy returned {action!r:.60}, allowed are {self._describe_actions()}")
        with_hold, drop = divmod(int(action), self.hold_offset)
        piece = self._choices()[with_hold]
        if self.spins:
            place = self._finder.get_place(int(action)) if self._finder else self._ways.get(int(action))
            if place:
                return Move(piece, *place[:4])
        planner = PressPlanner(1)
        shadow = planner.shadow
        shadow.matrix = self.game.matrix
        if not piece or not planner.enter(piece):
            raise ValueError(f"the policy returned {int(action)}, but no Tetrimino can enter")
        if not self.spins:
            turn_and_move(shadow, *divmod(drop, WIDTH))
        return Move(piece, shadow.facing, shadow.x, shadow.see_ghost(), 0)


class PolicyBot(BotServer):
    features = ("randomizer", "move_info", "garbage")

    def __init__(self, policy: Policy) -> None:
        """Raise ValueError for options that no position of a host has."""
        super().__init__()
        self.policy = policy
        self.name = getattr(policy, "__name__", type(policy).__name__)
        options = getattr(policy, "options", {})
        if not isinstance(options, Mapping) or not all(name in _OPTIONS for name in options):
            raise ValueError(f"options of {self.name} are {options!r:.60}, allowed are {', '.join(_OPTIONS)}")
        self.position = Position(**options)

    def start(self, message: Message) -> None:
        self.position.reset(seed=0)
        game = self.position.game
        game.matrix = read_matrix(message.get("board"))
        game.chain = int(message.get("back_to_back") is True)
        combo = message.get("combo")
        game.statistics.combo = combo - 1 if type(combo) is int else -1
        self.position.announced = 0

    def suggest(self) -> tuple[Move | None, Message]:
        queue = self.known()
        self.position.enter(queue[0], self.hold, queue[1:])
        return self.position.find_move(self.policy(*self.position.observe())), {"nodes": 1}

    def lock_down(self, move: Move, held: bool) -> None:
        game = self.position.game
        lines = move.lock(game.matrix)
        game.chain = scoring.follow_chain(move.spin, lines, game.chain)
        game.statistics.combo = game.statistics.combo + 1 if lines else -1
        game.lines += lines
        game.lock_downs += 1

    def accept_other(self, message: Message) -> None:
        """Note the rows that a host announces."""
        rows = message.get("rows")
        if message["type"] == "garbage" and type(rows) is int:
            self.position.announced = max(0, rows)
