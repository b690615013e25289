"""Time the batch of Skyline-v0 against the single environment and PyPI's jumanji, in CPU seconds.

All run in turn in short rounds, because other programs use the same machine. The median of the rounds counts.
"""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tools.measure.environment import EnvironmentMissing, python_with

JUMANJI = "jumanji==1.1.2"
ROUNDS = 9
GAMES = 4096
STEPS = 32
ONE_STEPS = 1000

_PEER_GAMES = 1024
_SKYLINE = "tools.bots.env:Skyline-v0"
_VERSUS = "tools.bots.env:Skyline-Versus-v0"
_JUMANJI = f"""
import os, sys, time
os.environ["JAX_PLATFORMS"] = "cpu"
import jax, jax.numpy as jnp
from jumanji.environments import Tetris
from jumanji.wrappers import VmapAutoResetWrapper
env = VmapAutoResetWrapper(Tetris(num_rows=20, num_cols=10, time_limit=4000))
def step(carry, key):
    state, seen = carry
    mask = seen.observation.action_mask.reshape({_PEER_GAMES}, -1)
    action = jax.random.categorical(key, jnp.where(mask, 0.0, -1e9))
    action = jnp.stack([action // 10, action % 10], -1).astype(jnp.int32)
    return env.step(state, action), seen.last().sum()
@jax.jit
def run(carry, key):
    return jax.lax.scan(step, carry, jax.random.split(key, {STEPS}))
carry = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(1), {_PEER_GAMES}))
carry, _ = jax.block_until_ready(run(carry, jax.random.PRNGKey(0)))
print("ready", flush=True)
for number, _ in enumerate(sys.stdin):
    begun_s = time.process_time()
    carry, _ = jax.block_until_ready(run(carry, jax.random.PRNGKey(number)))
    print({_PEER_GAMES * STEPS} / (time.process_time() - begun_s), flush=True)
"""


@dataclass
class Runner:
    """One line of the table: `run` returns placements a CPU second."""

    name: str
    run: Callable[[], float]
    rates: list[float] = field(default_factory=list)


def rows(rounds: int = ROUNDS) -> list[tuple[str, ...]]:
    """Return rows: name, best and median of the placements a CPU second, ratios to one environment and to jumanji."""
    peer = _start_jumanji()
    try:
        runners = [
            Runner("one environment", _time_one()),
            Runner("batch, `play`: no observations", _time_batch("play")),
            Runner("batch, `step`: observations and masks", _time_batch("step")),
            Runner("batch, `step`, actions from `sample`", _time_sampled()),
            Runner("batch, `step` with pixels", _time_batch("step", pixels=True)),
            Runner("matches of two, `play`", _time_batch("play", _VERSUS)),
            Runner("matches of two, `step`", _time_batch("step", _VERSUS)),
            Runner("one environment, spins", _time_one(spins=True)),
            Runner("batch, `play`, spins", _time_batch("play", spins=True)),
            Runner("batch, `step`, spins", _time_batch("step", spins=True)),
            Runner(f"{JUMANJI}, no SRS, no Hold", lambda: _ask(peer)),
        ]
        for _ in range(rounds):
            for runner in runners:
                runner.rates.append(runner.run())
    finally:
        peer.kill()
        peer.wait()
    one, jumanji = median(runners[0].rates), median(runners[-1].rates)
    return [
        (
            runner.name,
            f"{max(runner.rates):,.0f}",
            f"{median(runner.rates):,.0f}",
            f"{median(runner.rates) / one:,.1f}",
            f"{median(runner.rates) / jumanji:,.1f}",
        )
        for runner in runners
    ]


HEADS = ("placements a CPU second", "best", "median", "to one", "to jumanji")


def _start_jumanji() -> Any:
    python = python_with(JUMANJI)
    pipe = subprocess.PIPE
    folder = Path(tempfile.gettempdir())
    peer = subprocess.Popen(
        [str(python), "-c", _JUMANJI], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, cwd=folder
    )
    if peer.stdout and peer.stdout.readline() != "ready\n":
        peer.kill()
        raise EnvironmentMissing(f"{JUMANJI} does not run in {python.parent.parent}")
    return peer


def _ask(peer: Any) -> float:
    peer.stdin.write("\n")
    peer.stdin.flush()
    return float(peer.stdout.readline())


def _time_batch(method: str, name: str = _SKYLINE, **options: Any) -> Callable[[], float]:
    """Return a call that plays random allowed actions, chosen before."""
    import gymnasium

    envs: Any = gymnasium.make_vec(name, num_envs=GAMES, **options)
    _, infos = envs.reset(seed=1)
    chosen = []
    ends = 0
    for _ in range(STEPS * 2):
        chosen.append(envs.sample(infos["action_mask"]))
        _, _, ended, _, infos = envs.step(chosen[-1])
        ends += int(ended.sum())
    placements = GAMES * len(chosen) - ends  # the step after an end places nothing
    act = getattr(envs, method)

    def run() -> float:
        envs.reset(seed=1)
        begun_s = time.process_time()
        for actions in chosen:
            act(actions)
        return placements / (time.process_time() - begun_s)

    return run


def _time_sampled() -> Callable[[], float]:
    """Return a call that plays random allowed actions, each chosen from the mask."""
    import gymnasium

    envs: Any = gymnasium.make_vec(_SKYLINE, num_envs=GAMES)

    def run() -> float:
        _, infos = envs.reset(seed=1)
        ends = 0
        begun_s = time.process_time()
        for _ in range(STEPS * 2):
            _, _, ended, _, infos = envs.step(envs.sample(infos["action_mask"]))
            ends += int(ended.sum())
        return (GAMES * STEPS * 2 - ends) / (time.process_time() - begun_s)

    return run


def _time_one(**options: Any) -> Callable[[], float]:
    """Return a call that plays random allowed actions in one environment, chosen before."""
    import gymnasium

    env = gymnasium.make(_SKYLINE, **options)
    env.action_space.seed(1)
    chosen: list[Any] = []
    count = ONE_STEPS // (5 if options else 1)

    def run() -> float:
        _, info = env.reset(seed=1)
        given = iter(chosen[:])
        begun_s = time.process_time()
        for _ in range(count):
            action = next(given, None)
            if action is None:
                action = env.action_space.sample(info["action_mask"])
                chosen.append(action)
            _, _, terminated, _, info = env.step(action)
            if terminated:
                _, info = env.reset()
        return count / (time.process_time() - begun_s)

    run()
    return run


def compare_cores() -> list[tuple[str, str]]:
    """Return rows that compare all cores with one, as medians of rounds: by the clock and by CPU time."""
    import gymnasium

    cores = os.cpu_count() or 1
    runs = [gymnasium.make_vec(_SKYLINE, num_envs=GAMES, threads=threads, copy=False) for threads in (1, cores)]
    actions = [(i * 37 + 11) % 80 for i in range(GAMES)]
    rounds = []
    for number in range(ROUNDS + 1):
        spent = []
        for envs in runs:
            envs.reset(seed=number)
            begun_s, begun_cpu_s = time.perf_counter(), time.process_time()
            for _ in range(8 * STEPS):
                envs.step(actions)
            spent += [time.perf_counter() - begun_s, time.process_time() - begun_cpu_s]
        one_s, one_cpu_s, all_s, all_cpu_s = spent
        rounds.append((one_s / all_s, all_cpu_s / all_s, all_cpu_s / one_cpu_s))
    faster, given, cost = (median(column) for column in zip(*rounds[1:], strict=True))  # the first one compiles
    return [
        (f"{cores} cores by the clock", f"{faster:.2f} times as fast"),
        ("cores that other programs left to it", f"{given:.2f}"),
        (f"CPU time of {cores} cores to that of one", f"{cost:.2f}"),
    ]


def watch_memory(minutes: int) -> list[tuple[str, ...]]:
    """Play the batch with spins for so long; return rows by the minute: Lock Downs so far, most memory so far."""
    import resource  # imported here: Windows lacks it

    import gymnasium

    envs: Any = gymnasium.make_vec(_SKYLINE, num_envs=GAMES, spins=True)
    _, infos = envs.reset(seed=1)
    count = 0
    found: list[tuple[str, ...]] = []
    begun_s = time.monotonic()
    while len(found) < minutes:
        _, _, ended, _, infos = envs.step(envs.sample(infos["action_mask"]))
        count += GAMES - int(ended.sum())
        if time.monotonic() - begun_s >= 60 * (len(found) + 1):
            peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            found.append((str(len(found) + 1), f"{count:,}", f"{peak_mb:,.1f}"))
    return found


MEMORY_HEADS = ("minute", "placements", "most memory in MB")
