"""A batch of matches plays as firmware/match/ does. Here its Numba code runs as plain Python."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import tools.bots
from tests.support.batches import choose_well
from tests.support.bot_matches import check_matches
from tests.support.plain_numba import load_plain

VERSUS = "tools.bots.env:Skyline-Versus-v0"


@pytest.fixture(scope="module", autouse=True)
def plain() -> Iterator[None]:
    with load_plain("batch.turns") as modules:
        assert not hasattr(modules.turns.play_slice, "py_func")
        yield


def make(num_envs: int = 2, **options: Any) -> Any:
    return gymnasium.make_vec(VERSUS, num_envs=num_envs, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"rows": 40, "reward": "win"},
        {"spins": True, "reward": "sent", "pace_ms": 40},
        {"pace_ms": 1000, "rules": {"level": 7}, "reward": "score"},
        {"pace_ms": 300, "rules": {"hold_on": 0}, "rows": 40},
    ],
    ids=["drops", "spins", "slow", "uneven"],
)
def test_random_steps_equal_those_of_a_match(options: dict[str, Any]) -> None:
    """Observations, masks, rewards and ends, and each field of games, seats and flights."""
    assert check_matches(make(4, **options), steps=45, **options)["ends"]


def test_attacks_equal_those_of_a_match() -> None:
    """Tetrises and Back-to-Back: lines fly, are cancelled, and rise."""
    batch = make(spins=True, reward="sent")
    rows = ["#########."] * 12
    happened = check_matches(batch, 24, choose=choose_well(batch, 24), stack=rows, spins=True, reward="sent")
    assert happened["received"] > 3 and happened["countered"] > 3


def test_who_stays_longer_wins_and_both_episodes_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second later, with rewards that sum up to 0; the next step begins a new match."""
    envs = make(reward="win", pace_ms=300)
    envs.reset(seed=1)
    for _ in range(40):  # one game drops all pieces in the middle, the other one where they fit best
        _observations, rewards, ended, _truncated, infos = envs.step(np.array([3, 0]))
        if envs.games.over[0] and not envs.games.over[1]:
            out = envs.games.time_ms[0]
        if ended.any():
            break
    assert ended.tolist() == [True, True] and sorted(rewards) == [-1, 1]
    assert infos["action_mask"].all() and abs(envs.games.out_ms.max() - out) in range(501)
    assert not envs.step(np.array([0, 0]))[2].any() and envs.games.steps.tolist() == [0, 0]


def test_opponents_have_the_same_tetriminos_and_begin_together() -> None:
    envs = make(4)
    observations, _infos = envs.reset(seed=[3, None, 4, 9])
    pieces = [[int(observations["piece"][i]), *observations["next"][i]] for i in range(4)]
    assert pieces[0] == pieces[1] and pieces[2] == pieces[3] != pieces[0]
    with pytest.raises(ValueError, match=r"^reset_mask begins half a match$"):
        envs.reset(options={"reset_mask": np.array([True, False, False, False])})
    assert envs.reset(options={"reset_mask": np.array([True, True, False, False])})


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"num_envs": 3}, "num_envs is 3, allowed are even numbers from 2 to "),
        ({"pixels": True}, "a batch of matches has no pixels"),
        ({"versus": 3}, "a batch of matches has no versus"),
        ({"pace_ms": 0}, "in a batch of matches pace_ms is 40 or more, and animate_ms 0"),
        ({"rules": {"animate_ms": 300}}, "in a batch of matches pace_ms is 40 or more, and animate_ms 0"),
        ({"garbage": (1, 2)}, "garbage and versus cannot be used together"),
        ({"variant": "sprint"}, "variant and versus cannot be used together"),
    ],
)
def test_options_that_matches_do_not_have_get_one_line(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{problem}[^\n]*$"):
        make(**options)


def test_the_program_in_the_readme_runs() -> None:
    text = (Path(tools.bots.__file__).parent / "README.md").read_text(encoding="utf-8")
    program = text.split("### Two players a game")[1].split("```python\n")[1].split("```")[0]
    exec(compile(program.replace("4096", "8"), "README.md", "exec"), {})
