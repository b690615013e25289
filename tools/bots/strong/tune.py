"""Tune the weights of the strong player by CMA-ES in games of its own (PyPI `cmaes`, extra `bots`).

The first line of the log is the plan. Then comes a line for each generation: its scores, and the mean weights for the
next one. All else follows from the seed and the learned points, so tuning continues from the log after an interruption.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from sim import terminal
from sim.bots.attacks import GUIDELINE, find_attacks, list_names
from sim.terminal import tell_install
from tools.bots.strong import self_play
from tools.bots.strong.weights import ATTACK, EXTRAS, NAMES, Learned, find_learned
from tools.workers import Workers

_FOLDER = Path(__file__).resolve().parent

_LEAST_SCALE = 30


class Plan(NamedTuple):
    """The plan of a tuning.

    population: candidates in a generation.  games: games of each candidate; every generation has new seeds.
    pieces, nodes: of a game, see self_play.  rows, every: garbage in every other game.
    start: the first weights.  step: the first step size, as a share of each weight.  attacks: the table, by its name.
    learned: whether the candidates play with the learned points of patterns, which stay as they are.
    checksum: of these points, or 0.
    """

    seed: int
    population: int
    games: int
    pieces: int
    nodes: int
    rows: int
    every: int
    start: tuple[int, ...] = ATTACK
    step: float = 0.1
    attacks: str = GUIDELINE
    learned: bool = False
    checksum: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES if self.attacks == GUIDELINE else NAMES + EXTRAS


class Tuning:
    """A plan and the scores so far, from a log."""

    def __init__(self, log: Path, plan: Plan) -> None:
        """Continue a log, or begin one with a plan; raise ValueError with one line for an unreadable log."""
        self.log = log
        self.scores: list[list[float]] = []
        mean: list[int] = []
        continues = log.exists()
        if continues:
            plan, self.scores, mean = read_log(log)
        self.points = find_learned(plan.attacks) if plan.learned else Learned((), (), ())
        checksum = crc32(np.array(self.points.patterns, np.int64).tobytes())
        if not continues:
            plan = plan._replace(checksum=checksum)
            log.write_text(json.dumps(plan._asdict()) + "\n", encoding="utf-8")
        elif plan.checksum != checksum:
            raise ValueError(f"{log} is of other learned points than those in use: begin a new one with --log FILE")
        else:
            _cut_back(log)
        self.plan = plan
        self.scale = np.maximum(np.abs(plan.start), _LEAST_SCALE)
        self.optimizer = _make_optimizer(np.array(plan.start) / self.scale, plan)
        for scores in self.scores:
            self.tell(self.ask(), scores)
        if mean and self.mean() != tuple(mean):
            # OpenBLAS adds in another order on other processors: with AVX-512 the log in use gives other weights.
            raise ValueError(
                f"{log} is of another kind of processor, or version of NumPy or cmaes: begin a new one with --log FILE"
            )

    def ask(self) -> list[Any]:
        return [self.optimizer.ask() for _ in range(self.plan.population)]

    def tell(self, candidates: list[Any], scores: list[float]) -> None:
        """Report the scores, lines sent a piece, to the optimizer."""
        self.optimizer.tell([(x, -score) for x, score in zip(candidates, scores, strict=True)])

    def round(self, x: Any) -> tuple[int, ...]:
        """Return the optimizer's numbers as weights."""
        return tuple(int(weight) for weight in np.rint(x * self.scale))

    def learned(self) -> Learned:
        """Return the points of patterns with the mean weights."""
        return self.points._replace(weights=self.mean())

    def mean(self) -> tuple[int, ...]:
        """Return the optimizer's mean weights, the result so far."""
        return self.round(self.optimizer.mean)

    def advance(self, workers: Workers, quiet: bool = False) -> list[float]:
        """Play one more generation; log and return its scores."""
        plan = self.plan
        candidates = self.ask()
        first = len(self.scores) * plan.games
        tasks = [
            self_play.Setup(
                self.round(x),
                plan.seed + first + game,
                plan.pieces,
                plan.nodes,
                rows,
                every,
                self.points.defence,
                plan.attacks,
                self.points.patterns,
            )
            for x in candidates
            for game in range(plan.games)
            for rows, every in [(plan.rows, plan.every) if game & 1 else (0, 0)]
        ]
        each = [result.sent / plan.pieces for result in workers.map(self_play.play, tasks, quiet=quiet)]
        scores = [round(sum(each[at : at + plan.games]) / plan.games, 4) for at in range(0, len(each), plan.games)]
        self.tell(candidates, scores)
        self.scores.append(scores)
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps([scores, self.mean()]) + "\n")
        return scores


def _make_optimizer(start: Any, plan: Plan) -> Any:
    try:
        from cmaes import CMA
    except ImportError:
        raise ValueError(f"tuning needs cmaes; {tell_install('bots')}") from None
    return CMA(start, plan.step, seed=plan.seed, population_size=plan.population)


def _read_lines(log: Path) -> tuple[list[Any], int]:
    """Return the content of a log's lines, and their length in bytes.

    A last line without a line end counts if it is readable; otherwise it was cut by a power failure.
    """
    *lines, last = terminal.read(log).split(b"\n")
    entries = [json.loads(line) for line in lines]
    used = sum(len(line) + 1 for line in lines)
    with suppress(ValueError):
        entries.append(json.loads(last))
        used += len(last)
    return entries, used


def _cut_back(log: Path) -> None:
    """Cut a log after its last complete line."""
    size = _read_lines(log)[1]
    with log.open("r+b") as file:
        file.truncate(size)
        file.seek(size - 1)
        if file.read() != b"\n":
            file.write(b"\n")


def _is_list_of(kind: type, count: int) -> Callable[[Any], bool]:
    """Return a check for a list of so many numbers; a whole number is a float, too."""
    kinds = (int, float) if kind is float else (int,)
    return lambda value: isinstance(value, list) and len(value) == count and all(type(each) in kinds for each in value)


def read_log(log: Path) -> tuple[Plan, list[list[float]], list[int]]:
    """Return the plan, all scores and the last logged weights."""
    try:
        first, *rest = _read_lines(log)[0]
        plan = Plan(**{**first, "start": tuple(first["start"])})
        kinds = {"start": tuple, "step": float, "attacks": str, "learned": bool}
        wrong = [name for name, value in plan._asdict().items() if type(value) is not kinds.get(name, int)]
        if wrong or not 0 <= plan.seed < 1 << 32 or plan.population < 4 or not 0 < plan.step < 10:
            raise ValueError
        if min(plan.games, plan.pieces, plan.nodes) < 1 or min(plan.rows, plan.every, plan.checksum) < 0:
            raise ValueError
        find_attacks(plan.attacks)
        if not all(map(_is_list_of(int, len(plan.names)), (list(plan.start), *(mean for _, mean in rest)))):
            raise ValueError
        if not all(map(_is_list_of(float, plan.population), (scores for scores, _ in rest))):
            raise ValueError
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ValueError(f"{log} is not a log of this player's weights") from None
    return plan, [scores for scores, _ in rest], rest[-1][1] if rest else []


def list_weights(weights: tuple[int, ...]) -> str:
    """Return the weights as text: a name and a weight on each line."""
    return "\n".join(f"{name:<14} {weight:>6}" for name, weight in zip(NAMES + EXTRAS, weights, strict=False))


def find_log(attacks: str, learned: bool = False) -> Path:
    """Return the log of the weights in use for a table of attacks; raise ValueError for a table that has none."""
    if attacks not in (list_names() if learned else [GUIDELINE]):
        raise ValueError(f"the weights for {attacks} need a log of their own: --log FILE.jsonl")
    words = "tuned", "learned" * learned, attacks * (attacks != GUIDELINE)
    return _FOLDER / f"{'_'.join(filter(None, words))}.jsonl"
