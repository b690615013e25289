"""A policy of `Skyline-v0` as a bot of the Tetris Bot Protocol."""

import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from sim.bots.host import Host
from sim.bots.process import Fault
from sim.bots.protocol import Move
from tests.support.handhelds.bot_processes import EMPTY, SUGGEST, start, start_patient_bot, talk
from tests.support.running import run_python
from tools.bots.bot_server import InProcessBot
from tools.bots.env import Placements
from tools.bots.policy import PolicyBot, find_policy

# It fills the lowest columns, and holds now and then.
LOW = """
import numpy as np
def low(observation, info):
    matrix, mask = observation["matrix"], info["action_mask"]
    heights = np.where(matrix.any(0), len(matrix) - (matrix[::-1] != 0).argmax(0), 0)
    size = len(mask) // 80
    def rate(action):
        column = action // size % 10
        return heights[column : column + 3].max(), heights[column], -action % 7
    return min(np.flatnonzero(mask), key=rate)
def bad(observation, info): return 80
def dead(observation, info): return 1 // 0
def loud(observation, info):
    print("hello")
    return low(observation, info)
def swift(observation, info): return low(observation, info)
swift.options = {"spins": True}
def wrong(observation, info): return 0
wrong.options = {"versus": 3}
number = 7
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "low_policy.py"
    path.write_text(LOW, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["low", "swift"])
def test_a_policy_plays_in_a_host_as_in_its_environment(name: str, path: Path) -> None:
    """Until the level rises: it changes the observation."""
    policy = find_policy(f"{path}:{name}")
    seen: list[Any] = []

    def watch(observation: Any, info: Any) -> int:
        seen.append((observation, info["action_mask"]))
        return policy(observation, info)

    watch.options = getattr(policy, "options", {})  # type: ignore[attr-defined]
    host = Host(InProcessBot(PolicyBot(watch)), 2)
    host.play(30)
    env = gymnasium.make("tools.bots.env:Skyline-v0", **watch.options).unwrapped  # type: ignore[attr-defined]
    assert isinstance(env, Placements)
    env.reset(seed=1)
    env.game.__init__(2, env.options)  # type: ignore[misc]
    env.game.start(0)
    env.game.advance(0)
    observation, info = env._observe_and_inform()
    for theirs, mask in seen:
        assert mask.tolist() == info["action_mask"].tolist()
        assert {key: str(value) for key, value in theirs.items()} == {k: str(v) for k, v in observation.items()}
        observation, *_, info = env.step(policy(observation, info))
    assert len(seen) == 30 and host.game.statistics.holds and host.game.lines and host.game.level == 1


def test_announced_garbage_is_observed_until_the_next_start(path: Path) -> None:
    observations: list[Any] = []
    bot = PolicyBot(lambda observation, info: observations.append(observation) or 0)  # type: ignore[func-returns-value]
    talk(bot, start("TIS"), {"type": "garbage", "rows": 3}, SUGGEST, start("TIS"), SUGGEST)
    assert [int(observation["garbage"][0]) for observation in observations] == [3, 0]


def test_a_played_tetris_is_observed_as_back_to_back() -> None:
    seen: list[Any] = []
    bot = PolicyBot(lambda observation, _: seen.append(observation) or 0)  # type: ignore[func-returns-value]
    board: list[list[str | None]] = [["G"] * 9 + [None]] * 4 + EMPTY[4:]
    talk(bot, start("ITS", board=board), SUGGEST, {"type": "play", "move": Move(1, 1, 7, 0, 0).as_json()}, SUGGEST)
    found = [(one["back_to_back"], int(one["combo"][0]), one["matrix"].any()) for one in seen]
    assert found == [(0, 0, True), (1, 1, False)]


def test_a_policy_may_print(path: Path) -> None:
    with start_patient_bot(f'"{sys.executable}" -m tools.bots tbp --policy "{path}:loud"') as bot:
        host = Host(bot, 5)
        host.play(3)
    assert host.game.lock_downs == 3 and bot.name == "loud"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("bad", "the policy returned 80, allowed are whole numbers from 0 to 79"),
        ("dead", "died with exit code 1: 'ZeroDivisionError: "),
    ],
)
def test_a_policy_with_a_fault_loses_by_name(name: str, line: str, path: Path) -> None:
    with (
        start_patient_bot(f'"{sys.executable}" -m tools.bots tbp --policy "{path}:{name}"') as bot,
        pytest.raises(Fault, match=line),
    ):
        Host(bot, 5).play(3)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        *(
            ("low", "'low' names no policy"),
            ("tools.nowhere:low", "cannot import tools.nowhere: ModuleNotFoundError: "),
        ),
        *(("{path}:high", "{path} has no function high"), ("{path}:number", "{path} has no function number")),
        ("{path}x.py:low", "cannot import {path}x.py: FileNotFoundError: "),
        ("{path}:wrong", "options of wrong are {{'versus': 3}}, allowed are spins, "),
    ],
)
def test_a_wrong_policy_is_refused_in_one_line(text: str, line: str, path: Path) -> None:
    done = run_python("-m", "tools.bots", "tbp", "--policy", text.format(path=path), input="")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"tools.bots: {line.format(path=path)}") and done.stderr.count("\n") == 1


@pytest.mark.slow
def test_what_finds_places_is_compiled_before_the_first_question() -> None:
    """Compiling takes longer than the card gives a policy for an answer."""
    program = "from tools.bots.batch import finder; finder.Finder(); print(len(finder.mask_places.signatures))"
    assert run_python("-c", program, check=True).stdout == "1\n"
