"""Time the rules and the strong player beside loops that anybody can time: ratios stay where the machine changes."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from firmware.tetress.game import ACTIONS, Game
from tools.measure.speed import fastest_s, turn
from tools.tetress.agent import Agent

POSITIONS = 60
TURNS = 200_000
STEPS = 20_000_000
SEARCHED = 200_000

_ROOT = Path(__file__).resolve().parent.parent.parent
_PEAK = """
import sys
sys.path.append(sys.argv[1])
import numpy
from tools.tetress.match import address_space_mb
before_mb = address_space_mb("VmSize")
from tools.tetress.agent import Agent
agent = Agent("blue", 3)
agent.update("red", [(6, 3), (7, 2), (7, 3), (7, 4)])
agent.choose()
print(address_space_mb("VmPeak") - before_mb)
"""


def middle_games() -> list[Game]:
    """Return games by chance with 60 to 260 legal actions."""
    games: list[Game] = []
    actions = [0] * ACTIONS
    seed = 0
    while len(games) < POSITIONS:
        choice = random.Random(seed)
        game = Game()
        while game.played < 12 + seed % 24 and not game.over:
            game.play(choice.choice(actions[: game.list_actions(actions)]))
        seed += 1
        if not game.over and 60 <= game.list_actions(actions) <= 260:
            games.append(game)
    return games


def step(steps: int) -> int:
    """Do a loop that is timed compiled: each step, of four operations, waits for the one before."""
    n = 1
    for i in range(steps):
        n = (n * 5 + i) ^ (n >> 7)
    return n


def rows() -> list[tuple[str, str]]:
    """Measure everything; return the table's rows: what, and how much. Needs the extra `solve`."""
    from numba import njit

    games = middle_games()
    actions = [0] * ACTIONS
    found = sum(game.list_actions(actions) for game in games)
    agent = Agent(0, positions=SEARCHED)

    def list_all() -> None:
        for game in games:
            game.find()
            game.list_actions(actions)

    def think() -> None:
        agent.table[:] = 0
        agent.game = games[0]
        agent.colour = games[0].played & 1
        agent.think()

    compiled_step = njit(step)
    compiled_step(1)
    think()
    list_s, turn_s, think_s, step_s = fastest_s(list_all, lambda: turn(TURNS), think, lambda: compiled_step(STEPS))
    action_turns = list_s / found / (turn_s / TURNS)
    position_steps = think_s / agent.searched / (step_s / STEPS)
    return [
        (f"legal actions of {POSITIONS} positions, mean", f"{found / POSITIONS:.0f}"),
        ("a legal action on CPython, in turns of `s += i & 3`", f"{action_turns:.1f}"),
        ("here, a second", f"{found / list_s:,.0f}".replace(",", " ")),
        ("a position of the strong player, in steps of a compiled loop", f"{position_steps:.0f}"),
        ("here, a second", f"{agent.searched / think_s:,.0f}".replace(",", " ")),
        ("address space of the strong player, less Python's with NumPy", f"{peak_mb():.0f} MB"),
    ]


def peak_mb(root: Path = _ROOT) -> float:
    """Return what a new process of the strong player adds to Python with NumPy, as the course's referee counts it.

    It is VmPeak at the end less VmSize before; 0 where no system tells.  root: where the code lies.
    """
    done = subprocess.run([sys.executable, "-c", _PEAK, str(root)], stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout)
