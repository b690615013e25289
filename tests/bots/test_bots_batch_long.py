"""The compiled batch of Skyline-v0: a hundred thousand steps equal to the engine, cores, memory."""

import resource
import tracemalloc
from typing import Any

import gymnasium
import numba
import numpy as np
import pytest

from tests.support import needs
from tests.support.batches import check_steps, choose_well
from tests.support.bot_matches import check_matches

pytestmark = pytest.mark.long
SKYLINE = "tools.bots.env:Skyline-v0"
GAMES = 10
STEPS = 2_000
VERSUS = "tools.bots.env:Skyline-Versus-v0"
VERSUS_STEPS = 3_400


def make(num_envs: int, mode: str | None = None, **options: Any) -> Any:
    return gymnasium.make_vec(SKYLINE, num_envs=num_envs, vectorization_mode=mode, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"rows": 40, "reward": "score"},
        {"spins": True, "rows": 40, "reward": "sent", "attacks": "tetrio"},
        {"spins": True, "garbage": (1, 5), "variant": "marathon", "rules": {"goal_rule": 1, "level": 3}},
        {"garbage": (2, 7), "pixels": True, "reward": "win", "variant": "sprint", "attacks": "botris"},
        {"spins": True, "variant": "ultra", "rules": {"garbage_rows": 10}, "pace_ms": 400, "reward": "score"},
    ],
    ids=["drops", "spins", "marathon", "sprint", "ultra"],
)
def test_a_hundred_thousand_steps_equal_those_of_the_engine(options: dict[str, Any]) -> None:
    """Twenty thousand for each of five sets of options, with Line Clears, spins and Back-to-Back."""
    batch, sync = make(GAMES, **options), make(GAMES, "sync", **options)
    kinds = np.zeros(15, np.int64)
    chains = 0
    ends = check_steps(batch, sync, STEPS, choose=choose_well(batch))
    for env in sync.envs:
        kinds += env.unwrapped.game.statistics.kinds
        chains += env.unwrapped.game.statistics.back_to_backs
    print(kinds.reshape(3, 5).tolist(), chains, ends)
    assert ends and kinds[1:5].any()


@pytest.mark.parametrize(
    "options",
    [
        {"spins": True, "rows": 40, "reward": "sent"},
        {"spins": True, "pace_ms": 150, "reward": "win"},
        {"rows": 40, "pace_ms": 700, "reward": "score"},
    ],
    ids=["spins", "fast", "drops"],
)
def test_a_hundred_thousand_steps_equal_those_of_matches(options: dict[str, Any]) -> None:
    """With lines that fly, are cancelled and rise; see tests/support/bot_matches.py for what is compared."""
    batch = gymnasium.make_vec(VERSUS, num_envs=GAMES, **options)
    happened = check_matches(batch, VERSUS_STEPS, choose=choose_well(batch), **options)
    assert happened["ends"] > 5 and happened["received"] > 100 and happened["countered"]


@pytest.mark.parametrize("spins", [False, True])
def test_random_steps_equal_those_of_the_engine(spins: bool) -> None:
    assert check_steps(make(GAMES, spins=spins), make(GAMES, "sync", spins=spins), STEPS) > 100


@needs.system(numba.config.NUMBA_NUM_THREADS > 1, "two cores")
@pytest.mark.parametrize("options", [{"pixels": True}, {"spins": True}])
def test_several_cores_play_the_same_games(options: dict[str, Any]) -> None:
    one, two = make(33, **options), make(33, threads=2, **options)
    np.testing.assert_equal(one.reset(seed=3), two.reset(seed=3))
    chance = np.random.default_rng(1)
    for _ in range(200):
        actions = chance.integers(80, size=33)
        np.testing.assert_equal(one.step(actions), two.step(actions))


def test_four_thousand_games_take_less_than_100_mb() -> None:
    """With all places of spins, their masks and the pictures."""
    make(1, spins=True, pixels=True).reset(seed=1)  # compiles
    tracemalloc.start()
    try:
        batch = make(4096, spins=True, pixels=True, observe_mask=True)
        batch.reset(seed=1)
        batch.step(np.zeros(4096, np.int64))
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_a_long_run_does_not_grow() -> None:
    """After a first thousand steps, ten thousand more take no memory."""
    batch = make(256, spins=True)
    batch.reset(seed=1)
    actions = np.random.default_rng(1).integers(1680, size=(1000, 256))
    sizes = []
    for _ in range(11):
        for chosen in actions:
            batch.step(chosen)
        sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert sizes[-1] - sizes[0] < 4_000
