"""Train a first player with PyPI's sb3-contrib (extra `train`): MaskablePPO on a batch of `Skyline-v0`.

    python -m tools.bots train
    python -m tools.bots card tools/bots/examples/first_player.py:policy --quick

A network of convolutions over the ten columns rates each Tetrimino in each facing and column. The Tetrimino in play and
the one that Hold brings choose among these ratings. The potential of `shaping` shows the way to the first lines.

`policy` reads first_player.npz in the current folder, else the published one beside this file.
"""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from firmware.engine.matrix import WIDTH
from tools.bots.env import Observation
from tools.bots.flat import KINDS, PLANES, flatten_one, make_flat_space
from tools.bots.sb3 import Games

WEIGHTS = Path("first_player.npz")
GAMES = 128
STRETCH = 32  # steps of each game before the network learns
LONGEST = 1000  # steps, then a game is truncated
DISCOUNT = 0.9
RATE = 1e-3  # falls to 0
HIDDEN = 32
FACINGS = 4
SEEN = 5

Row = tuple[str, ...]
HEADS = ["steps", "pieces a game", "lines a game", "CPU minutes", "minutes"]


class Columns(BaseFeaturesExtractor):
    """Give HIDDEN numbers for each column, then the kinds of the two Tetriminos that can be played."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, HIDDEN * WIDTH + 2 * KINDS)
        self.near = nn.Conv1d(PLANES, HIDDEN, 5, padding=2)
        self.others = nn.Linear(space.shape[0] - PLANES * WIDTH, HIDDEN)
        self.far = nn.Conv1d(HIDDEN, HIDDEN, 5, padding=2)

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        columns, others = vectors[:, : PLANES * WIDTH].unflatten(1, (PLANES, WIDTH)), vectors[:, PLANES * WIDTH :]
        hidden = torch.relu(self.near(columns) + self.others(others).unsqueeze(2))
        hidden = torch.relu(self.far(hidden))
        here, held, following = others[:, : 3 * KINDS].split(KINDS, dim=1)
        brought = held + following * (1 - held.sum(dim=1, keepdim=True))
        return torch.cat((hidden.flatten(1), here, brought), dim=1)


class Ratings(nn.Module):
    """Rate the 80 actions."""

    def __init__(self) -> None:
        super().__init__()
        self.rate = nn.Conv1d(HIDDEN, KINDS * FACINGS, 3, padding=1)
        nn.init.normal_(self.rate.weight, std=0.01)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        hidden = features[:, : HIDDEN * WIDTH].unflatten(1, (HIDDEN, WIDTH))
        kinds = features[:, HIDDEN * WIDTH :].unflatten(1, (2, KINDS))
        ratings = self.rate(hidden).unflatten(1, (KINDS, FACINGS)).flatten(2)
        return torch.bmm(kinds, ratings).flatten(1)


class Policy(MaskableActorCriticPolicy):
    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = Ratings()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class Curve(BaseCallback):
    """Call `look` with a row of HEADS ten times: how the last hundred games went, with random moves among the good."""

    def __init__(self, steps: int, look: Callable[[Row], object]) -> None:
        super().__init__()
        self.look = look
        self._every = self._next = steps // 10
        self._begun = time.process_time(), time.monotonic()

    def _on_step(self) -> bool:
        games = self.model.ep_info_buffer
        if games and self.num_timesteps >= self._next:
            self._next += self._every
            pieces, lines = (mean(game[name] for game in games) for name in ("l", "lines"))
            cpu_s, clock_s = time.process_time() - self._begun[0], time.monotonic() - self._begun[1]
            numbers = pieces, lines, cpu_s / 60, clock_s / 60
            self.look((f"{self.num_timesteps:,}", *(f"{number:.1f}" for number in numbers)))
        return True


def train(steps: int, seed: int, look: Callable[[Row], object]) -> dict[str, Any]:
    """Return the weights of a trained network; equal numbers give equal weights on the same computer."""
    torch.set_num_threads(1)
    model = MaskablePPO(
        Policy,
        Games(GAMES, shaping=1.0, max_episode_steps=LONGEST, seen=SEEN),
        n_steps=STRETCH,
        batch_size=GAMES * STRETCH // 8,
        n_epochs=4,
        gamma=DISCOUNT,
        gae_lambda=0.9,
        learning_rate=lambda left: RATE * left,
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": Columns, "net_arch": {"pi": [], "vf": [HIDDEN]}},
        seed=seed,
        device="cpu",
    )
    model.learn(steps, callback=Curve(steps, look))
    weights = model.policy.state_dict()
    return {name: array.numpy() for name, array in weights.items() if name.startswith(("features", "action"))}


def save(weights: dict[str, Any], file: Any) -> None:
    np.savez_compressed(
        file, skyline=np.array(1), **{name: array.astype(np.float16) for name, array in weights.items()}
    )


@cache
def load(path: Path) -> nn.Module:
    """Return the network of a file, for one thread: more would wait for each other."""
    torch.set_num_threads(1)
    network = nn.ModuleDict({"features_extractor": Columns(make_flat_space(SEEN)), "action_net": Ratings()})
    with np.load(path) as file:
        network.load_state_dict(
            {name: torch.from_numpy(array).float() for name, array in file.items() if name != "skyline"}
        )
    return network


def policy(observation: Observation, info: dict[str, Any]) -> int:
    """Return the best rated action."""
    network = load(WEIGHTS if WEIGHTS.exists() else Path(__file__).with_suffix(".npz"))
    vectors = torch.from_numpy(flatten_one(observation)[None])
    with torch.no_grad():
        ratings = network["action_net"](network["features_extractor"](vectors))[0].numpy()
    return int(np.where(info["action_mask"], ratings, -np.inf).argmax())
