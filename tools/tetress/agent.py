"""Play Tetress as well as a PC can within a time: `Agent(colour).choose()` and `update(colour, cells)`.

Needs the extra `solve` (NumPy and Numba).
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from firmware.tetress.game import Game
from tools.tetress.notation import COLOURS, Cell, NotationError, action_of, cells_of, explain

_ROOT = Path(__file__).resolve().parent.parent.parent
_COMPILE = "import sys; sys.path.append(sys.argv[1]); from tools.tetress.search import compile_all; compile_all()"
_OPENING = 4  # actions after which there is something to think about
_LEAST_LEFT = 12  # own actions to save time for, however late it is
_MOST_LEFT = 34
_POSITIONS_A_SECOND = 700_000.0  # until it is measured
_SLOTS = 1 << 19
# Points for an action more than the opponent, for a cell more that a next action can begin at, for
# the turn, and for the share of all actions.
WEIGHTS = (0, 10, 0, 1000)


def colour_number(colour: int | str) -> int:
    """Return 0 for Red, 1 for Blue, whichever way a referee says it; raise ValueError for anything else."""
    word = str(getattr(colour, "name", colour)).strip().capitalize()
    if word in COLOURS:
        return COLOURS.index(word)
    if word in ("0", "1"):
        return int(word)
    raise ValueError(f"{colour!r} is no colour: there are red (0) and blue (1)")


class Agent:
    """Play one colour of one game.

    colour: "red" or "blue", 0 or 1.  seconds: CPU time for the whole game, this constructor included.
    weights: of the evaluation, for tuning.
    """

    def __init__(self, colour: int | str, seconds: float = 180.0, weights: Iterable[int] = WEIGHTS) -> None:
        self.begun = time.process_time()
        if importlib.util.find_spec("numba") is None:
            raise RuntimeError("the strong player needs Numba; pip install 'skyline[solve]'")
        self.colour = colour_number(colour)
        self.seconds = seconds
        self.game = Game()
        _compile_elsewhere()
        import numpy as np

        from tools.tetress import search

        self.search = search
        self.table = np.zeros((_SLOTS, 3), np.int64)
        self.killers = np.full((search.DEEPEST + 2, 2), -1, np.int64)
        self.stack = search.make_stack()
        self.weights = np.array(list(weights), np.int64)
        self.speed = _POSITIONS_A_SECOND
        self.depth = 0  # that the last choice was searched to, and what it promised
        self.score = 0

    def update(self, colour: int | str, cells: Iterable[Any]) -> None:
        """Take note of an action that was played, by either; raise ValueError for an illegal one.

        cells: four (r, c), or four objects with attributes r and c.
        """
        if colour_number(colour) != self.game.played & 1:
            raise NotationError(f"it is not the turn of {COLOURS[colour_number(colour)]}")
        action = action_of((cell.r, cell.c) if hasattr(cell, "r") else cell for cell in cells)
        reason = self.game.judge(action)
        if reason:
            raise NotationError(explain(self.game, action, reason))
        self.game.play(action)

    def choose(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Return the four cells (r, c) of the action to play; raise ValueError when it is not one's turn."""
        game = self.game
        if game.over or game.played & 1 != self.colour:
            raise NotationError(explain(game, 0, 3) if game.over else f"it is the turn of {COLOURS[game.played & 1]}")
        if not game.played:
            return cells_of(3 * 121 + 4 * 11 + 4)  # all places are alike on an empty torus
        return cells_of(self.think())

    def left_s(self) -> float:
        """Return the CPU time left for this game."""
        return self.seconds - (time.process_time() - self.begun)

    def think(self) -> int:
        """Search one action deeper each time until the time for this choice is used up."""
        import numpy as np

        game = self.game
        search = self.search
        rows = np.array([game.tokens[self.colour], game.tokens[self.colour ^ 1]], np.int64)
        listed = np.empty(search.ACTIONS, np.int64)
        count = search.list_actions(rows[0], rows[1], game.played < 2, listed)
        actions = listed[:count].copy()
        scores = np.zeros(count, np.int64)
        self.killers[:] = -1
        own = game.played // 2
        # The middle of a game decides; later there is little left to look at.
        share_s = max(0.0, self.left_s() - 0.5) / max(_LEAST_LEFT, _MOST_LEFT - own)
        if game.played < _OPENING:
            share_s /= 4
        end_s = time.process_time() + share_s
        self.depth = 0
        for depth in range(1, min(search.DEEPEST, search.LONGEST - game.played) + 1):
            begun_s = time.process_time()
            most = int(max(3000.0 if depth == 1 else 0.0, (end_s - begun_s) * self.speed))
            limits = np.array([0, most, 0], np.int64)
            done = search.search_root(
                rows, game.played, depth, actions, scores, limits, self.table, self.killers, self.weights, self.stack
            )
            passed_s = time.process_time() - begun_s
            if passed_s > 0.02:
                self.speed = limits[0] / passed_s
            if done:
                # What was not reached comes after all that was, in the old order.
                order = np.argsort(-scores[:done], kind="stable")
                actions[:done] = actions[:done][order]
                scores[:done] = scores[:done][order]
                self.score = int(scores[0])
            if done < count:
                break
            self.depth = depth
            # An iteration takes several times as long as the one before; a decided game takes none.
            if count == 1 or abs(self.score) > search.WON // 2 or time.process_time() + passed_s > end_s:
                break
        return int(actions[0])


def _compile_elsewhere() -> None:
    """Let another process compile the search, where it is not compiled yet: that takes more memory than playing."""
    source = Path(__file__).with_name("search.py")
    compiled = list((source.parent / "__pycache__").glob("search.search_root-*.nbi"))
    if not any(path.stat().st_mtime >= source.stat().st_mtime for path in compiled):
        subprocess.run([sys.executable, "-c", _COMPILE, str(_ROOT)], check=False)
