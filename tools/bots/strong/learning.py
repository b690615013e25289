"""Learn points for the features and patterns of a Matrix, by temporal differences.

The player plays, and many of its moves are lessons. A lesson takes positions from the end of the beam, good ones more
often than bad ones, and searches each some pieces further, with the same sampled queues for all. What this finds, minus
the position's own rating, is its temporal difference. The points learn these by gradient descent. Only differences
within a lesson count: luck is the same for all its positions.

For matches garbage rises. The first half of the rounds teaches points for a low Matrix, the second half others for a
high one. Both in each round made a player that loses: a low Matrix learned not to fear height.

Each round begins with the points of the last one, so the worth of a pattern travels back from Lock Down to Lock Down.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sim.bots.attacks import GUIDELINE
from tools.bots.strong import beam, self_play
from tools.bots.strong.ahead import complete, follow
from tools.bots.strong.compiling import compiled
from tools.bots.strong.evaluation import RATED, rate_position
from tools.bots.strong.patterns import ENTRIES, FIRST, PATTERNS, find_patterns
from tools.bots.strong.search import Search
from tools.bots.strong.weights import MOST_POINTS, NAMES, Learned, find_tuned
from tools.bots.tally import average
from tools.workers import Workers

HEADS = "round", "positions", "explained, %", "lines sent a piece", "error"

_SHARE = 0.7  # of the moves that are lessons
_POSITIONS = 10  # of a lesson
_MOST, _LEAST = 512, 64  # positions at the end of the beam, to choose from
_SAMPLES, _DEPTH, _WIDTH = 2, 6, 24  # queues of a lesson, their pieces, positions kept
_UNIT = 400  # points
_EPOCHS = 6
_RATE, _PATTERN_RATE = 0.0005, 0.01
_SHRINK = 0.01
_ROWS, _EVERY = 4, (12, 8)  # garbage in lessons for matches: for a low and a high Matrix
_LOSS = -6000  # the least that a search finds in a high Matrix, in points
_MOST_DEVIATIONS = 4.0  # of a feature in a high Matrix: rare and far ones would shake the descent
_HEIGHTS = [NAMES.index("above_10"), NAMES.index("above_15")]  # set by hand: too rare in these games to learn


class Plan(NamedTuple):
    """The plan of a training.

    games: of each round; half as many more for a high Matrix, with half the nodes.  pieces, nodes: of a game.  step:
    how much of what a round learns is used.
    attacks: the table, by its name.  match: with garbage and, in the second half of the rounds, for a high Matrix.
    """

    seed: int
    rounds: int
    games: int
    pieces: int = 150
    nodes: int = 12_000
    step: float = 0.6
    attacks: str = GUIDELINE
    match: bool = False


class Lessons(NamedTuple):
    """The positions of lessons.

    values: by the search.  numbers: of the lesson that a position belongs to.
    """

    columns: Any
    holds: Any
    chains: Any
    values: Any
    numbers: Any


class Teacher:
    """Take lessons from a game, while its Matrix is low or high."""

    def __init__(self, seed: int, high: bool = False) -> None:
        self.high = high
        self.chance = random.Random(seed)
        self.pool = beam.make_pool(64 * 256, 1 << 15)
        self.plies = beam.make_ply(_WIDTH), beam.make_ply(_WIDTH)
        self.first = beam.make_ply(1)
        self.lessons: list[tuple[Any, ...]] = []
        self.count = 0

    def look(self, search: Search) -> None:
        """Take a lesson from a search that has thought, by chance."""
        weights = search.defence if self.high else search.attack
        if self.chance.random() >= _SHARE or search.weights is not weights or not search.limits[0]:
            return
        ply, count, depth = search.find_ends(_MOST)
        if count < _LEAST:
            return
        queues = complete(search.queue[depth:], search.bag or range(1, 8), _SAMPLES, _DEPTH, self.chance.random())
        for at in sorted({int(count ** self.chance.random()) - 1 for _ in range(_POSITIONS)}):
            position = ply.columns[at].copy(), int(ply.holds[at]), int(ply.chains[at])
            values = [self.rate(search, *position, queue) for queue in queues]
            if self.high and max(values) > beam.LOST:
                values = [max(_LOSS, value) for value in values]
            if min(values) > beam.LOST:
                self.lessons.append((*position, sum(values) // len(values), self.count))
        self.count += 1

    def rate(self, search: Search, columns: Any, hold: int, chain: int, queue: Any) -> int:
        """Return what a search finds for a position and a queue."""
        first = self.first
        first.columns[0], first.holds[0], first.chains[0] = columns, hold, chain
        owner, behind = np.zeros(1, np.int64), np.zeros(1, np.int64)
        room = self.pool, self.plies, search.room
        return int(follow(first, 1, owner, queue, _WIDTH, search.weights, *room, behind)[1])


def take_lessons(setup: self_play.Setup, high: bool = False) -> tuple[Lessons, float]:
    """Play a game; return its lessons for a low or a high Matrix, and the lines sent a piece."""
    teacher = Teacher(setup.seed, high)
    result = self_play.play(setup, teacher.look)
    columns, *fields = zip(*teacher.lessons, strict=True) if teacher.lessons else [()] * len(Lessons._fields)
    lessons = Lessons(np.array(columns, np.int64).reshape(-1, 10), *(np.array(each, np.int64) for each in fields))
    return lessons, result.sent / setup.pieces


def join(lessons: list[Lessons]) -> Lessons:
    """Join the lessons of several games."""
    first, numbers = 0, []
    for each in lessons:
        numbers.append(each.numbers + first)
        first += int(each.numbers.max(initial=-1)) + 1
    columns, holds, chains, values = (np.concatenate([each[field] for each in lessons]) for field in range(4))
    return Lessons(columns, holds, chains, values, np.concatenate(numbers))


@compiled
def describe(columns: Any, holds: Any, chains: Any, ones: Any, features: Any, entries: Any) -> None:
    """Write the features of positions, each without its weight, and the entries of their patterns."""
    found = np.zeros(FIRST + PATTERNS, np.int64)
    for n in range(len(columns)):
        for at in range(RATED):
            features[n, at] = rate_position(columns[n], holds[n], min(1, chains[n] & beam.CHAIN), ones[at], found)
        find_patterns(columns[n], found)
        entries[n] = found[FIRST:]


@compiled
def descend(
    features: Any, entries: Any, differences: Any, begins: Any, order: Any, weights: Any, patterns: Any, share: float
) -> None:
    """Descend the gradient once, lesson by lesson.  share: of the rates.  begins: the first position of each lesson."""
    errors = np.zeros(_POSITIONS)
    for lesson in order:
        begin, end = begins[lesson], begins[lesson + 1]
        mean = 0.0
        for n in range(begin, end):
            error = differences[n]
            for at in range(RATED):
                error -= features[n, at] * weights[at]
            for entry in entries[n]:
                error -= patterns[entry]
            errors[n - begin] = error
            mean += error / (end - begin)
        for n in range(begin, end):
            error = errors[n - begin] - mean
            for at in range(RATED):
                weights[at] += share * _RATE * error * features[n, at]
            for entry in entries[n]:
                patterns[entry] += share * _PATTERN_RATE * (error - _SHRINK * patterns[entry])


def center(values: Any, numbers: Any) -> Any:
    """Return values minus the means of their lessons."""
    _, lesson = np.unique(numbers, return_inverse=True)
    return values - (np.bincount(lesson, values) / np.bincount(lesson))[lesson]


def fit(
    lessons: Lessons, learned: Learned, step: float, seed: int, deviations: float = np.inf
) -> tuple[Learned, float]:
    """Return the points after some lessons, and the share of the temporal differences that they explain.

    Every eighth lesson is kept back to measure that share.  deviations: how far a feature counts.
    """
    count = len(lessons.values)
    if not count:
        return learned, 0.0
    _, numbers = np.unique(lessons.numbers, return_inverse=True)
    features, entries = np.zeros((count, RATED), np.int64), np.zeros((count, PATTERNS), np.int64)
    ones = np.eye(RATED, len(NAMES), dtype=np.int64)
    describe(lessons.columns, lessons.holds, lessons.chains, ones, features, entries)
    rated = features @ np.array(learned.weights[:RATED]) + learned.patterns[entries].sum(axis=1)
    if len(learned.weights) > len(NAMES):
        rated += learned.weights[-1] * (lessons.chains >> beam.COMBO)  # the search rates them, too
    differences = (lessons.values - rated) / _UNIT
    spread = features.std(axis=0)
    spread[_HEIGHTS] = 0
    scaled = (features - features.mean(axis=0)) * np.divide(1, spread, out=np.zeros(RATED), where=spread > 0)
    scaled = scaled.clip(-deviations, deviations)
    chance = np.random.default_rng(seed)
    begins = np.searchsorted(numbers, np.arange(numbers[-1] + 2))
    taught = np.flatnonzero(np.arange(numbers[-1] + 1) % 8)
    weights, patterns = np.zeros(RATED), np.zeros(ENTRIES)
    for epoch in range(_EPOCHS):
        order = chance.permutation(taught)
        descend(scaled, entries, differences, begins, order, weights, patterns, 1 - epoch / _EPOCHS)
    back = numbers % 8 == 0
    before = center(differences[back], numbers[back])
    after = center((differences - scaled @ weights - patterns[entries].sum(axis=1))[back], numbers[back])
    gain = step * _UNIT * np.divide(weights, spread, out=np.zeros(RATED), where=spread > 0)
    points = np.rint(np.array(learned.weights[:RATED]) + gain).astype(int)
    table = np.rint(learned.patterns + step * _UNIT * patterns).clip(-MOST_POINTS, MOST_POINTS).astype(np.int64)
    total = (before**2).sum()
    explained = 1 - (after**2).sum() / total if total else 0.0
    return learned._replace(weights=(*map(int, points), *learned.weights[RATED:]), patterns=table), float(explained)


def learn(plan: Plan, workers: Workers) -> Iterator[tuple[Learned, tuple[str, ...]]]:
    """Yield the points after each round, and a row of the curve; its games were played with the points before it."""
    nothing = np.zeros(ENTRIES, np.int64)
    learned = find_tuned(plan.attacks)._replace(patterns=nothing)
    for number in range(plan.rounds):
        high = plan.match and number >= plan.rounds // 2
        weights, patterns, defence, defence_patterns = learned
        rows, every = (_ROWS, _EVERY[high]) if plan.match else (0, 0)
        games, nodes, turn = plan.games, plan.nodes, number
        if high:  # a game has fewer lessons
            games, nodes, turn = games + games // 2, nodes // 2, number - plan.rounds // 2
        game = plan.pieces, nodes, rows, every, defence, plan.attacks, patterns, defence_patterns
        setups = [self_play.Setup(weights, plan.seed + turn * games + at, *game) for at in range(games)]
        each = workers.map(partial(take_lessons, high=high), setups)
        sent, error = average([lines for _, lines in each])
        lessons = join([taken for taken, _ in each])
        if high:
            defence = (*defence, *weights[len(defence) :])  # the EXTRAS: the search rates by them in a high Matrix, too
            points = Learned(defence, defence_patterns if len(defence_patterns) else nothing)
            points, explained = fit(lessons, points, plan.step, plan.seed + number, _MOST_DEVIATIONS)
            learned = learned._replace(defence=points.weights, defence_patterns=points.patterns)
        else:
            learned, explained = fit(lessons, learned, plan.step, plan.seed + number)
        row = str(number + 1), f"{len(lessons.values):,}", f"{100 * explained:.1f}"
        yield learned, (*row, f"{sent:.3f}", f"{error:.3f}")
