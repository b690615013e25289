"""Gymnasium environments: they pass its checker and play by the engine's rules."""

import copy
import pickle
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pygame
import pytest
from gymnasium.utils.env_checker import check_env

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW
from firmware.engine.game import Game
from firmware.engine.matrix import Matrix
from firmware.engine.profiles import FACINGS, PROFILES
from sim.bots.snapshot import restore, snapshot
from tests.support import needs
from tests.support.batches import set_rows
from tests.support.handhelds.bot_processes import TBP, write_stub_bot
from tools.bots import env as environments

EDGES = "tools.bots.env:Skyline-Edges-v0"
PLACEMENTS = "tools.bots.env:Skyline-v0"


def make(name: str, **options: Any) -> Any:
    return gymnasium.make(name, **options).unwrapped


def begin(name: str = PLACEMENTS, seed: int = 1, **options: Any) -> Any:
    env = make(name, **options)
    env.reset(seed=seed)
    return env


def play(env: Any, steps: int, seed: int = 1) -> list[tuple[Any, ...]]:
    """Take random allowed steps; return actions and results, the same for the same seed."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    found = []
    for _ in range(steps):
        action = env.action_space.sample(info.get("action_mask"))
        observation, reward, terminated, truncated, info = env.step(action)
        found.append((action, observation, reward, terminated, truncated, info))
        if terminated:
            _, info = env.reset()
    return found


def tap(game: Game, button: int) -> None:
    game.input(button, 1, game.now_ms)
    game.input(button, 0, game.now_ms)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        (PLACEMENTS, {}),
        (PLACEMENTS, {"spins": True, "variant": "marathon", "rows": 40}),
        (PLACEMENTS, {"versus": 2, "reward": "win"}),
        (PLACEMENTS, {"versus": 2, "attacks": "modern", "reward": "sent"}),
        (PLACEMENTS, {"observe_mask": True}),
        (PLACEMENTS, {"pixels": True, "garbage": (4, 7), "reward": "sent", "attacks": "tetrio"}),
        (EDGES, {"variant": "ultra", "reward": "score"}),
        (EDGES, {"versus": 1, "reward": "sent", "seen": 1}),
    ],
)
def test_environments_pass_the_checker_of_gymnasium(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(name, **options), skip_render_check=True)


@pytest.mark.parametrize(("name", "options", "steps"), [(PLACEMENTS, {}, 300), (EDGES, {"versus": 5}, 250)])
def test_the_same_seed_and_actions_give_the_same_episodes(name: str, options: dict[str, Any], steps: int) -> None:
    one, other = (play(make(name, **options), steps) for _ in range(2))
    for first, second in zip(one, other, strict=True):
        np.testing.assert_equal(first, second)
    assert not np.array_equal(one[0][1]["next"], play(make(name, **options), 1, 5)[0][1]["next"])


class TestPlacements:
    @pytest.mark.parametrize("rules", [{}, {"garbage_rows": 15}], ids=["low", "high"])
    def test_a_drop_equals_the_button_presses_for_it(self, rules: dict[str, int]) -> None:
        """For masked and unmasked actions, in low and high Matrices."""
        env = begin(PLACEMENTS, seed=3, rules=rules)
        env.action_space.seed(3)
        episodes = high = 0
        for _ in range(400):
            action = env.action_space.sample()
            before = snapshot(env.game)
            high += env.game.matrix.top > 17
            mask = env._inform()["action_mask"]
            over = env.step(action)[2]
            game = Game(1, env.options, environments.LineCounter(environments.Mode()))
            restore(game, before)
            reached = self.press(game, action)
            game.advance(game.now_ms + env.options.generation_ms)
            for name in ("over", "score", "lines", "hold", "piece", "next", "time_ms"):
                assert getattr(game, name) == getattr(env.game, name)
            assert game.matrix.rows == env.game.matrix.rows and bool(mask[action]) == reached
            if over:
                episodes += 1
                env.reset()
        assert episodes > 3 and high > 10

    def press(self, game: Game, action: int) -> bool:
        """Press the buttons of an action; return True if they reach its place and no smaller action does."""
        hold, rest = divmod(action, 40)
        facing, column = divmod(rest, 10)
        if hold:
            tap(game, HOLD)
        if not game.piece:
            return False
        for button in ((), (ROTATE_CW,), (ROTATE_CW, ROTATE_CW), (ROTATE_CCW,))[facing]:
            tap(game, button)
        at = (game.piece * 4 + game.facing - 4) * 10
        piece, there = game.piece, game.facing
        for _ in range(10):
            left = game.x + (PROFILES[at] & 15)
            if left != min(column, 10 - PROFILES[at + 1]):
                tap(game, RIGHT if left < column else LEFT)
        left = game.x + (PROFILES[at] & 15)
        tap(game, HARD_DROP)
        return (there, left) == (facing, column) and facing < FACINGS[piece - 1]

    def test_with_spins_a_t_spin_double_is_an_action(self) -> None:
        """The T locks down under an overhang, at the place of the action."""
        env = begin(PLACEMENTS, spins=True, reward="sent")
        game = env.game
        set_rows(game, "###..#####", "###...####", "####.#####")
        game.enter(6)
        mask = env._inform()["action_mask"]
        upside_down = ((0 * 4 + 2) * 10 + 3) * 21 + 0
        assert mask[upside_down] and mask.sum() > 40
        _, reward, terminated, _, _ = env.step(upside_down)
        assert (reward, terminated, game.lines) == (4, False, 2)

    def test_every_allowed_action_reaches_its_place(self) -> None:
        env = make(PLACEMENTS, spins=True)
        for action, _, _, terminated, _, info in play(env, 60):
            assert terminated or info["pieces"]
            assert 0 <= action < 2 * 4 * 10 * 21
        _, info = env.reset(seed=2)
        for action in np.flatnonzero(info["action_mask"])[::7]:
            env.reset(seed=2)
            place = env._finder.get_place(int(action))
            env.step(action)
            assert env.game.spun == place.spin and env.game.lock_downs == 1

    def test_the_compiled_search_finds_what_the_plain_one_finds(self) -> None:
        """Also above the Skyline; without Numba the plain one is used."""
        for rules in ({}, {"garbage_rows": 15}):
            compiled, plain = (make(PLACEMENTS, spins=True, reward="score", rules=rules) for _ in range(2))
            plain._finder = None
            np.testing.assert_equal(play(compiled, 150), play(plain, 150))

    @pytest.mark.parametrize("compiled", [True, False])
    @pytest.mark.parametrize(("column", "points"), [(4, 2 * 19), (2, 19)], ids=["drop", "slide"])
    def test_a_place_below_open_sky_scores_a_hard_drop(self, column: int, points: int, compiled: bool) -> None:
        """Any other place scores as many points as a Soft Drop."""
        env = begin(PLACEMENTS, spins=True, reward="score")
        if not compiled:
            env._finder = None
        set_rows(env.game, "###...####", "##....####", "##....####")
        env.game.enter(4)
        env._inform()
        assert env.step(column * 21)[1] == points

    @pytest.mark.parametrize("compiled", [True, False])
    @pytest.mark.parametrize(("attacks", "spun"), [("guideline", 0), ("custom-36", 0), ("custom-72", 1), ("modern", 1)])
    def test_23_a_step_makes_the_best_spin_by_the_rules(self, attacks: str, spun: int, compiled: bool) -> None:
        """An L turns into its place under an overhang, where it cannot move."""
        env = begin(PLACEMENTS, spins=True, versus=1, attacks=attacks)
        if not compiled:
            env._finder = None
        set_rows(env.game, "##.#######", "...#######")
        env.game.enter(3)
        env._inform()
        env.step(0)
        assert (env.game.spun, env.game.lines) == (spun, 2)

    @pytest.mark.parametrize(("reward", "gained"), [("lines", 4), ("score", 800 + 2 * 17), ("sent", 4), ("win", 0)])
    def test_each_reward_counts_its_own_gains(self, reward: str, gained: int) -> None:
        env = begin(PLACEMENTS, reward=reward)
        set_rows(env.game, *["#########."] * 4)
        env.game.enter(1)
        observation, got, _, _, info = env.step(1 * 10 + 9)
        assert got == gained and info["lines"] == 4
        assert observation["back_to_back"] == 1 and observation["combo"] == [1] and not observation["matrix"].any()

    def test_completing_a_variant_wins_and_a_top_out_loses(self) -> None:
        env = begin(PLACEMENTS, variant="sprint", reward="win", rules={"aim": 1})
        set_rows(env.game, "#########.")
        env.game.enter(1)
        assert env.step(19)[1:3] == (1.0, True)
        env.reset(seed=1)
        ends = [env.step(0)[1:3]]
        while not ends[-1][1]:
            ends.append(env.step(0)[1:3])
        assert ends[-1] == (-1.0, True) and set(ends[:-1]) == {(0.0, False)}

    def test_a_match_has_garbage_in_the_queue_and_in_the_matrix(self) -> None:
        """A level 5 sends lines within a minute; they wait in the queue first."""
        env = make(PLACEMENTS, versus=5, reward="win", pace_ms=1000)
        steps = play(env, 40)
        seen = [observation for _, observation, *_ in steps]
        assert any(each["garbage"][0] for each in seen) and any(each["rival"].any() for each in seen)
        assert any((each["matrix"] == 8).any() for each in seen)
        ends = [(reward, terminated) for _, _, reward, terminated, *_ in steps if reward or terminated]
        assert ends and set(ends) == {(-1.0, True)}

    def test_a_bot_can_be_the_opponent(self, tmp_path: Path) -> None:
        """A bot at fault loses."""
        env = make(PLACEMENTS, versus=f"{TBP} --level 1", pace_ms=1000)
        assert any(observation["rival"].any() for _, observation, *_ in play(env, 5))
        env.close()
        text = "say(type='suggestion', moves=[drop(greet()[0])]); wait_for('suggest')"
        env = make(PLACEMENTS, versus=write_stub_bot(tmp_path, text), reward="win", pace_ms=1000)
        _, info = env.reset(seed=1)
        terminated, turn, reward = False, 0, 0.0
        while not terminated:
            turn += 1
            _, reward, terminated, _, info = env.step((3 + 5 * (turn & 1) - 3 * (turn & 2)) % 40)
        assert reward == 1 and info["fault"] == "Stub loses: it died with exit code 0"
        env.close()


class TestEdges:
    def test_a_held_button_repeats(self) -> None:
        env = begin(EDGES)
        right = np.eye(7, dtype=np.int8)[RIGHT]
        places = [env.step(right)[0]["position"][1] for _ in range(40)]
        assert places[0] == 4 and places[10] == 4 and places[-1] == 10 - 3 and sorted(places) == places

    def test_edges_play_the_engine_at_sixty_frames_a_second(self) -> None:
        env = begin(EDGES, seed=9)
        game = Game(env.game.seed, env.options)
        game.start(0)
        game.advance(0)
        env.action_space.seed(1)
        down = np.zeros(7, np.int8)
        for frame in range(1, 400):
            action = env.action_space.sample()
            env.step(action)
            for button in np.flatnonzero(action != down):
                game.input(int(button), int(action[button]), game.now_ms)
            game.advance(frame * 50 // 3)
            down = action
        assert game.matrix.rows == env.game.matrix.rows and game.time_ms == env.game.time_ms
        assert game.lock_downs == env.game.lock_downs > 3


@pytest.mark.parametrize(
    ("name", "action", "allowed"),
    [
        *((PLACEMENTS, action, "whole numbers from 0 to 79") for action in (80, -1, 3.7, "5", None, [3])),
        *((EDGES, action, "7 numbers, 0 or 1") for action in ([0] * 6, [0, 0, 2, 0, 0, 0, 0], "0000000", 5)),
    ],
)
def test_an_invalid_action_is_refused_and_changes_nothing(name: str, action: Any, allowed: str) -> None:
    env = begin(name)
    before = snapshot(env.game)
    with pytest.raises(ValueError, match=r"^[^\n]+$") as problem:
        env.step(action)
    assert str(problem.value) == f"action is {action!r}, allowed are {allowed}" and snapshot(env.game) == before


@pytest.mark.parametrize("action", [3, np.int64(3), np.uint8(3), np.array(3)], ids=lambda action: type(action).__name__)
def test_any_type_of_whole_number_can_be_an_action(action: Any) -> None:
    env = begin()
    env.step(action)
    assert env.game.lock_downs == 1


@pytest.mark.parametrize("options", [{}, {"spins": True}, {"variant": "sprint", "rules": {"aim": 2}}, {"versus": 5}])
def test_every_mask_allows_an_action_and_the_last_one_all(options: dict[str, Any]) -> None:
    env = make(PLACEMENTS, **options)
    steps = play(env, 60)
    for _, _, _, terminated, _, info in steps:
        assert info["action_mask"].any() and terminated <= info["action_mask"].all()
    assert any(terminated for _, _, _, terminated, _, _ in steps)


def test_observe_mask_puts_the_mask_into_the_observation() -> None:
    env = make(PLACEMENTS, observe_mask=True)
    observation, info = env.reset(seed=1)
    assert env.observation_space["action_mask"].shape == (80,)
    np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
    for _, observation, _, _, _, info in play(env, 20):
        assert env.observation_space.contains(observation)
        np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
    assert "action_mask" not in make(PLACEMENTS).reset(seed=1)[0]


def choose_low(env: Any, mask: Any) -> int:
    """Return the drop that keeps the Matrix lowest."""

    def count(action: int) -> int:
        before = snapshot(env.game)
        env._act(action)
        cells = env._read(env.game.matrix).T > 0
        heights = [40 - (column[::-1].argmax() if column.any() else 40) for column in cells]
        restore(env.game, before)
        return sum(height**2 for height in heights)

    return min(map(int, np.flatnonzero(mask[:40])), key=count)


@pytest.mark.parametrize(
    ("name", "choose"), [(PLACEMENTS, choose_low), (EDGES, lambda _env, _mask: [0] * 7)], ids=["drops", "edges"]
)
def test_ultra_observes_the_time_left_and_terminates_at_its_end(name: str, choose: Any) -> None:
    """Gymnasium's `truncated` is for limits that no observation shows."""
    env = make(name, variant="ultra", rules={"aim": 1}, rows=40)
    observation, info = env.reset(seed=1)
    left_ms, terminated = observation["left_ms"][0], False
    assert left_ms == 60_000
    while not terminated:
        action = choose(env, info.get("action_mask"))
        observation, _, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation) and not truncated
        assert observation["left_ms"][0] == 60_000 - env.game.time_ms < left_ms
        left_ms = observation["left_ms"][0]
    assert left_ms == 0 and env.game.over


@pytest.mark.parametrize("clone", [lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy], ids=["pickle", "copy"])
@pytest.mark.parametrize(
    "options",
    [{}, {"versus": 3}, {"versus": f"{TBP} --level 1", "pace_ms": 1000}, {"render_mode": "rgb_array"}],
    ids=["alone", "level", "bot", "shown"],
)
def test_a_copy_of_an_environment_continues_like_the_original(options: dict[str, Any], clone: Any) -> None:
    """Copied within an episode; a copied bot is a new process that receives the position."""
    env = begin(PLACEMENTS, **options)
    env.step(3)
    env.render()
    other = clone(env)
    for action in (0, 5, 9):
        np.testing.assert_equal(env.step(action), other.step(action))
    if "render_mode" in options:
        np.testing.assert_array_equal(env.render(), other.render())
    assert "fault" not in other._inform()
    env.close()
    other.close()


@pytest.mark.parametrize(("name", "options"), [(PLACEMENTS, {}), (EDGES, {"versus": 3})])
def test_rgb_array_renders_the_picture_of_the_oled(name: str, options: dict[str, Any]) -> None:
    env = begin(name, render_mode="rgb_array", **options)
    before = env.render()
    # The floor: dots below the ten columns of the Matrix.
    assert [bool(before[4 * (3 + 127) + 1, 4 * (3 + x) + 1].max() > 200) for x in range(0, 55, 5)] == [True] * 11
    assert before.shape == (4 * (128 + 6), 4 * (64 + 6), 3) and before.dtype == np.uint8 and before.max() > 200
    for _ in range(30):
        env.step(env.action_space.sample())
    assert not np.array_equal(env.render(), before)


def test_human_mode_renders_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = begin(EDGES, render_mode="human")
    env.step(np.zeros(7, np.int8))
    assert env.render() is None and pygame.surfarray.array3d(pygame.display.get_surface()).max() > 200
    env.close()
    assert not pygame.display.get_init()


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"variant": "golf"}, "variant is 'golf', allowed are endless, marathon, sprint, ultra"),
        ({"reward": "money"}, "reward is 'money'"),
        ({"render_mode": "ascii"}, "render_mode is 'ascii'"),
        ({"rows": 10}, "rows is 10"),
        ({"seen": 9}, "option next_count is 9"),
        ({"rules": {"gravity": 9}}, "there is no rule 'gravity'"),
        ({"versus": 6}, "versus is 6"),
        ({"versus": 3, "variant": "sprint"}, "variant and versus cannot be used together"),
        ({"pace_ms": 2000}, "option generation_ms is 2000"),
        ({"pace_ms": None}, "generation_ms is None"),
        ({"rules": 5}, "rules is 5"),
        ({"rules": {"level": "5"}}, "level is '5'"),
        ({"versus": 3.5}, r"versus is 3\.5"),
        ({"seen": "5"}, "seen is '5'"),
        ({"garbage": 4}, "garbage is 4"),
        ({"garbage": (4, "7")}, r"garbage is \(4, '7'\)"),
        ({"attacks": "nix"}, "there is no table 'nix'"),
        ({"attacks": None}, "attacks is None, allowed are names of tables"),
        ({"attacks": b"modern", "versus": 3}, "attacks is b'modern'"),
        ({"attacks": "custom-1\n", "versus": 3}, r"there are no rules 'custom-1\\n'"),
        ({"attacks": "tetrio", "versus": 3}, "there are no rules 'tetrio'; known are guideline, modern and custom-0"),
    ],
)
def test_an_invalid_option_raises_one_line(options: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=rf"^{line}[^\n]*$"):
        environments.Placements(**options)


@pytest.mark.parametrize("name", [PLACEMENTS, EDGES])
@pytest.mark.parametrize(
    ("rule", "options", "says"),
    [(rule, {"variant": "sprint"}, "sprint") for rule in ("modern", "slow", "invisible")]
    + [(rule, {"versus": 1}, "a match") for rule in ("garbage_rows", "aim", "modern", "slow", "invisible")],
)
def test_a_rule_that_games_do_not_know_is_refused(name: str, rule: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=rf"^{says} has no rule '{rule}' in an environment$"):
        make(name, rules={rule: 1}, **options)


@pytest.mark.parametrize("variant", ["endless", "marathon", "sprint", "ultra"])
@pytest.mark.parametrize("rule", ["garbage_rows", "aim", "level", "das_ms", "generation_ms", "animate_ms"])
def test_a_rule_that_games_know_is_played(variant: str, rule: str) -> None:
    env = begin(PLACEMENTS, variant=variant, rules={rule: 3})
    assert getattr(env.game.options, rule) == 3


@pytest.mark.parametrize("rule", ["modern", "slow"])
def test_match_rules_a_batch_refuses_a_rule_that_it_does_not_play(rule: str) -> None:
    needs.demand_packages("numba")
    with pytest.raises(ValueError, match=rf"^endless has no rule '{rule}' in an environment$"):
        gymnasium.make_vec(PLACEMENTS, num_envs=2, rules={rule: 1})


@pytest.mark.parametrize(("attacks", "sent"), [("guideline", 4), ("modern", 14), ("custom-0", 4)])
def test_18_a_match_sends_by_its_rules(attacks: str, sent: int) -> None:
    """A Tetris that leaves nothing: MODERN adds ten lines for the all-clear."""
    env = begin(PLACEMENTS, versus=1, attacks=attacks, reward="sent")
    game = env.game
    set_rows(game, *[".#########"] * 4)
    game.piece = 0
    game.enter(1)  # an I
    for button, presses in ((ROTATE_CCW, 1), (LEFT, 5), (HARD_DROP, 1)):
        for _ in range(presses):
            env.match.input(0, button, 1, env.match.time_ms)
            env.match.input(0, button, 0, env.match.time_ms)
    env.match.advance(env.match.time_ms + 1000)
    assert env.match.seats[0].sent + env.match.seats[0].countered == sent


def test_the_mask_of_an_empty_matrix_allows_each_drop_once() -> None:
    counts = [sum(environments.find_drops(Matrix(), piece)) for piece in range(8)]
    assert counts == [0, 17, 34, 34, 9, 17, 34, 17]
