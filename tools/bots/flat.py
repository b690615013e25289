"""Turn observations of `Skyline-v0` into plain vectors, and a batch into what scripts of CleanRL expect.

    from tools.bots.flat import FlatGames
    envs = FlatGames(num_envs=64, shaping=0.99)  # in the place of gym.vector.SyncVectorEnv([...])

A vector begins with PLANES numbers for each column, plane by plane. These are ones for Blocks, from the lowest row to
the Skyline, then the height, the holes and a one. Seven more tell the step to the next column, from -3 or less to 3 or
more. Then come seven numbers for each Tetrimino: in play, in the Hold Queue, in the Next Queue. The last are tenths of
`back_to_back`, `combo` and `garbage`.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from firmware.engine.matrix import SKYLINE, WIDTH
from tools.bots.vector_env import Batch, Infos

KINDS = 7
STEEPEST = 3
PLANES = SKYLINE + 3 + 2 * STEEPEST + 1

_ONE_OF = np.eye(KINDS + 1, dtype=np.float32)[:, 1:]  # by the code of a Tetrimino
_STEPS = np.eye(2 * STEEPEST + 1, dtype=np.float32)
_TENTH = np.float32(0.1)
_MOST = 20  # of a number


def flatten(observations: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """Return a vector for each observation of a batch."""
    blocks = np.asarray(observations["matrix"])[:, :SKYLINE] > 0
    count = len(blocks)
    heights = np.where(blocks.any(axis=1), SKYLINE - blocks[:, ::-1].argmax(axis=1), 0)
    holes = heights - blocks.sum(axis=1)
    steps = np.diff(heights, axis=1, append=heights[:, -1:]).clip(-STEEPEST, STEEPEST) + STEEPEST
    columns = (heights * _TENTH, holes * _TENTH, np.ones_like(heights))
    numbers = [np.reshape(observations[name], (count, 1)) for name in ("back_to_back", "combo", "garbage")]
    parts = [
        blocks.reshape(count, -1),
        *columns,
        _STEPS[steps].transpose(0, 2, 1).reshape(count, -1),
        *(_ONE_OF[np.asarray(observations[name])].reshape(count, -1) for name in ("piece", "hold", "next")),
        np.concatenate(numbers, axis=1).clip(0, _MOST) * _TENTH,
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32, casting="unsafe")


def flatten_one(observation: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """Return the vector of a single environment's observation."""
    vector: np.ndarray[Any, Any] = flatten({name: np.asarray(part)[None] for name, part in observation.items()})[0]
    return vector


def make_flat_space(seen: int) -> gymnasium.spaces.Box:
    """Return the space of one vector, with so many Tetriminos of the Next Queue."""
    return gymnasium.spaces.Box(0.0, _MOST * 0.1, (PLANES * WIDTH + KINDS * (2 + seen) + 3,), np.float32)


class FlatGames(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Play a batch whose observations are vectors, as CleanRL's scripts read it.

    A new game begins within the step that ends one. Then `final_info` of the infos is a list with an entry of each
    game: None, or the return and the length of its episode as {"episode": {"r": ..., "l": ...}}. `action_mask` of the
    infos is 1 for each allowed action.  batch: the games themselves; options are those of `Batch`.
    """

    def __init__(self, num_envs: int = 1, **options: Any) -> None:
        self.batch = Batch(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.num_envs = num_envs
        self.metadata = self.batch.metadata
        space = self.batch.single_observation_space
        assert isinstance(space, gymnasium.spaces.Dict)
        self.single_observation_space = make_flat_space(len(space["next"].sample()))
        self.single_action_space = self.batch.single_action_space
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = self.batch.action_space
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, Infos]:
        observations, infos = self.batch.reset(seed=seed, options=options)
        chosen = (options or {}).get("reset_mask", slice(None))
        self._returns[chosen] = self._lengths[chosen] = 0
        return flatten(observations), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Infos]:
        observations, rewards, ended, truncated, infos = self.batch.step(actions)
        self._returns += rewards
        self._lengths += 1
        done = ended | truncated
        if done.any():
            infos["final_obs"] = [seen and flatten_one(seen) for seen in infos["final_obs"]]
            infos["final_info"] = [
                {"episode": {"r": self._returns[i], "l": self._lengths[i]}} if over else None
                for i, over in enumerate(done)
            ]
            self._returns[done] = self._lengths[done] = 0
        return flatten(observations), rewards, ended, truncated, infos
