"""Provide `Skyline-v0` for many games at once: one compiled environment over arrays.

    import gymnasium
    envs = gymnasium.make_vec("tools.bots.env:Skyline-v0", num_envs=4096)
    observations, infos = envs.reset(seed=4711)
    actions = envs.sample(infos["action_mask"])  # your policy goes here
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Equal seeds and actions give the same episodes as `vectorization_mode="sync"` and "async", by each `autoreset_mode` of
gymnasium and with `max_episode_steps`.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

import gymnasium
import numba
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space, create_empty_array

from firmware.engine.matrix import WIDTH
from firmware.engine.randomizer import SEEDS
from firmware.view.canvas import HEIGHT
from sim.bots.attacks import find_attacks
from tools.bots.batch import state
from tools.bots.batch.compiling import note_compiling
from tools.bots.batch.masks import choose_all, mask_slice
from tools.bots.batch.pixels import draw_slice
from tools.bots.batch.state import SEEDS_AHEAD, Rules, make_games
from tools.bots.batch.turns import Steps, play_slice, restart_slice
from tools.bots.env import ENDLESS, REWARDS, Placements

_VARIANTS = (ENDLESS, "marathon", "sprint", "ultra")
_SPRINT_LINES = 40
_ULTRA_MINUTES = 2
_MINUTE_MS = 60_000
_MOST_GAMES = 1 << 20
_LEAST_PACE_MS = 40  # so that a Flight has room for all attacks
_INFOS = ("lines", "score", "pieces", "action_mask")
# Numbers of an observation and infos by the fields of a game.
_FIELDS = {name: name for name in ("piece", "hold", "level", "lines", "score")} | {"pieces": "lock_downs"}

Observed = dict[str, Any]
Infos = dict[str, Any]


class Batch(gymnasium.vector.VectorEnv[Observed, Any, Any]):
    """Play `num_envs` games of `Placements`, with its options except `versus` and `render_mode`.

    threads: how many cores play; they share the games.
    copy: return new arrays with each step; else a step overwrites the arrays of the step before.
    autoreset_mode: what follows the end of an episode, by gymnasium: the next step ignores its action and begins a new
        one (the default); the same step begins it, and puts the last observation and info into the infos; or nothing,
        and `reset(options={"reset_mask": ...})` begins it.
    max_episode_steps: episodes of so many steps are truncated.
    seats: 2 in `Matches`.
    """

    seats = 1

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(num_envs, int) or not 1 <= num_envs <= _MOST_GAMES or num_envs % self.seats:
            kind = "whole" if self.seats == 1 else "even"
            raise ValueError(f"num_envs is {num_envs!r}, allowed are {kind} numbers from {self.seats} to {_MOST_GAMES}")
        if not 1 <= threads <= numba.config.NUMBA_NUM_THREADS:
            raise ValueError(f"threads is {threads}, allowed are 1 to {numba.config.NUMBA_NUM_THREADS}")
        most = -1 if max_episode_steps is None else max_episode_steps  # gymnasium's -1: no limit
        if most < 1 and most != -1:
            raise ValueError(f"max_episode_steps is {most}, allowed are 1 or more")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        note_compiling()
        one = self._make_one(options)
        self.num_envs = num_envs
        self.threads = threads
        self.copy = copy
        self.metadata = {**one.metadata, "render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = one.observation_space
        self.single_action_space = one.action_space
        self.observation_space = batch_space(one.observation_space, num_envs)
        self.action_space = batch_space(one.action_space, num_envs)
        self.games = make_games(num_envs)
        self.rules, self.sent = _choose_rules(one, max(most, 0), self.seats)
        self._rows = one.rows
        self._seen = one.seen
        self._observes_mask = one.observe_mask
        self._actions = int(one.hold_offset) * 2
        assert isinstance(one.observation_space, gymnasium.spaces.Dict)
        self._names = list(one.observation_space.spaces)
        self._randoms: list[np.random.Generator] = []
        self._seeded = 0  # steps that have their seeds
        self._arrays = {} if copy else self._make_arrays(num_envs)

    def _make_one(self, options: dict[str, Any]) -> Placements:
        """Return an environment with the same options; raise ValueError for those that a batch does not have."""
        for name in ("versus", "render_mode"):
            if options.pop(name, None) is not None:
                raise ValueError(f'the batch has no {name}; make_vec(..., vectorization_mode="sync") has')
        return Placements(**options)

    # -- gymnasium's methods -------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, Infos]:
        """Begin all games, or those of `options["reset_mask"]`; game i gets seed + i, or the i-th of several seeds."""
        count = self.num_envs
        chosen = np.ones(count, np.bool_)
        if options and "reset_mask" in options:
            chosen = np.asarray(options["reset_mask"])
            if chosen.shape != (count,) or chosen.dtype != np.bool_ or not chosen.any():
                raise ValueError(f"reset_mask is {chosen!r:.60}, needed are {count} truth values, one of them true")
            if (chosen[:: self.seats] != chosen[self.seats - 1 :: self.seats]).any():
                raise ValueError("reset_mask begins half a match")
            if not self._randoms and not chosen.all():
                raise gymnasium.error.ResetNeeded("reset all games first")
        seeds = _list_seeds(seed, count)
        if seed is not None and not np.iterable(seed):
            super().reset(seed=seeds[0])  # for `sample`
        fresh = np.array([one is not None for one in seeds]) & chosen | (not self._randoms)
        fresh = fresh[:: self.seats].repeat(self.seats)
        old = self._randoms or [np.random.default_rng(0)] * count
        self._randoms = [
            seeding.np_random(one)[0] if is_fresh else generator
            for one, is_fresh, generator in zip(seeds, fresh, old, strict=True)
        ]
        self._draw_seeds(fresh)
        self._begin(chosen)
        self._seeded -= 1
        observations, infos = self._observe()
        return observations, infos if chosen.all() else _mask_infos(infos, chosen)

    def step(self, actions: Any) -> tuple[Observed, Any, Any, Any, Infos]:
        """Do one step in each game. Raise ValueError for invalid actions."""
        rewards, ended, truncated = self._play(actions)
        final = self._finish(ended | truncated)
        observations, infos = self._observe()
        return observations, rewards, ended, truncated, final | infos

    def close_extras(self, **_options: Any) -> None:
        self._arrays = {}

    def sample(self, masks: Any) -> Any:
        """Return a random allowed action of each game; the generator is `np_random`."""
        actions = np.empty(self.num_envs, np.int64)
        choose_all(masks, self.np_random.random(self.num_envs), actions)
        return actions

    # -- without observations ------------------------------------------------------------------------------

    def play(self, actions: Any) -> tuple[Any, Any]:
        """Do one step in each game without observing; return rewards and ends, truncated episodes included."""
        rewards, ended, truncated = self._play(actions)
        ended |= truncated
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            self._begin(ended)
        return rewards, ended

    def _play(self, actions: Any) -> tuple[Any, Any, Any]:
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions are {chosen.dtype} of shape {chosen.shape}, needed are {self.num_envs} integers")
        if chosen.min() < 0 or chosen.max() >= self._actions:
            raise ValueError(f"an action is not allowed, allowed are whole numbers from 0 to {self._actions - 1}")
        if not self._randoms:
            raise gymnasium.error.ResetNeeded("call reset before step")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._done().any():
            raise gymnasium.error.ResetNeeded(f"game {self._done().argmax()} has ended: reset it before the next step")
        if not self._seeded:
            self._draw_seeds(np.zeros(self.num_envs, np.bool_))
        self._seeded -= 1
        rewards = np.empty(self.num_envs, np.float64)
        ended = np.empty(self.num_envs, np.bool_)
        truncated = np.empty(self.num_envs, np.bool_)
        chosen = np.ascontiguousarray(chosen, np.int64)
        self._call(play_slice, self.games, self.rules, Steps(self.sent, chosen, rewards, ended, truncated))
        return rewards, ended, truncated

    def _done(self) -> Any:
        """Return which games wait for a reset."""
        most = self.rules.most
        return (self.games.ended != 0) | (self.games.steps >= most if most else False)

    def _begin(self, chosen: Any) -> None:
        self._call(restart_slice, self.games, self.rules, chosen)

    def _finish(self, done: Any) -> Infos:
        """Begin new games at once where the mode wants it; return infos with what was last seen of the old ones."""
        if self.autoreset_mode is not AutoresetMode.SAME_STEP or not done.any():
            return {}
        places = np.flatnonzero(done)
        seen, infos = self._observe(self.games[places])
        final = np.full(self.num_envs, None, object)
        for at, i in enumerate(places):
            final[i] = {name: array[at] for name, array in seen.items()}
        whole = {}
        for name in _INFOS:
            whole[name] = np.zeros((self.num_envs, *infos[name].shape[1:]), infos[name].dtype)
            whole[name][places] = infos[name]
            whole[f"_{name}"] = done.copy()
        self._begin(done)
        return {"final_obs": final, "_final_obs": done.copy(), "final_info": whole, "_final_info": done.copy()}

    def _call(self, function: Any, games: Any, *arguments: Any) -> None:
        """Call a compiled function for these games, on one core or shared among several."""
        ends = [len(games) // self.seats * i // self.threads * self.seats for i in range(self.threads + 1)]
        arguments = (games, *arguments)
        if self.threads == 1:
            function(*arguments, *ends)
        else:
            # Compiled functions run without Python's lock, so threads of Python do.
            list(_open_pool(self.threads).map(lambda slice_: function(*arguments, *slice_), pairwise(ends)))

    def _draw_seeds(self, fresh: Any) -> None:
        """Draw seeds where half are used, and all where the generator is `fresh`."""
        seeds, drawn = self.games.seeds, self.games.drawn
        drawn[fresh] = SEEDS_AHEAD
        for i in np.flatnonzero(drawn >= SEEDS_AHEAD // 2):
            count = int(drawn[i])
            seeds[i, : SEEDS_AHEAD - count] = seeds[i, count:]
            seeds[i, SEEDS_AHEAD - count :] = self._randoms[i].integers(SEEDS, size=count)
            drawn[i] = 0
        if self.seats > 1:
            seeds[1::2] = seeds[::2]
        self._seeded = SEEDS_AHEAD - int(drawn.max())

    def _make_arrays(self, count: int) -> dict[str, Any]:
        arrays = create_empty_array(self.single_observation_space, count, np.empty)
        assert isinstance(arrays, dict)
        arrays.update({name: np.empty(count, np.int64) for name in ("lines", "score", "pieces")})
        arrays["action_mask"] = np.empty((count, self._actions), np.int8)
        return arrays

    def _observe(self, some: Any = None) -> tuple[Observed, Infos]:
        """Return observations and infos of all games, or of some."""
        rules, games = self.rules, self.games if some is None else some
        count = len(games)
        arrays = self._make_arrays(count) if self.copy or some is not None else self._arrays
        arrays["matrix"].reshape(count, -1)[:] = games.cells[:, : self._rows * WIDTH]
        arrays["next"][:] = games.next[:, : self._seen]
        for name, field in _FIELDS.items():
            arrays[name][:] = games[field]
        arrays["back_to_back"][:] = games.chain > 0
        arrays["combo"][:, 0] = games.combo + 1
        rises = (games.lock_downs + 1) % rules.every == 0 if rules.every else False
        arrays["garbage"][:, 0] = np.where(rises, rules.rows, 0)
        if "rival" in arrays:
            arrays["garbage"][:, 0] = games.queued + games.coming.sum(axis=1)
            pairs = (-1, 2, self._rows, WIDTH)
            arrays["rival"].reshape(pairs)[:] = arrays["matrix"].reshape(pairs)[:, ::-1]
        if "left_ms" in arrays:
            arrays["left_ms"][:, 0] = rules.limit_ms - games.time_ms
        self._call(mask_slice, games, rules, arrays["action_mask"])
        if "pixels" in arrays:
            rows = arrays["pixels"].view("<i8").reshape(count, HEIGHT)
            self._call(draw_slice, games, rules, self._seen, rows)
        infos = {name: arrays[name] for name in _INFOS}
        infos.update({f"_{name}": np.ones(count, np.bool_) for name in _INFOS})
        observations = {name: arrays[name] for name in self._names}
        if self._observes_mask:
            observations["action_mask"] = arrays["action_mask"].copy() if self.copy else arrays["action_mask"]
        return observations, infos


class Matches(Batch):
    """Play matches of two: games 0 and 1, games 2 and 3 ... are opponents, by firmware/match/.

    Both have the same Tetriminos, and each plays one in a step. An episode ends for both when the match does; who is
    out before that waits, its actions have no effect. The reward "win" is 1, -1 or, in a draw, 0.
    """

    seats = 2

    def _make_one(self, options: dict[str, Any]) -> Placements:
        for name in ("versus", "render_mode", "pixels"):
            if options.pop(name, None):
                raise ValueError(f"a batch of matches has no {name}")
        one = Placements(versus=1, **options)
        if one.options.animate_ms or one.options.generation_ms < _LEAST_PACE_MS:
            raise ValueError(f"in a batch of matches pace_ms is {_LEAST_PACE_MS} or more, and animate_ms 0")
        return one


@cache
def _open_pool(threads: int) -> ThreadPoolExecutor:
    """Return threads for all batches of so many: a batch itself can be copied and pickled."""
    return ThreadPoolExecutor(threads)


def _list_seeds(seed: Any, count: int) -> list[int | None]:
    """Return a seed for each game, None if it has none; raise ValueError."""
    seeds = list(seed) if np.iterable(seed) else [seed] * count
    if len(seeds) != count:
        raise ValueError(f"there are {len(seeds)} seeds, but num_envs is {count}")
    for one in seeds:
        if one is not None and not (isinstance(one, int | np.integer) and one >= 0):
            raise ValueError(f"seed {one!r:.60} is not a whole number from 0 on")
    return [one if one is None else int(one) + i * (not np.iterable(seed)) for i, one in enumerate(seeds)]


def _mask_infos(infos: Infos, chosen: Any) -> Infos:
    """Return infos of the chosen games alone."""
    for name in _INFOS:
        infos[name] = np.where(chosen.reshape(-1, *[1] * (infos[name].ndim - 1)), infos[name], 0)
        infos[f"_{name}"] = chosen.copy()
    return infos


def _choose_rules(one: Placements, most: int, seats: int) -> tuple[Rules, Any]:
    """Return the rules of an environment, and its table of attacks, to which `cleared` of a game points."""
    options = one.options
    if options.deal:
        raise ValueError("the batch has no rule 'deal'; make_vec(..., vectorization_mode=\"sync\") has")
    variant = _VARIANTS.index(one.variant)
    minutes = options.aim or _ULTRA_MINUTES
    rows, every = one.garbage
    attacks = find_attacks(one.attacks)
    sent = attacks.expand()
    lengths = len(sent[0][0]), len(sent[0][0][0])
    shape = (2, 3, 5, *lengths)  # whether the Matrix is empty, spin, lines, Back-to-Backs and Line Clears in a row
    counts = [
        attacks.count_lines(spin, lines, chain, combo, bool(empty))
        for empty, spin, lines, chain, combo in np.ndindex(shape)
    ]
    rules = Rules(
        variant=variant,
        reward=REWARDS.index(one.reward),
        spins=one.spins,
        hold_on=options.hold_on,
        level=options.level,
        goal_rule=options.goal_rule,
        aim=options.aim or _SPRINT_LINES if variant == state.SPRINT else options.aim,
        limit_ms=minutes * _MINUTE_MS if variant == state.ULTRA else 0,
        generation_ms=options.generation_ms,
        animate_ms=options.animate_ms,
        garbage_rows=options.garbage_rows if seats == 1 else 0,
        rows=rows,
        every=every,
        chains=lengths[0],
        combos=lengths[1],
        kept=attacks.kept,
        shaping=one.shaping,
        most=most,
        seats=seats,
    )
    return rules, np.array(counts)
