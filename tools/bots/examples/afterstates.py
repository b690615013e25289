"""Train a small policy of `Skyline-v0` from nothing: values of afterstates, by temporal differences, with NumPy alone.

    python -m tools.bots.examples.afterstates
    python -m tools.bots card tools.bots.examples.afterstates:policy

An afterstate is the position after a Lock Down, before garbage rises and the next Tetrimino enters. The policy tries
all allowed actions. It takes the one with the most lines sent plus the value of its afterstate. A small neural network
estimates that value: the lines that will be sent from there on, each Lock Down discounted by GAMMA.

Training plays many games at once by this policy. After each stretch of play it computes lambda-returns: mixtures of
what was sent and of what the network expected. Then the network learns these.

The weights lie beside this file, by its name. To try your own ideas, change a copy: `python -m mine` trains mine.py.
"""

import argparse
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from firmware.engine.randomizer import SEEDS
from sim import terminal
from sim.bots.places import CELLS
from sim.ownership import replace
from sim.terminal import add_number, writing

WEIGHTS = Path(__file__).with_suffix(".npz")

# The games that play at once: rows of garbage, after how many pieces, and how many games.
GAMES = (((0, 0), 128), ((1, 4), 64), ((4, 7), 64))
STRETCH = 16  # pieces that each game plays before the network learns
STRETCHES = 1000  # of the whole training
EPOCHS = 2  # how often the network learns a stretch
BATCH = 256
GAMMA = 0.95
LAMBDA = 0.9
TOP_OUT = -5.0  # what the end of a game counts, in lines
RATE = 1e-3  # at the end a tenth of this
LAYERS = (64, 32)

Array = Any


def make_parser() -> terminal.Parser:
    parser = terminal.Parser(
        prog="python -m tools.bots.examples.afterstates",
        description=f"Train the policy, and write its weights: {WEIGHTS.name}.",
        epilog="Equal numbers give equal weights, on the same computer with as many threads (OPENBLAS_NUM_THREADS).",
    )
    add_number(parser, "--seed", 0, SEEDS - 1, 1, "seed of the games and of the first weights")
    add_number(parser, "--stretches", 1, None, STRETCHES, f"number of times to play {STRETCH} pieces and learn")
    return parser


if __name__ == "__main__" and {"-h", "--help"} & {*sys.argv}:  # which needs no packages
    sys.exit(terminal.run(lambda: make_parser().run(lambda _: None, None)))

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402

from tools.bots.env import Observation  # noqa: E402


class Positions(NamedTuple):
    """Many positions; the last axis of each array counts them.

    columns: ten numbers, whose bit 0 is the lowest row.  hold: the held piece.  queue: the piece in play and the next
    ones.  chain: whether the next Tetris or T-Spin is Back-to-Back.
    """

    columns: Array
    hold: Array
    queue: Array
    chain: Array

    def take(self, at: Array) -> "Positions":
        return Positions(*(field[..., at] for field in self))


# -- rules ---------------------------------------------------------------------------------------------------

# by piece, facing and column from the leftmost Mino on: the Minos there, bit 0 the lowest row of the piece
BITS = np.zeros((8, 4, 4), np.int32)
for _piece, _facings in enumerate(CELLS, 1):
    for _facing, _cells in enumerate(_facings):
        _left, _low = (min(cell[axis] for cell in _cells) for axis in (0, 1))
        for _x, _y in _cells:
            BITS[_piece, _facing, _x - _left] |= 1 << _y - _low

T = 6
# Lines sent for 0 to 4 cleared ones, without and with a T-Spin; a Back-to-Back sends one more.
SENT = np.array([[0, 0, 1, 2, 4], [0, 2, 4, 6, 6]], np.float32)
# by facing: the corners beside the nose, as bits: 2 for the right ones, plus 1 for the upper ones
NOSES = np.array([0b1010, 0b1100, 0b0101, 0b0011])
# An action has the row of the lowest Mino. The last one is above the Skyline: a Lock Out, which ends the game.
ROWS = 21


def count_height(columns: Array) -> Array:
    return np.frexp(columns.astype(np.float32))[1]


def count_bits(numbers: Array) -> Array:
    """Return how many bits of each number are set; unsigned bytes would wrap around."""
    return np.bitwise_count(numbers).astype(np.int32)


OBSERVED = ("matrix", "piece", "hold", "next", "back_to_back")


def read(observations: dict[str, Array]) -> Positions:
    """Return the positions of a batch of observations; the queue begins with the piece in play."""
    matrix = (observations["matrix"] != 0).astype(np.int32)
    columns = np.einsum("nyx,y->xn", matrix, 1 << np.arange(matrix.shape[1], dtype=np.int32))
    queue = np.vstack([observations["piece"], observations["next"].T]).astype(np.intp)
    return Positions(columns, observations["hold"].astype(np.intp), queue, observations["back_to_back"] != 0)


def find_spins(columns: Array, facing: Array, x: Array, y: Array) -> Array:
    """Return whether a T is a T-Spin, its centre at x and y: three corners are filled, and both of them at its nose.

    A rotation nearly always leads there. A Mini with one corner at its nose seldom can be had, so it counts as no spin.
    """
    each = np.arange(len(x))
    solid = np.pad(columns << 1 | 1, ((1, 1), (0, 0)), constant_values=-1)  # with floor and walls
    left, right = solid[x, each], solid[x + 2, each]
    corners = left >> y & 1 | (left >> y + 2 & 1) << 1 | (right >> y & 1) << 2 | (right >> y + 2 & 1) << 3
    noses = NOSES[facing]
    return (count_bits(corners) >= 3) & (corners & noses == noses)


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

    spins = np.zeros(len(piece), np.bool_)
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
    difficult = (lines == 4) | spins & (lines > 0)
    sent = SENT[spins.astype(np.intp), lines]
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
    afterstates, sent = play(positions.take(games), actions)
    numbers = describe(afterstates)
    values = run_network(network, numbers)[-1][0]
    totals = np.where(actions % ROWS == ROWS - 1, TOP_OUT, sent + GAMMA * values)
    starts = np.flatnonzero(np.diff(games, prepend=-1))
    at = np.flatnonzero(totals == np.maximum.reduceat(totals, starts)[games])
    at = at[np.flatnonzero(np.diff(games[at], prepend=-1))]  # the first of equals
    return actions[at], numbers[:, at], values[at]


def save(network: list[Array]) -> None:
    with writing(WEIGHTS), replace(WEIGHTS) as file:
        np.savez_compressed(file, *network)


_LOADED: list[list[Array]] = []


def load() -> list[Array]:
    """Return the network of the file, which is read once."""
    if not _LOADED:
        with np.load(WEIGHTS) as file:
            _LOADED.append(list(file.values()))
    return _LOADED[0]


def policy(observation: Observation, info: dict[str, Any]) -> int:
    positions = read({name: np.asarray(observation[name])[None] for name in OBSERVED})
    return int(choose(load(), positions, info["action_mask"][None])[0][0])


policy.options = {"spins": True}  # type: ignore[attr-defined]


# -- training ------------------------------------------------------------------------------------------------


class Field:
    """Games with and without garbage, played at once.

    positions, masks: of each game, with its allowed actions.  ended: whether its last step ended it.
    """

    def __init__(self, seed: int) -> None:
        self.parts = [
            gymnasium.make_vec("tools.bots.env:Skyline-v0", num_envs=count, spins=True, reward="sent", garbage=garbage)
            for garbage, count in GAMES
        ]
        self.ends = np.cumsum([part.num_envs for part in self.parts])
        self.ended = np.zeros(self.ends[-1], np.bool_)
        told = [part.reset(seed=seed + 100_000 * i) for i, part in enumerate(self.parts)]
        self.observe([one[0] for one in told], [one[1] for one in told])

    def observe(self, observations: list[Any], infos: list[Any]) -> None:
        """Join what the environments tell."""
        self.positions = read({name: np.concatenate([one[name] for one in observations]) for name in OBSERVED})
        self.masks = np.concatenate([one["action_mask"] for one in infos])
        self.masks[self.ended, 1:] = 0  # after an end all are allowed, and the next step ignores its action

    def step(self, actions: Array) -> Array:
        """Play an action in each game; return the lines sent."""
        each = zip(self.parts, np.split(actions, self.ends[:-1]), strict=True)
        told = [part.step(some) for part, some in each]
        self.ended = np.concatenate([one[2] for one in told])
        self.observe([one[0] for one in told], [one[4] for one in told])
        return np.concatenate([one[1] for one in told]).astype(np.float32)


def train(seed: int, stretches: int, look: Callable[[int, Array], object] = lambda *_: None) -> list[Array]:
    """Return a trained network; call `look` after each stretch with its number and the lines sent."""
    random = np.random.default_rng(seed)
    field = Field(seed)
    network = make_network(random, len(describe(field.positions)))
    learner = Learner(network)
    for stretch in range(stretches):
        played = []
        for _ in range(STRETCH + 1):
            begins = field.ended  # this step only begins a new game
            actions, numbers, values = choose(network, field.positions, field.masks)
            played.append((numbers, values, field.step(actions), field.ended, begins))
        # The return of a Lock Down is what comes after it, so the last one has only its value.
        target = played[-1][1]
        told = []
        for (numbers, _, _, over, begins), (_, value, sent, _, _) in reversed([*pairwise(played)]):
            target = np.where(over, TOP_OUT, sent + GAMMA * (LAMBDA * target + (1 - LAMBDA) * value))
            told.append((numbers[:, ~begins], target[~begins]))
        numbers, targets = (np.concatenate(parts, axis=-1) for parts in zip(*told, strict=True))
        rate = RATE * 0.1 ** (stretch / stretches)
        for _ in range(EPOCHS):
            order = random.permutation(len(targets))
            for at in range(0, len(order), BATCH):
                some = order[at : at + BATCH]
                learner.learn(numbers[:, some], targets[some], rate)
        look(stretch, np.array([one[2] for one in played]))
    return network


def main(arguments: list[str] | None = None) -> int:
    return make_parser().run(run, arguments)


def run(options: argparse.Namespace) -> None:
    terminal.check_clone(WEIGHTS.name)

    def look(stretch: int, sent: Array) -> None:
        if stretch % 20 == 19 or stretch + 1 == options.stretches:
            means = [f"{part.mean():.3f}" for part in np.split(sent, ends[:-1], axis=1)]
            spent_s = time.process_time()
            print(f"{stretch + 1}: {', '.join(means)} lines sent a piece; {spent_s:.0f} s of CPU time", flush=True)

    ends = np.cumsum([count for _, count in GAMES])
    save(train(options.seed, options.stretches, look))


if __name__ == "__main__":
    sys.exit(terminal.run(main))
