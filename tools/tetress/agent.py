"""Play Tetress as well as a PC can in limited time: `Agent(colour).choose()` and `update(colour, cells)`.

Needs the extra `solve` (NumPy and Numba).
"""

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware.tetress.game import CELL_COUNT, LONGEST, SIZE, TOO_LATE, Game
from tools import ROOT
from tools.tetress.notation import COLOURS, Cell, NotationError, action_of, cells_of, explain

LEAST_POSITIONS = 20_000  # to search for every action, up to the last one

_COMPILE = "import sys; sys.path.append(sys.argv[1]); from tools.tetress.search import call_all; call_all()"
_FIRST_ACTION = 3 * CELL_COUNT + 4 * SIZE + 4  # a T; all places are alike on an empty torus
_OPENING = 4  # the first actions, which need less thought
_LEAST_LEFT = 12  # save time for this many own actions, however late it is
_MOST_LEFT = 34
_SPARE_S = 0.5  # reserve, because the clock may run between choices
_SLOW = 1.5  # safety factor of the time reserved for each later action
_RESERVE = 1 / 600  # most of the whole time that is reserved for each later action: an eighth for a whole game
_FIRST_POSITIONS = 3000  # to search even without time left: Blue has 2200 first actions
_POSITIONS_A_SECOND = 700_000.0  # assumed until it is measured
_SLOTS = 1 << 16
_WEIGHTS = (0, 10, 0, 1000, 80)  # of search.weigh


def colour_number(colour: int | str) -> int:
    """Return 0 for Red, 1 for Blue, from a name, a number or an enum; raise ValueError for anything else."""
    word = str(getattr(colour, "name", colour)).strip().capitalize()
    if word in COLOURS:
        return COLOURS.index(word)
    if word in ("0", "1"):
        return int(word)
    raise ValueError(f"{colour!r} is not a colour: use red (0) or blue (1)")


class Agent:
    """Play one colour of one game.

    colour: "red" or "blue", 0 or 1.  seconds: CPU time for the whole game, this constructor included.
    positions: to search for every action, whatever the time.
    clock: returns the CPU time used so far, in seconds.
    """

    def __init__(
        self,
        colour: int | str,
        seconds: float = 180.0,
        positions: int = 0,
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        self.clock = clock
        self.seconds = seconds
        self.end_s = clock() + seconds
        if importlib.util.find_spec("numba") is None:
            raise RuntimeError("the strong player needs Numba; pip install numba")
        self.colour = colour_number(colour)
        self.game = Game()
        import numpy as np

        from tools.tetress import search

        if not search.compiled.is_ready():
            with suppress(subprocess.CalledProcessError):  # it is compiled here, then
                search.compiled.compile_all(lambda: _compile_elsewhere(search.compiled.folder))
        self.search = search
        self.table = np.zeros((_SLOTS, 2), np.int64)
        self.killers = np.full((search.DEEPEST + 2, 2), -1, np.int64)
        self.stack = search.make_stack()
        self.weights = np.array(_WEIGHTS, np.int64)
        self.positions = positions
        self.speed = _POSITIONS_A_SECOND
        self.depth = 0  # of the search for the last choice; then its score and its number of positions
        self.score = 0
        self.searched = 0

    def update(self, colour: int | str, cells: Iterable[Any]) -> None:
        """Apply an action that either side played; raise ValueError for an illegal one.

        cells: four (r, c), or four objects with attributes r and c.
        """
        if colour_number(colour) != self.game.played & 1:
            raise NotationError(f"it is not the turn of {COLOURS[colour_number(colour)]}")
        action = action_of((cell.r, cell.c) if hasattr(cell, "r") else cell for cell in cells)
        reason = self.game.find_fault(action)
        if reason:
            raise NotationError(explain(self.game, action, reason))
        self.game.play(action)

    def choose(self, seconds_left: float | None = None) -> tuple[Cell, Cell, Cell, Cell]:
        """Return the four cells (r, c) of the action to play; raise ValueError if it is not this player's turn.

        seconds_left: time left on the referee's clock, which replaces ours if given.
        """
        if seconds_left is not None:
            self.end_s = self.clock() + seconds_left
        game = self.game
        if game.over:
            raise NotationError(explain(game, 0, TOO_LATE))
        if game.played & 1 != self.colour:
            raise NotationError(f"it is the turn of {COLOURS[game.played & 1]}")
        if not game.played:
            return cells_of(_FIRST_ACTION)
        return cells_of(self.think())

    def left_s(self) -> float:
        return self.end_s - self.clock()

    def share_s(self) -> float:
        """Return the CPU time for this action: its reserve, and a share of the time that nobody reserved."""
        played = self.game.played
        to_come = (LONGEST + 1 - played) // 2  # own actions until the longest game ends, this one included
        left_s = max(0.0, self.left_s() - _SPARE_S)
        reserve_s = min(_SLOW * LEAST_POSITIONS / self.speed, self.seconds * _RESERVE, left_s / to_come)
        # The middle of a game decides; later actions have less to search.
        share_s = (left_s - reserve_s * to_come) / max(_LEAST_LEFT, _MOST_LEFT - played // 2)
        return reserve_s + (share_s / 4 if played < _OPENING else share_s)

    def think(self) -> int:
        """Search deeper, action by action, until the time for this choice is used up; return the best action."""
        import numpy as np

        game = self.game
        search = self.search
        rows = np.array([game.tokens[self.colour], game.tokens[self.colour ^ 1]], np.int64)
        listed = np.empty(search.ACTIONS, np.int32)
        count = search.list_actions(rows[0], rows[1], game.played < 2, listed)
        actions = listed[:count].copy()
        scores = np.zeros(count, np.int64)
        self.killers[:] = -1
        begun_s = self.clock()
        end_s = begun_s + self.share_s()
        least = self.positions or max(_FIRST_POSITIONS, min(LEAST_POSITIONS, int((end_s - begun_s) * self.speed)))
        self.depth = self.searched = 0
        for depth in range(1, min(search.DEEPEST, LONGEST - game.played) + 1):
            before_s = self.clock()
            most = least - self.searched
            if not self.positions:
                most = max(most, int((end_s - before_s) * self.speed))
            limits = np.array([0, most, 0], np.int64)
            done = search.search_root(
                rows, game.played, depth, actions, scores, limits, self.table, self.killers, self.weights, self.stack
            )
            self.searched += int(limits[0])
            now_s = self.clock()
            if now_s - begun_s > 0.02:
                self.speed = self.searched / (now_s - begun_s)
            if done:
                # Actions that this depth did not reach keep their order, after all others.
                order = np.argsort(-scores[:done], kind="stable")
                actions[:done] = actions[:done][order]
                scores[:done] = scores[:done][order]
                self.score = int(scores[0])
            if done < count:
                break
            self.depth = depth
            if count == 1 or abs(self.score) > search.WON // 2:
                break
            # Each depth takes several times as long as the one before.
            if self.searched >= least and (self.positions or 2 * now_s - before_s > end_s):
                break
        return int(actions[0])


def _compile_elsewhere(folder: Path) -> None:
    """Compile the search in another process: compiling takes more memory than playing."""
    print("Tetress: compiling the search for this Python and processor, once: 20 s", file=sys.stderr, flush=True)
    environment = {"NUMBA_CACHE_DIR": str(folder), **os.environ}
    subprocess.run([sys.executable, "-c", _COMPILE, str(ROOT)], check=True, env=environment)
