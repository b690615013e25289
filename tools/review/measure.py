"""Measure the review itself: the mean loss of each computer player, and the time that a long game takes."""

import time
from typing import NamedTuple

from firmware.players.levels import BEST
from firmware.save.recordings.recording import Recording
from sim.bots.attacks import GUIDELINE
from sim.bots.host import Host
from tools import ROOT
from tools.bots.bot_server import InProcessBot
from tools.bots.level_bot import LEVEL_NAMES, LevelBot
from tools.bots.strong.bot import StrongBot
from tools.bots.strong.weights import find_tuned
from tools.markdown import lay_out
from tools.review.judging import Judge, Setup
from tools.review.positions import Position, observe, read_game
from tools.workers import Workers

STRONG = BEST + 1
_NODES = 4000  # of the strong player as it plays
LONG_GAME = ROOT / "tests" / "recordings" / "marathon.sky"


class Result(NamedTuple):
    """The sums over the Tetriminos of one game."""

    pieces: int
    best: int
    loss: float


def play_and_judge(task: tuple[int, int, int, Setup]) -> Result:
    """Play one game of Marathon and judge it; `task`: level or STRONG, seed, pieces, and the effort of the review."""
    level, seed, pieces, setup = task
    # What the strong player has learned builds for Triples, which a review does not ask for.
    bot = StrongBot(nodes=_NODES, learned=find_tuned(GUIDELINE)) if level == STRONG else LevelBot(level)
    host = Host(InProcessBot(bot), seed)
    positions: list[Position] = []
    observe(host.game, positions)
    host.play(pieces)
    judge = Judge(setup)
    losses = [judge.judge(position).loss for position in positions[:pieces]]
    return Result(len(losses), losses.count(0.0), sum(losses))


def tabulate_levels(games: int, pieces: int, setup: Setup, jobs: int) -> str:
    """Return a table of the mean loss of each level and of the strong player, in `games` games each."""
    levels = range(1, STRONG + 1)
    tasks = [(level, seed, pieces, setup) for level in levels for seed in range(1, games + 1)]
    with Workers(jobs) as workers:
        results = workers.map(play_and_judge, tasks)
    rows = []
    for level in levels:
        played = results[(level - 1) * games : level * games]
        count = sum(result.pieces for result in played)
        rows.append(
            (
                "strong" if level == STRONG else f"{level} {LEVEL_NAMES[level - 1]}",
                str(games),
                str(count),
                f"{sum(result.loss for result in played) / count:.2f}",
                f"{100 * sum(result.best for result in played) / count:.0f}",
            )
        )
    return lay_out(("player", "games", "pieces", "mean loss", "without loss, %"), rows)


def tell_speed(think_ms: int) -> str:
    """Return a line with the CPU time of a review, for a game of three minutes."""
    recording = Recording(LONG_GAME.read_bytes())
    judge = Judge(Setup(recording.variant, think_ms=think_ms))
    start_s = time.process_time()
    positions = read_game(recording)
    for position in positions:
        judge.judge(position)
    spent_s = time.process_time() - start_s
    length_s = positions[-1].locked_ms / 1000
    share = spent_s / length_s
    return (
        f"{len(positions)} Tetriminos in {length_s:.0f} s were reviewed in {spent_s:.1f} s of CPU time, "
        f"{100 * share:.1f} % of the game's length. A game of three minutes takes {180 * share:.1f} s."
    )
