"""Learning libraries find what they expect: spaces, masks, shaped rewards, adapters, and the page on a first player."""

import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.support import needs
from tools.bots.__main__ import main
from tools.bots.shaping import SCALE, rate_matrix

SKYLINE = "tools.bots.env:Skyline-v0"
needs_train = needs.mark("train")
needs_numba = needs.mark_packages("numba")


def play(env: Any, steps: int = 200, seed: int = 1) -> list[Any]:
    """Play random allowed actions to the end of an episode; return its rewards."""
    env.action_space.seed(seed)
    _, info = env.reset(seed=seed)
    rewards = []
    for _ in range(steps):
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        rewards.append(reward)
        if terminated or truncated:
            break
    return rewards


class TestSpaces:
    def test_numbers_of_a_space_are_whole_numbers_of_64_bits(self) -> None:
        """Sums of 8-bit ones overflow in stable-baselines3."""
        space: Any = gymnasium.make(SKYLINE).observation_space
        assert space["next"].nvec.dtype == space["next"].dtype == np.int64

    def test_every_discrete_space_begins_at_0(self) -> None:
        space: Any = gymnasium.make(SKYLINE, variant="marathon").observation_space
        assert {part.start for part in space.values() if isinstance(part, gymnasium.spaces.Discrete)} == {0}
        assert space["level"].contains(15) and not space["level"].contains(16)

    def test_action_masks_equal_the_mask_of_the_info(self) -> None:
        env: Any = gymnasium.make(SKYLINE)
        _, info = env.reset(seed=1)
        for action in (3, 45, 7):
            masks = env.get_wrapper_attr("action_masks")()
            assert masks.dtype == np.bool_ and (masks == info["action_mask"]).all()
            info = env.step(action)[4]

    def test_max_episode_steps_truncates(self) -> None:
        assert len(play(gymnasium.make(SKYLINE, max_episode_steps=7))) == 7


class TestShaping:
    @pytest.mark.parametrize("garbage_rows", [0, 15])
    def test_shaped_rewards_of_an_episode_sum_up_to_the_first_potential(self, garbage_rows: int) -> None:
        """An ended game has the potential 0."""
        rules = {"garbage_rows": garbage_rows}
        env: Any = gymnasium.make(SKYLINE, shaping=1.0, rules=rules)
        env.reset(seed=1)
        first = env.unwrapped._rated / SCALE
        assert sum(play(env)) - env.unwrapped.game.lines == pytest.approx(-first)
        assert env.unwrapped.game.over and (first < 20 if garbage_rows else first == 20)

    def test_a_discount_as_shaping_changes_the_discounted_sum_by_a_constant(self) -> None:
        shaped, plain = (play(gymnasium.make(SKYLINE, shaping=discount, reward="score")) for discount in (0.9, 0.0))
        sums = [sum(0.9**at * reward for at, reward in enumerate(each)) for each in (shaped, plain)]
        assert sums[0] - sums[1] == pytest.approx(-20)

    def test_heights_holes_and_bumps_lower_the_potential(self) -> None:
        """A tower of 3 with a hole at its foot, at the wall: heights 3, holes 1, bumps 3."""
        assert rate_matrix([1, 1, 0]) == 400 - 3 - 7 - 2 * 3 and rate_matrix([]) == 400

    @needs_numba
    def test_the_compiled_potential_is_the_same(self) -> None:
        from tests.support.plain_numba import load_plain

        chance = random.Random(1)
        with load_plain("batch.blocks", "strong.columns") as modules:
            for _ in range(200):
                rows = [chance.randrange(1024) for _ in range(chance.randrange(20))]
                columns = modules.columns.make_columns(reversed(rows))
                assert modules.blocks.rate_blocks(columns) == rate_matrix(rows)

    @pytest.mark.parametrize("shaping", [-0.1, 1.5, "much", True])
    def test_another_shaping_is_refused(self, shaping: Any) -> None:
        with pytest.raises(ValueError, match=r"^shaping is [^\n]+, allowed are 0 for none, and a discount up to 1$"):
            gymnasium.make(SKYLINE, shaping=shaping)


@needs_numba
class TestFlatGames:
    @pytest.mark.slow
    def test_an_episode_tells_its_return_and_length_when_it_ends(self) -> None:
        """As CleanRL's scripts read it."""
        from tools.bots.flat import FlatGames

        envs = FlatGames(4, max_episode_steps=20)
        seen, infos = envs.reset(seed=1)
        returns, ends = np.zeros(4), 0
        for _ in range(60):
            seen, rewards, ended, truncated, infos = envs.step(envs.batch.sample(infos["action_mask"]))
            returns += rewards
            assert seen in envs.observation_space and seen.dtype == np.float32
            for i, final in enumerate(infos.get("final_info", ())):
                assert bool(final) == bool(ended[i] or truncated[i]) == (infos["final_obs"][i] is not None)
                if final:
                    assert final["episode"]["r"] == returns[i] and 0 < final["episode"]["l"] <= 20
                    returns[i], ends = 0, ends + 1
        assert ends >= 12

    def test_a_reset_of_some_keeps_the_episodes_of_the_others(self) -> None:
        from tools.bots.flat import FlatGames

        envs = FlatGames(2, max_episode_steps=5)
        envs.reset(seed=1)
        for step in range(5):
            if step == 3:
                envs.reset(options={"reset_mask": np.array([True, False])})
            *_, infos = envs.step(np.zeros(2, np.int64))
        assert not infos["final_info"][0] and infos["final_info"][1]["episode"]["l"] == 5

    def test_a_vector_tells_blocks_heights_holes_steps_and_pieces(self) -> None:
        from tools.bots.flat import flatten_one, make_flat_space

        env: Any = gymnasium.make(SKYLINE)
        seen, _ = env.reset(seed=1)
        seen["matrix"][1, 3] = seen["matrix"][0, 4] = 8

        vector = flatten_one(seen)

        planes = vector[:300].reshape(30, 10)
        assert vector in make_flat_space(5) and planes[:20].sum() == 2 and planes[1, 3] == planes[0, 4] == 1
        assert planes[20].tolist() == pytest.approx([0, 0, 0, 0.2, 0.1, 0, 0, 0, 0, 0])
        assert planes[21].nonzero()[0].tolist() == [3] and planes[22].all()
        assert planes[23:].argmax(axis=0).tolist() == [3, 3, 5, 2, 2, 3, 3, 3, 3, 3]
        assert vector[300:349].reshape(7, 7).argmax(axis=1).tolist() == [seen["piece"] - 1, 0, *seen["next"] - 1]


@needs_train
class TestLibraries:
    @pytest.mark.parametrize("name", ["PPO", "MaskablePPO"])
    def test_ppo_runs_on_the_environment_as_it_is(self, name: str) -> None:
        import sb3_contrib
        import stable_baselines3
        from stable_baselines3.common.env_checker import check_env

        learner: Any = getattr(sb3_contrib if name == "MaskablePPO" else stable_baselines3, name)
        env = gymnasium.make(SKYLINE, variant="marathon", max_episode_steps=30)
        check_env(env)
        model = learner("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1, device="cpu")
        assert model.learn(128).num_timesteps == 128

    @pytest.mark.parametrize(("flat", "longest"), [(True, 25), (False, 5)], ids=["lost", "truncated"])
    def test_games_play_as_stable_baselines3_wants_it(self, flat: bool, longest: int) -> None:
        """The last observation of an episode is in its info, and a truncated one says so."""
        from sb3_contrib import MaskablePPO

        from tools.bots.sb3 import Games

        games = Games(4, flat, max_episode_steps=longest)
        games.seed(1)
        seen = games.reset()
        told = []
        for _ in range(60):
            masks = np.stack(games.env_method("action_masks"))
            seen, rewards, done, infos = games.step(masks.argmax(axis=1))
            told += [info for info, over in zip(infos, done, strict=True) if over]
            assert rewards.dtype == np.float32 and all(
                bool(info) == over for info, over in zip(infos, done, strict=True)
            )
        assert {info["TimeLimit.truncated"] for info in told} == {longest == 5} and len(told) >= 8
        assert all(info["terminal_observation"] in games.observation_space for info in told)
        model = MaskablePPO("MlpPolicy" if flat else "MultiInputPolicy", games, n_steps=8, batch_size=16, device="cpu")
        assert model.learn(32).num_timesteps == 32 and seen is not None


@needs_train
class TestFirstPlayer:
    @pytest.mark.every
    def test_the_commands_of_the_page_train_a_player_that_plays(self, tmp_path: Path, monkeypatch, capsys) -> None:
        """At a small budget; equal seeds give equal weights."""
        monkeypatch.chdir(tmp_path)
        for name in ("first_player.npz", "again.npz"):
            assert main(["train", "--steps", "9000", "--output", name]) == 0
            said = capsys.readouterr()
            assert "8,192 steps" in said.out and "it plays 12,288 pieces" in said.err
        one, again = (np.load(name) for name in ("first_player.npz", "again.npz"))
        assert all((one[name] == again[name]).all() for name in one.files) and len(one.files) > 8
        assert main(["card", "tools.bots.examples.first_player:policy", "--quick", "--jobs", "1"]) == 0

    @pytest.mark.long
    def test_after_a_few_minutes_it_clears_lines(self, capsys) -> None:
        from tools.bots.examples import first_player

        rows: list[Any] = []
        first_player.train(250_000, 1, rows.append)
        assert float(rows[0][2]) < 1 and float(rows[-1][2]) > 10

    def test_the_published_weights_are_small_and_clear_lines(self) -> None:
        from sim.bots.host import Host
        from tools.bots.bot_server import InProcessBot
        from tools.bots.examples import first_player
        from tools.bots.policy import PolicyBot

        host = Host(InProcessBot(PolicyBot(first_player.policy)), 1)
        host.play(60)
        assert host.game.lock_downs == 60 and host.game.lines > 15
        assert Path(first_player.__file__).with_suffix(".npz").stat().st_size < 50_000


def test_without_the_extra_training_is_refused_in_one_line(monkeypatch, capsys) -> None:
    monkeypatch.setattr("tools.bots.__main__.find_spec", lambda name: None if name == "torch" else name)
    assert main(["train"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "training needs torch" in said and "[train]" in said
