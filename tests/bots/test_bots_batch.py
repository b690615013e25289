"""The batch of Skyline-v0 plays as the engine and its matches do. Here its Numba code runs as plain Python."""

import copy
import pickle
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import tools.bots
from firmware.engine.game import BLOCK_OUT, Game
from firmware.engine.manipulation import Manipulation
from tests.support.batches import check_games, check_steps, choose_well, put_game, read_cells, read_columns, set_rows
from tests.support.bot_matches import check_matches
from tests.support.plain_numba import load_plain

SKYLINE = "tools.bots.env:Skyline-v0"
VERSUS = "tools.bots.env:Skyline-Versus-v0"
T = 6


@pytest.fixture(scope="module", autouse=True)
def plain() -> Iterator[None]:
    with load_plain("batch.turns") as modules:
        assert not hasattr(modules.turns.play_slice, "py_func")
        yield


def make(num_envs: int = 2, mode: str | None = None, name: str = SKYLINE, **options: Any) -> Any:
    return gymnasium.make_vec(name, num_envs=num_envs, vectorization_mode=mode, **options)


def begin(num_envs: int = 2, seed: int = 1, **options: Any) -> Any:
    envs = make(num_envs, **options)
    envs.reset(seed=seed)
    return envs


def begin_both(**options: Any) -> tuple[Any, Any]:
    """Return a batch of one game and one environment with the same game."""
    batch, sync = make(1, **options), make(1, "sync", **options)
    batch.reset(seed=1)
    sync.reset(seed=1)
    return batch, sync


def enter(batch: Any, sync: Any, piece: int, *rows: str) -> Game:
    """Set up the same position in both: the lowest row comes last, a letter is a Block."""
    game: Game = sync.envs[0].unwrapped.game
    set_rows(game, *rows)
    game.enter(piece)
    sync.envs[0].unwrapped._inform()  # finds the places
    put_game(batch, 0, sync.envs[0].unwrapped)
    return game


@pytest.mark.parametrize(
    "options",
    [
        {"rows": 40, "reward": "score"},
        {"spins": True, "reward": "score", "observe_mask": True},
        {"variant": "marathon", "rules": {"garbage_rows": 15, "goal_rule": 1}, "seen": 1, "reward": "win"},
        {
            "variant": "sprint",
            "rules": {"aim": 1, "hold_on": 0},
            "garbage": (2, 3),
            "reward": "sent",
            "attacks": "botris",
        },
        {"variant": "ultra", "rules": {"aim": 1, "animate_ms": 300}, "pace_ms": 1000, "seen": 6},
        {"spins": True, "rules": {"garbage_rows": 15, "hold_on": 0}, "garbage": (1, 1)},
    ],
    ids=["drops", "spins", "marathon", "sprint", "ultra", "high"],
)
def test_random_steps_equal_those_of_the_engine(options: dict[str, Any]) -> None:
    """Observations, infos, rewards and ends, and the state of each game."""
    ends = check_steps(make(2, **options), make(2, "sync", **options), steps=40)
    assert ends


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_all_ways_of_make_vec_give_equal_episodes(mode: str) -> None:
    """For equal seeds and actions, with the step that begins a new episode; all observations lie in their space."""
    batch, others = make(mode="vector_entry_point"), make(mode=mode)
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(batch, name) == getattr(others, name)
    assert batch.metadata["autoreset_mode"] == others.metadata["autoreset_mode"]
    np.testing.assert_equal(batch.reset(seed=7), others.reset(seed=7))
    for action in range(60):
        actions = np.array([action % 40, 3])
        results = batch.step(actions)
        np.testing.assert_equal(results, others.step(actions))
        assert results[0] in batch.observation_space
    others.close()


def list_last(results: Any) -> Any:
    """Return results with the last observations as a list, which NumPy compares by its parts."""
    if "final_obs" in results[-1]:
        results[-1]["final_obs"] = list(results[-1]["final_obs"])
    return results


@pytest.mark.slow
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    "options",
    [
        {"max_episode_steps": 7, "shaping": 0.99, "reward": "score"},
        {"rules": {"garbage_rows": 15}, "observe_mask": True, "shaping": 1.0},
        {"variant": "sprint", "rules": {"aim": 1}, "spins": True, "max_episode_steps": 9, "reward": "win"},
    ],
    ids=["truncated", "lost", "spins"],
)
def test_each_autoreset_mode_equals_gymnasiums(mode: AutoresetMode, options: dict[str, Any]) -> None:
    """Also a reset of some games, with and without seeds."""
    batch = make(3, autoreset_mode=mode, **options)
    sync = make(3, "sync", vector_kwargs={"autoreset_mode": mode}, **options)
    masks = batch.reset(seed=3)[1]["action_mask"]
    sync.reset(seed=3)
    ends = 0
    for step in range(40):
        actions = batch.sample(masks)
        results = batch.step(actions)
        np.testing.assert_equal(list_last(results), list_last(sync.step(actions)))
        done = results[2] | results[3]
        ends += int(done.sum())
        masks = results[4]["action_mask"]
        if mode is AutoresetMode.DISABLED and done.any():
            with pytest.raises(gymnasium.error.ResetNeeded, match=rf"^game {done.argmax()} has ended"):
                batch.step(actions)
            seeds = [None, step, None]
            expected = sync.reset(seed=seeds, options={"reset_mask": done.copy()})
            results = batch.reset(seed=seeds, options={"reset_mask": done})
            np.testing.assert_equal(results, expected)
            masks = np.where(done[:, None], results[1]["action_mask"], masks)
    assert ends > 5


@pytest.mark.parametrize("name", ["RecordEpisodeStatistics", "DictInfoToList", "FlattenObservation", "NormalizeReward"])
def test_the_vector_wrappers_of_gymnasium_work(name: str) -> None:
    batch = make(2, max_episode_steps=4)
    envs = getattr(gymnasium.wrappers.vector, name)(batch)
    envs.reset(seed=1)
    told = [envs.step(np.array([3, 5]))[-1] for _ in range(8)]
    if name == "RecordEpisodeStatistics":
        assert told[3]["episode"]["l"].tolist() == [4, 4]


class TestLockDowns:
    def test_a_t_spin_double_and_a_tetris_are_back_to_back(self) -> None:
        """The T turns into a slot under an overhang; then an I clears four rows."""
        batch, sync = begin_both(spins=True, reward="sent")
        game = enter(batch, sync, T, "AAA.......", "AA...AAAAA", "AAA.AAAAAA", "AAAAAAAAA.")
        actions = np.array([((0 * 4 + 2) * 10 + 2) * 21 + 1])
        np.testing.assert_equal(batch.step(actions), sync.step(actions))
        assert game.statistics.kinds[2 * 5 + 2] == 1
        enter(batch, sync, 1, *["AAAAAAAAA."] * 4)
        actions = np.array([((0 * 4 + 1) * 10 + 9) * 21])
        np.testing.assert_equal(batch.step(actions), sync.step(actions))
        assert game.statistics.back_to_backs == 1 and game.chain == 2
        check_games(batch, sync)

    @pytest.mark.parametrize(
        ("attacks", "sent"), [("guideline", [4, 5, 5, 0]), ("botris", [10, 10, 10, 1]), ("tetrio", [14, 16, 18, 1])]
    )
    def test_lines_sent_follow_the_table_of_attacks(self, attacks: str, sent: list[int]) -> None:
        """With its Back-to-Backs, combos and all-clears: an I beside four rows, three times, and beside one."""
        batch, sync = begin_both(reward="sent", attacks=attacks)
        gained = []
        for rows in (4, 4, 4, 1):
            enter(batch, sync, 1, *["AAAAAAAAA."] * rows)
            results = batch.step(np.array([1 * 10 + 9]))
            np.testing.assert_equal(results, sync.step(np.array([1 * 10 + 9])))
            gained.append(results[1][0])
        assert gained == sent
        check_games(batch, sync)

    def test_a_masked_action_drops_the_tetrimino_where_it_is(self) -> None:
        batch, sync = begin_both(spins=True)
        actions = np.array([((0 * 4 + 0) * 10 + 0) * 21 + 15])
        np.testing.assert_equal(batch.step(actions), sync.step(actions))
        check_games(batch, sync)

    @pytest.mark.slow
    def test_a_t_that_turns_on_after_rotation_point_5_makes_a_t_spin(self) -> None:
        """Guideline 9.1; no Mini, as by rotation points 1 to 4."""
        batch, sync = begin_both(spins=True, reward="score")
        sync.envs[0].unwrapped._finder = None
        rows = ("A.........", "A....A....", "AA........", ".A..A...A.", ".A......A.", "AA.AA.A...")
        full = 0
        for action in range(840):
            game = enter(batch, sync, T, *rows)
            if sync.envs[0].unwrapped._inform()["action_mask"][action] and action // 210 < 2:
                gained = batch.step(np.array([action]))[1]
                np.testing.assert_equal(gained, sync.step(np.array([action]))[1])
                full += game.spun == 2
                sync.reset(seed=1)
                batch.reset(seed=1)
        assert full == 2

    @pytest.mark.parametrize("time_ms", [58_000, 59_000, 59_001])
    def test_the_time_limit_may_end_a_game_at_a_generation(self, time_ms: int) -> None:
        """Then the next Tetrimino has left the Next Queue."""
        batch, sync = begin_both(variant="ultra", rules={"aim": 1}, pace_ms=1000)
        env = sync.envs[0].unwrapped
        env.game.advance(time_ms)
        env.game.enter(T)
        put_game(batch, 0, env)
        np.testing.assert_equal(batch.step(np.array([0])), sync.step(np.array([0])))
        check_games(batch, sync)
        assert bool(env.game.over) == (time_ms > 58_000)

    def test_a_hold_without_room_is_a_block_out(self) -> None:
        """The picture shows the held Tetrimino dimmed."""
        batch, sync = begin_both(pixels=True)
        game = enter(batch, sync, 1, "...AAA....", *[".........."] * 21)
        game.next[0] = T
        put_game(batch, 0, sync.envs[0].unwrapped)
        actions = np.array([40])
        np.testing.assert_equal(batch.step(actions), sync.step(actions))
        assert game.over == BLOCK_OUT and game.held
        check_games(batch, sync)


@pytest.mark.parametrize(
    "options", [{}, {"variant": "ultra"}, {"variant": "marathon", "seen": 2}], ids=["endless", "ultra", "marathon"]
)
def test_pixels_are_the_picture_of_the_handheld(options: dict[str, Any]) -> None:
    batch, sync = make(pixels=True, **options), make(2, "sync", pixels=True, **options)
    batch.reset(seed=3)
    sync.reset(seed=3)
    for step in range(40):
        actions = np.array([step * 7 % 80, step % 40])
        seen, expected = batch.step(actions)[0]["pixels"], sync.step(actions)[0]["pixels"]
        np.testing.assert_array_equal(seen, expected)
    assert np.unpackbits(seen, axis=-1, bitorder="little").shape == (2, 128, 64)


@pytest.mark.parametrize(
    "numbers",
    [
        {"score": 10_000_000, "lines": 1005, "level": 100},
        {"score": 9_999_999, "lines": 999, "level": 99, "goal": 1000},
        {"lines": 10_020, "level": 1003, "goal": 999},
    ],
)
def test_pixels_show_numbers_that_outgrow_their_fields(numbers: dict[str, int]) -> None:
    batch, sync = begin_both(pixels=True)
    game = sync.envs[0].unwrapped.game
    for name, value in numbers.items():
        setattr(game, name, value)
    put_game(batch, 0, sync.envs[0].unwrapped)
    np.testing.assert_array_equal(batch.step(np.array([3]))[0]["pixels"], sync.step(np.array([3]))[0]["pixels"])


@pytest.mark.parametrize("chosen", [[True], [0, 1], [False, False]])
def test_another_reset_mask_is_refused_in_one_line(chosen: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"^reset_mask is [^\n]+, needed are 2 truth values, one of them true$"):
        begin().reset(options={"reset_mask": np.array(chosen)})


class TestSeeds:
    def test_several_seeds_go_to_their_games(self) -> None:
        first = make().reset(seed=[8, 5])[0]["next"]
        other = make().reset(seed=[5, 8])[0]["next"]
        np.testing.assert_array_equal(first, other[::-1])

    def test_a_reset_without_a_seed_continues_the_sequence_of_games(self) -> None:
        batch, sync = make(), make(2, "sync")
        for seed in (4, None, [None, 9], None):
            np.testing.assert_equal(batch.reset(seed=seed), sync.reset(seed=seed))

    @pytest.mark.slow
    def test_many_episodes_use_many_seeds(self) -> None:
        """The seeds drawn ahead are used up more than once."""
        batch, sync = begin_both(rules={"garbage_rows": 15}, garbage=(10, 1))
        seen = set()
        for _ in range(400):
            observed, *rest = batch.step(np.array([3]))
            np.testing.assert_equal((observed, *rest), sync.step(np.array([3])))
            seen.add(observed["matrix"].tobytes())
        assert len(seen) > 130

    def test_a_seed_gives_the_same_samples(self) -> None:
        """Only allowed actions, in any of the games."""
        batch = make(8)
        chosen = []
        for seed in (5, 5, 6):
            masks = batch.reset(seed=seed)[1]["action_mask"]
            samples = [batch.sample(masks) for _ in range(30)]
            assert all(masks[np.arange(8), actions].all() for actions in samples)
            chosen.append(np.array(samples))
        assert (chosen[0] == chosen[1]).all() and (chosen[0] != chosen[2]).any()
        assert all(len(set(chosen[0][:, i])) > 10 for i in range(8))

    def test_another_number_of_seeds_is_refused(self) -> None:
        with pytest.raises(ValueError, match="there are 3 seeds, but num_envs is 2"):
            make().reset(seed=[1, 2, 3])


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy], ids=["pickle", "copy"])
def test_a_copy_of_a_batch_continues_like_the_original(copied: Any) -> None:
    batch = begin()
    batch.step(np.array([3, 5]))
    other = copied(batch)
    for action in range(40):
        np.testing.assert_equal(batch.step(np.array([action, 3])), other.step(np.array([action, 3])))


def test_without_copy_the_arrays_are_used_again() -> None:
    batch = begin(copy=False)
    first = batch.step(np.array([3, 5]))[0]
    assert batch.step(np.array([3, 5]))[0]["matrix"] is first["matrix"]
    batch = begin()
    first = batch.step(np.array([3, 5]))[0]
    assert not np.shares_memory(batch.step(np.array([3, 5]))[0]["matrix"], first["matrix"])


def test_play_does_a_step_without_observations() -> None:
    batch, other = begin(reward="score"), begin(reward="score")
    for action in range(40):
        rewards, ended = batch.play(np.array([action, 3]))
        _, expected, terminated, _, _ = other.step(np.array([action, 3]))
        np.testing.assert_equal((rewards, ended), (expected, terminated))


@pytest.mark.parametrize(
    ("actions", "line"),
    [
        ([1, 80], "an action is not allowed, allowed are whole numbers from 0 to 79"),
        ([-1, 0], "an action is not allowed"),
        ([1], r"actions are int64 of shape \(1,\), needed are 2 integers"),
        ([0.5, 1], r"actions are float64 of shape \(2,\)"),
    ],
)
def test_invalid_actions_are_refused_and_change_nothing(actions: list[float], line: str) -> None:
    batch = begin()
    before = pickle.dumps(batch.games)
    with pytest.raises(ValueError, match=rf"^{line}[^\n]*$"):
        batch.step(np.array(actions))
    assert pickle.dumps(batch.games) == before


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        make().step(np.array([0, 0]))


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"versus": 3}, r'the batch has no versus; make_vec\(..., vectorization_mode="sync"\) has'),
        ({"render_mode": "rgb_array"}, "the batch has no render_mode"),
        ({"num_envs": 0}, "num_envs is 0"),
        ({"num_envs": 2.5}, "num_envs is 2.5, allowed are whole numbers from 1 to "),
        ({"max_episode_steps": 0}, "max_episode_steps is 0, allowed are 1 or more"),
        ({"autoreset_mode": "Never"}, "'Never' is not a valid AutoresetMode"),
        ({"threads": 0}, "threads is 0"),
        ({"variant": "golf"}, "variant is 'golf'"),
        ({"attacks": "nix"}, "there is no table 'nix'"),
        ({"garbage": (1,)}, r"garbage is \(1,\)"),
    ],
)
def test_an_option_that_the_batch_lacks_raises_one_line(options: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=rf"^{line}[^\n]*$"):
        make(**options)


@pytest.mark.parametrize(
    ("seed", "line"),
    [
        (1.5, "seed 1.5 is not a whole number from 0 on"),
        (-1, "seed -1 is not a whole number"),
        ([1, -3], "seed -3 is not a whole number"),
        ([1, 2.0], "seed 2.0 is not a whole number"),
        ([1], "there are 1 seeds, but num_envs is 2"),
        (np.ones((2, 2), np.int64), r"seed array\(\[1, 1\]\) is not a whole number"),
        ("ab", "seed 'a' is not a whole number"),
    ],
)
def test_a_wrong_seed_raises_one_line(seed: Any, line: str) -> None:
    with pytest.raises(ValueError, match=rf"^{line}[^\n]*$"):
        make().reset(seed=seed)


@pytest.mark.parametrize("seed", [2**70, np.int64(5), [2**64, None], np.array([4, 5])])
def test_any_whole_number_is_a_seed(seed: Any) -> None:
    first, again = (make().reset(seed=seed)[0]["next"] for _ in range(2))
    assert (first[0] == again[0]).all()


@pytest.mark.parametrize(
    ("part", "printed"),
    [
        ("### Many games at once", r"\(8, 24, 10\) \d+ lines\n"),
        ("### Two players a game", r"\d+ lines sent, \d+ received\n"),
    ],
)
def test_the_programs_in_the_readme_run(part: str, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With fewer games, as plain Python is slow."""
    text = (Path(tools.bots.__file__).parent / "README.md").read_text(encoding="utf-8")
    program = text.split(part)[1].split("```python\n")[1].split("```")[0]
    exec(compile(program.replace("4096", "8"), "README.md", "exec"), {})
    assert re.fullmatch(printed, capsys.readouterr().out)


class TestRotations:
    @pytest.fixture
    def positions(self) -> list[tuple[Manipulation, Any]]:
        """Return Tetriminos that fit among random Blocks, and the batch's columns with walls."""
        from tools.bots.batch import blocks
        from tools.bots.strong import columns

        chance = random.Random(1)
        found: list[tuple[Manipulation, Any]] = []
        while len(found) < 400:
            one = Manipulation()
            for y in range(6):
                one.matrix.set_row(y, bytes(8 * (chance.random() < 0.4) for _ in range(10)))
            wide = columns.make_scratch().wide
            columns.widen(read_columns(read_cells(one.matrix)), wide)
            piece, x, y, facing = (chance.randrange(*ends) for ends in ((1, 8), (-1, 8), (0, 5), (0, 4)))
            fits = one.place(piece, x, y, facing)
            assert fits == blocks.fits(wide, piece, facing, x, y)
            if fits:
                found.append((one, wide))
        return found

    def test_rotations_lead_where_those_of_the_engine_lead(self, positions: Any) -> None:
        from tools.bots.batch import places

        points = set()
        for one, wide in positions:
            clockwise = one.x & 1
            point, x, y = places.turn(wide, one.piece, one.facing, one.x, one.y, clockwise)
            assert (one.turn(clockwise), one.x, one.y) == (point + 1, x, y)
            points.add(point)
        assert points == {-1, 0, 1, 2, 3, 4}

    def test_a_t_spins_where_it_spins_in_the_engine(self, positions: Any) -> None:
        """With and without rotation point 5."""
        from tools.bots.batch import games

        spins = set()
        for one, wide in positions:
            if one.piece == T:
                for fifth in (False, True):
                    one.turned_last, one.point_5_used = True, fifth
                    spins.add((one.spin(), fifth))
                    assert games.rate_spin(wide, one.facing, one.x, one.y, fifth) == one.spin()
        assert len(spins) == 5


class TestMatches:
    """`Skyline-Versus-v0` plays as firmware/match/ does."""

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
    def test_random_steps_equal_those_of_a_match(self, options: dict[str, Any]) -> None:
        """Observations, masks, rewards and ends, and each field of games, seats and flights."""
        assert check_matches(make(4, name=VERSUS, **options), steps=45, **options)["ends"]

    @pytest.mark.slow
    def test_attacks_equal_those_of_a_match(self) -> None:
        """Tetrises and Back-to-Back: lines fly, are cancelled, and rise."""
        batch = make(name=VERSUS, spins=True, reward="sent")
        rows = ["#########."] * 12
        happened = check_matches(batch, 24, choose=choose_well(batch, 24), stack=rows, spins=True, reward="sent")
        assert happened["received"] > 3 and happened["countered"] > 3

    def test_who_stays_longer_wins_and_both_episodes_end(self) -> None:
        """Half a second later, with rewards that sum up to 0; the next step begins a new match."""
        envs = make(name=VERSUS, reward="win", pace_ms=300)
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

    def test_opponents_have_the_same_tetriminos_and_begin_together(self) -> None:
        envs = make(4, name=VERSUS)
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
    def test_options_that_matches_do_not_have_get_one_line(self, options: dict[str, Any], problem: str) -> None:
        with pytest.raises(ValueError, match=f"^{problem}[^\n]*$"):
            make(name=VERSUS, **options)
