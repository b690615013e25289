"""Provide a batch of `Skyline-v0` as a VecEnv of PyPI's stable-baselines3 (extra `train`).

from sb3_contrib import MaskablePPO
from tools.bots.sb3 import Games
MaskablePPO("MlpPolicy", Games(256, shaping=0.99)).learn(1_000_000)
"""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from tools.bots.flat import flatten, flatten_one, make_flat_space
from tools.bots.vector_env import Batch


class Games(VecEnv):
    """Play `num_envs` games.

    flat: observations are the vectors of flat.py, for "MlpPolicy"; else dictionaries, for "MultiInputPolicy".
    The infos of an episode that has ended have `episode`: its return and length, and its lines.  options: of `Batch`.
    """

    def __init__(self, num_envs: int, flat: bool = True, **options: Any) -> None:
        self.batch = Batch(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.flat = flat
        space: Any = self.batch.single_observation_space
        self.render_mode = None
        space = make_flat_space(len(space["next"].nvec)) if flat else space
        super().__init__(num_envs, space, self.batch.single_action_space)
        self._returns = np.zeros(num_envs)
        self._actions: Any = None
        self._masks: Any = None

    def _see(self, observations: dict[str, Any]) -> Any:
        return flatten(observations) if self.flat else observations

    def reset(self) -> Any:
        seeds = None if self._seeds[0] is None else self._seeds
        observations, infos = self.batch.reset(seed=seeds)
        self._reset_seeds()
        self._masks = infos["action_mask"] > 0
        self._returns[:] = 0
        return self._see(observations)

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        observations, rewards, ended, truncated, infos = self.batch.step(self._actions)
        self._masks = infos["action_mask"] > 0
        self._returns += rewards
        done = ended | truncated
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(done):
            final, seen = infos["final_info"], infos["final_obs"][i]
            told[i] = {
                "terminal_observation": flatten_one(seen) if self.flat else seen,
                "TimeLimit.truncated": bool(truncated[i] and not ended[i]),
                "episode": {"r": self._returns[i], "l": int(final["pieces"][i]), "lines": int(final["lines"][i])},
            }
        self._returns[done] = 0
        return self._see(observations), rewards.astype(np.float32), done, told

    def action_masks(self) -> Any:
        return self._masks

    # -- stable-baselines3 asks games by the names of their attributes and methods --------------------------------

    def close(self) -> None:
        self.batch.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name not in ("action_masks", "render_mode"):
            raise AttributeError(attr_name)
        return [getattr(self, attr_name)] * len(self._choose(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_method(self, method_name: str, *_arguments: Any, indices: Any = None, **_options: Any) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return [self._masks[i] for i in self._choose(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(self._choose(indices))

    def _choose(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))
