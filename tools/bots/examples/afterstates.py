"""Train a small policy from nothing: values of afterstates, by temporal differences, with NumPy alone.

    python -m tools.bots.examples.afterstates train --out mine.npz
    python -m tools.bots.examples.afterstates play --weights mine.npz
    python -m tools.bots card tools.bots.examples.afterstates:policy

An afterstate is the position after a Lock Down, before garbage rises and the next Tetrimino enters. The policy tries
all allowed actions, and takes the one whose lines sent plus the value of its afterstate are the most. The value is a
small neural network's estimate of the lines that will be sent from there, each later one discounted by GAMMA.

Training plays many games at once by this policy. For each Lock Down of a short stretch of play it computes a
lambda-return: a mix of what was sent and of what the network expected. The network then learns these returns.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from sim.bots.places import CELLS

WEIGHTS = Path(__file__).with_name("afterstates.npz")

# The games that play at once: rows of garbage after so many pieces, and how many games.
GAMES = (((0, 0), 256), ((1, 4), 128), ((4, 7), 128))
STRETCH = 16  # pieces that each game plays before the network learns
STRETCHES = 2000  # of a whole training
EPOCHS = 2  # how often it learns each stretch
BATCH = 512
GAMMA = 0.97
LAMBDA = 0.8
TOP_OUT = -5.0  # the value of the end, in lines
RATE = 1e-3  # falls to a tenth
LAYERS = (64, 32)

Array = Any


class Positions(NamedTuple):
    """Many positions: ten columns of bits, bit 0 the lowest row, the held piece, the queue and Back-to-Back."""

    columns: Array
    hold: Array
    queue: Array
    chain: Array

    def take(self, at: Array) -> "Positions":
        """Return those at some indices."""
        return Positions(*(field[..., at] for field in self))


# -- Tetriminos: by piece, facing, and the column from the leftmost Mino on ---------------------------------

BITS = np.zeros((8, 4, 4), np.int32)  # the Minos in the column, from the piece's lowest row
for _piece, _facings in enumerate(CELLS, 1):
    for _facing, _cells in enumerate(_facings):
        _left, _low = (min(cell[axis] for cell in _cells) for axis in (0, 1))
        for _x, _y in _cells:
            BITS[_piece, _facing, _x - _left] |= 1 << _y - _low

T = 6
NO_SPIN, MINI, FULL = range(3)
# by spin, for so many lines; a Back-to-Back sends one more
SENT = np.array([[0, 0, 1, 2, 4], [0, 0, 1, 2, 4], [0, 2, 4, 6, 6]], np.float32)
# facing: bits of the two corners beside the nose; a corner's bit is 2 for right + 1 for upper
_NOSES = np.array([0b1010, 0b1100, 0b0101, 0b0011])
ROWS = 21  # rows of the lowest Mino that an action can name; the last one is above the Skyline, where a Lock Down ends the game


def count_height(columns: Array) -> Array:
    """Return the height of each column."""
    return np.frexp(columns.astype(np.float32))[1]


def count_bits(numbers: Array) -> Array:
    """Return how many bits of each number are set; unsigned bytes would wrap around."""
    return np.bitwise_count(numbers).astype(np.int32)


def read(observations: dict[str, Array]) -> Positions:
    """Return the positions of a batch of observations; the queue begins with the piece in play."""
    matrix = (observations["matrix"] != 0).astype(np.int32)
    columns = np.einsum("nyx,y->xn", matrix, 1 << np.arange(matrix.shape[1], dtype=np.int32))
    queue = np.vstack([observations["piece"], observations["next"].T]).astype(np.intp)
    return Positions(columns, observations["hold"].astype(np.intp), queue, observations["back_to_back"] != 0)


def find_spins(columns: Array, facing: Array, x: Array, y: Array) -> Array:
    """Return the spin of each T, its centre at x and y: three corners are filled, and both at the nose for a T-Spin.

    Whether a rotation ends there is not checked: it nearly always can.
    """
    each = np.arange(len(x))
    solid = np.pad(columns << 1 | 1, ((1, 1), (0, 0)), constant_values=-1)  # with floor and walls
    left, right = solid[x, each], solid[x + 2, each]
    corners = left >> y & 1 | (left >> y + 2 & 1) << 1 | (right >> y & 1) << 2 | (right >> y + 2 & 1) << 3
    noses = _NOSES[facing]
    return np.where(count_bits(corners) < 3, NO_SPIN, np.where(corners & noses == noses, FULL, MINI))


def play(positions: Positions, actions: Array) -> tuple[Positions, Array]:
    """Return the afterstates of one action of each position, and the lines that it sends."""
    columns, hold, queue, chain = positions
    rest, row = np.divmod(actions, ROWS)
    held, facing, column = rest // 40, rest // 10 % 4, rest % 10
    fresh = (held == 1) & (hold == 0)  # an empty Hold Queue brings the next piece
    piece = np.where(held == 0, queue[0], np.where(fresh, queue[1], hold))
    hold = np.where(held == 1, queue[0], hold)
    nothing = np.zeros_like(queue[:2])
    queue = np.where(fresh, np.vstack([queue[2:], nothing]), np.vstack([queue[1:], nothing[:1]]))

    spins = np.zeros(len(piece), np.intp)
    at = np.flatnonzero(piece == T)
    x, y = column[at] + (facing[at] != 1), row[at] + (facing[at] != 0)
    spins[at] = find_spins(columns[:, at], facing[at], x, y)

    columns = columns.copy()
    each = np.arange(len(piece))
    for i in range(4):
        columns[np.minimum(column + i, 9), each] |= BITS[piece, facing, i] << row
    full = np.bitwise_and.reduce(columns, axis=0)
    lines = count_bits(full)
    at = np.flatnonzero(full)
    while len(at):
        lowest = full[at] & -full[at]
        below = lowest - 1
        columns[:, at] = columns[:, at] & below | columns[:, at] >> 1 & ~below
        full[at] = (full[at] ^ lowest) >> 1
        at = at[full[at] != 0]
    difficult = (lines == 4) | (spins > 0) & (lines > 0)
    sent = SENT[spins, lines]
    sent += (sent > 0) & chain & difficult
    return Positions(columns, hold, queue, np.where(lines > 0, difficult, chain)), sent


def describe(positions: Positions) -> Array:
    """Return the numbers that the network sees of each position."""
    columns, hold, queue, chain = positions
    heights = count_height(columns)
    tops = (1 << heights) - 1
    covered = tops & ~columns
    holes = np.bitwise_count(covered)
    covers = np.where(covered > 0, heights - count_height(covered), 0)  # Blocks above the highest hole
    walled = np.pad(heights, ((1, 1), (0, 0)), constant_values=24)
    wells = np.maximum(np.minimum(walled[:-2], walled[2:]) - heights, 0)
    steps = heights[1:] - heights[:-1]
    highest = heights.max(axis=0, keepdims=True)
    ground = (1 << highest) - 1
    edges = np.concatenate([ground, columns, ground])
    changes = np.bitwise_count(edges[1:] ^ edges[:-1]).sum(axis=0, keepdims=True, dtype=np.int32)
    broken = np.bitwise_count(np.bitwise_or.reduce(covered, axis=0))[None]  # rows with holes

    # The rows that are full without one column, and without three beside each other.
    full = np.full_like(ground, -1)
    before = np.concatenate([full, full, np.bitwise_and.accumulate(columns, axis=0)])
    after = np.concatenate([np.bitwise_and.accumulate(columns[::-1], axis=0)[::-1], full, full])
    without_one, without_three = before[1:-1] & after[1:-1], before[1:-3] & after[3:-1]
    lowest = heights.argmin(axis=0)[None]
    ready = np.take_along_axis(without_one & ~tops, lowest, axis=0)  # by an I in the lowest column

    # Places for a T that points down, one side roofed: where its middle is; and whether its two rows lack nothing else.
    left, here, right = columns[:-2], columns[1:-1], columns[2:]
    slots = ~(left | here | right | here << 1 | tops[1:-1]) & left << 1 & right << 1 & (left >> 1 ^ right >> 1)
    spins = [
        slots,
        slots & without_three,
        slots & without_one[1:-1] << 1,
        slots & without_three & without_one[1:-1] << 1,
    ]

    numbers = [
        heights / 8 - 1,
        np.minimum(steps, 4).clip(-4) / 4,
        wells / 4,
        holes / 4,
        covers / 4,
        highest / 8 - 1,
        heights.mean(axis=0, keepdims=True) / 8 - 1,
        changes / 20 - 1,
        broken / 4,
        holes.sum(axis=0, keepdims=True) / 10,
        np.bitwise_count(ready).clip(0, 8) / 4,
        *(np.bitwise_count(np.bitwise_or.reduce(bits, axis=0))[None] for bits in spins),
        chain[None],
        *(np.arange(1, 8)[:, None] == piece for piece in (hold, *queue[:3])),
    ]
    return np.concatenate(numbers, dtype=np.float32, casting="unsafe")


# -- the network ---------------------------------------------------------------------------------------------


def make_network(random: np.random.Generator, inputs: int) -> list[Array]:
    """Return random weights and zero biases, in turn."""
    network: list[Array] = []
    for before, after in pairwise((inputs, *LAYERS, 1)):
        network += [random.normal(0, (2 / before) ** 0.5, (after, before)), np.zeros((after, 1))]
    network[-2] *= 0.1
    return [part.astype(np.float32) for part in network]


def run_network(network: list[Array], numbers: Array) -> list[Array]:
    """Return the activations of all layers; the last one is the value."""
    layers = [numbers]
    for at in range(0, len(network), 2):
        total = network[at] @ layers[-1]
        total += network[at + 1]
        layers.append(np.maximum(total, 0, out=total) if at + 2 < len(network) else total)
    return layers


class Learner:
    """Fit a network by Adam."""

    def __init__(self, network: list[Array]) -> None:
        self.network = network
        self.means = [np.zeros_like(part) for part in network]
        self.squares = [np.zeros_like(part) for part in network]
        self.steps = 0

    def learn(self, numbers: Array, targets: Array, rate: float) -> None:
        """Take one step towards the targets."""
        layers = run_network(self.network, numbers)
        error = np.clip(layers.pop() - targets, -2, 2) / len(targets)
        self.steps += 1
        size = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for at in range(len(self.network) - 2, -1, -2):
            before = layers.pop()
            slopes = error @ before.T, error.sum(axis=1, keepdims=True)
            error = (self.network[at].T @ error) * (before > 0)
            for part, slope in zip((at, at + 1), slopes, strict=True):
                self.means[part] += 0.1 * (slope - self.means[part])
                self.squares[part] += 0.001 * (slope**2 - self.squares[part])
                self.network[part] -= size * self.means[part] / (np.sqrt(self.squares[part]) + 1e-8)


# -- playing -------------------------------------------------------------------------------------------------


def choose(network: list[Array], positions: Positions, masks: Array) -> tuple[Array, Array, Array]:
    """Return the best allowed action of each position, the numbers of its afterstate, and their value."""
    games, actions = np.nonzero(masks)
    above = actions % ROWS == ROWS - 1
    afterstates, sent = play(positions.take(games), actions)
    numbers = describe(afterstates)
    values = run_network(network, numbers)[-1][0]
    starts = np.flatnonzero(np.diff(games, prepend=-1))
    totals = np.where(above, TOP_OUT, sent + GAMMA * values)
    best = np.maximum.reduceat(totals, starts)
    at = np.flatnonzero(totals == best[games])
    at = at[np.flatnonzero(np.diff(games[at], prepend=-1))]  # the first of equals
    return actions[at], numbers[:, at], values[at]


_NETWORKS: dict[Path, list[Array]] = {}


def load(path: Path = WEIGHTS) -> list[Array]:
    """Return the network of a file, which is read once."""
    if path not in _NETWORKS:
        with np.load(path) as file:
            _NETWORKS[path] = [file[name].astype(np.float32) for name in sorted(file.files)]
    return _NETWORKS[path]


def policy(observation: dict[str, Any], info: dict[str, Any]) -> int:
    """Return an action of Skyline-v0 by the published weights."""
    one = {name: np.asarray(observation[name])[None] for name in ("matrix", "piece", "hold", "next", "back_to_back")}
    return int(choose(load(), read(one), np.asarray(info["action_mask"])[None])[0][0])


policy.options = {"spins": True}  # type: ignore[attr-defined]


# -- training ------------------------------------------------------------------------------------------------


class Games:
    """Play games with and without garbage at once."""

    def __init__(self, seed: int, games: Any = GAMES) -> None:
        self.parts = [
            gymnasium.make_vec("tools.bots.env:Skyline-v0", num_envs=count, spins=True, reward="sent", garbage=garbage)
            for garbage, count in games
        ]
        self.counts = [count for _, count in games]
        begun = [part.reset(seed=seed + 100_000 * i) for i, part in enumerate(self.parts)]
        self.ended = np.zeros(sum(self.counts), np.bool_)
        self.join([one[0] for one in begun], [one[1] for one in begun])

    def join(self, observations: list[Any], infos: list[Any]) -> None:
        """Join what the environments tell."""
        names = ("matrix", "piece", "hold", "next", "back_to_back")
        self.positions = read({name: np.concatenate([one[name] for one in observations]) for name in names})
        self.masks = np.concatenate([one["action_mask"] for one in infos])
        self.masks[self.ended, 1:] = 0  # after an end all are allowed, and ignored

    def step(self, actions: Array) -> Array:
        """Play an action in each game; return the lines sent, and note in `ended` which games are over."""
        cut = np.split(actions, np.cumsum(self.counts)[:-1])
        told = [part.step(some) for part, some in zip(self.parts, cut, strict=True)]
        self.ended = np.concatenate([one[2] for one in told])
        self.join([one[0] for one in told], [one[4] for one in told])
        return np.concatenate([one[1] for one in told]).astype(np.float32)


def train(seed: int, stretches: int, games: Any = GAMES, look: Any = lambda *_: None) -> list[Array]:
    """Return a trained network; the same numbers give the same network."""
    random = np.random.default_rng(seed)
    field = Games(seed, games)
    count = len(field.ended)
    network = make_network(random, len(describe(field.positions)))
    learner = Learner(network)
    for stretch in range(stretches):
        played = []
        for _ in range(STRETCH + 1):
            begins = field.ended  # the step after an end only begins a new game
            actions, numbers, values = choose(network, field.positions, field.masks)
            sent = field.step(actions)
            played.append((numbers, values, sent, field.ended, begins))
        # Lambda-returns, from the last Lock Down back. A return is of what comes after the Lock Down.
        target = played[-1][1]
        told = []
        for i in range(STRETCH - 1, -1, -1):
            numbers, _, _, over, begins = played[i]
            _, later, sent, _, _ = played[i + 1]
            target = np.where(over, TOP_OUT, sent + GAMMA * (LAMBDA * target + (1 - LAMBDA) * later))
            told.append((numbers[:, ~begins], target[~begins]))
        numbers, targets = (np.concatenate(parts, axis=-1) for parts in zip(*told, strict=True))
        rate = RATE * 0.1 ** (stretch / stretches)
        for _ in range(EPOCHS):
            order = random.permutation(len(targets))
            for at in range(0, len(order), BATCH):
                some = order[at : at + BATCH]
                learner.learn(numbers[:, some], targets[some], rate)
        look(stretch, played, count)
    return network
