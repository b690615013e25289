"""The strong player and the players it is compared with: what they find, in what time, and how often it wins."""

import copy
import json
import os
import pickle
import platform
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite.binding import get_host_cpu_name

from firmware.tetress.game import ACTIONS, LONGEST, Game
from tests.support import needs, running
from tests.support.turns import turn
from tests.tetress.tetress_positions import BLOCKED, legal, middle_games, position
from tools.numba_cache import Compiler
from tools.tetress import match, search
from tools.tetress.agent import LEAST_POSITIONS, Agent, colour_number
from tools.tetress.notation import NotationError, action_of, cells_of
from tools.tetress.players import PLAYERS, Greedy, Two, find_player


def rows_of(game: Game) -> np.ndarray:
    """Return the token rows of a position, those of the player to move first, as the search takes them."""
    return np.array([game.tokens[game.played & 1], game.tokens[game.played & 1 ^ 1]], np.int64)


def root(game: Game, depth: int) -> tuple[int, int]:
    """Search to a depth, by mobility alone; return the best action and its score."""
    actions = np.array(legal(game), np.int64)
    scores = np.zeros(len(actions), np.int64)
    limits, weights = np.array([0, 10**9, 0], np.int64), np.array((1, 0, 0, 0, 0), np.int64)
    killers, seen = np.full((search.DEEPEST + 2, 2), -1, np.int64), np.zeros((1 << 12, 2), np.int64)
    stack = search.make_stack()
    rows = rows_of(game)
    assert len(actions) == search.search_root(
        rows, game.played, depth, actions, scores, limits, seen, killers, weights, stack
    )
    best = int(np.argmax(scores))
    return int(actions[best]), int(scores[best])


def minimax(game: Game, depth: int) -> int:
    """Return the score of a position for the player to move, by plain minimax."""
    if game.over:
        ahead = (game.count(0) - game.count(1)) * (-1) ** (game.played & 1)
        return -1_000_000 if game.is_blocked() or ahead < 0 else 1_000_000 * (ahead > 0)
    if not depth:
        other = copy.deepcopy(game)
        other.played += 1
        other.find()
        return len(legal(game)) - len(legal(other))
    best = -2_000_000
    for action in legal(game):
        after = copy.deepcopy(game)
        after.play(action)
        best = max(best, -minimax(after, depth - 1))
    return best


def late_position(seed: int, most: int) -> Game:
    """Return a position of a random game with 2 to `most` legal actions."""
    choice = random.Random(seed)
    while True:
        game = Game()
        while not game.over:
            game.play(choice.choice(legal(game)))
            if not game.over and game.played > 10 and 2 <= len(legal(game)) <= most:
                return game


class TestSearch:
    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(4))
    def test_search_finds_the_legal_actions_and_positions_of_the_game(self, seed: int) -> None:
        choice = random.Random(seed)
        game = Game()
        listed = np.empty(ACTIONS, np.int32)
        counts = np.zeros(4, np.int64)
        after = np.zeros((2, 11), np.int64)
        while not game.over:
            rows = rows_of(game)
            count = search.list_actions(rows[0], rows[1], game.played < 2, listed)
            assert sorted(listed[:count]) == legal(game)
            if game.played > 1:
                search.count_actions(rows[0], rows[1], counts)
                assert counts[0] == count
            action = choice.choice(legal(game))
            search.play(rows, action, after)
            game.play(action)
            assert (after == rows_of(game)).all()

    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("depth", [1, 2])
    def test_alpha_beta_finds_the_score_of_minimax(self, seed: int, depth: int) -> None:
        game = late_position(seed, 24)
        _, score = root(game, depth)
        exact = minimax(game, depth)
        assert score == exact or (abs(exact) == 1_000_000 and score * exact > 0 and abs(score) > 999_000)

    def test_search_finds_the_quickest_win(self) -> None:
        game = position(BLOCKED, 3)
        action, score = root(game, 3)
        game.play(action)
        assert score == search.WON - 1 and game.over

    @pytest.mark.parametrize("seed", range(5))
    def test_the_player_two_finds_the_score_of_the_search(self, seed: int) -> None:
        game = late_position(seed, 40)
        _, score = root(game, 2)
        game.play(int(search.look_two(rows_of(game), game.played, np.array(legal(game), np.int64))))
        value = -minimax(game, 1)
        assert value == score or (abs(value) == 1_000_000 and abs(score) > 999_000)


def test_a_lead_in_tokens_counts_more_and_more_late_in_the_game() -> None:
    """Red has seven tokens, Blue two, and only tokens count."""

    def worth(played: int, token: int = 60) -> int:
        rows = rows_of(position("RRRRRRR....\nBB.........", played))
        return int(search.weigh(rows, played, 0, np.array((0, 0, 0, 0, token), np.int64)))

    assert worth(2) == 0
    assert all(worth(played) == 5 * (played - search.LATE) for played in range(search.LATE, LONGEST, 2))
    assert worth(LONGEST - 1) == -worth(LONGEST - 1, -60) < 0


class Clock:
    """A clock that advances only with the positions that an agent has searched."""

    def __init__(self, positions_a_second: int) -> None:
        self.each_s = 1 / positions_a_second
        self.now_s = 0.0
        self.seen = 0
        self.agent: Agent | None = None

    def __call__(self) -> float:
        searched = self.agent.searched if self.agent else 0
        self.now_s += self.each_s * (searched - self.seen if searched > self.seen else 0)
        self.seen = searched
        return self.now_s


def timed(seconds: float, positions_a_second: int) -> tuple[Agent, Clock]:
    clock = Clock(positions_a_second)
    agent = Agent("red", seconds, clock=clock)
    clock.agent = agent
    agent.speed = positions_a_second
    return agent, clock


class TestTime:
    @pytest.mark.parametrize(("positions_a_second", "middle_s"), [(1_000_000, 100), (300_000, 0)])
    def test_every_action_is_worth_20_000_positions(self, positions_a_second: int, middle_s: int) -> None:
        agent, clock = timed(180, positions_a_second)
        shares_s = []
        for played in range(0, LONGEST, 2):
            agent.game.played = played
            shares_s.append(agent.share_s())
            clock.now_s += shares_s[-1]
        assert min(shares_s) * positions_a_second >= LEAST_POSITIONS
        assert sum(shares_s[5:30]) > middle_s and clock.now_s < 180

    def test_it_searches_20_000_positions_late_in_a_long_game(self) -> None:
        agent, clock = timed(180, 300_000)
        agent.game = middle_games(1)[0]
        agent.game.played = 120
        clock.now_s = 178.0
        agent.choose()
        assert agent.searched >= LEAST_POSITIONS

    def test_it_plays_a_whole_legal_game_within_its_time(self) -> None:
        agent, clock = timed(2, 500_000)
        game = Game()
        choice = random.Random(1)
        while not game.over:
            cells = cells_of(choice.choice(legal(game))) if game.played & 1 else agent.choose()
            assert len(cells) == 4 and game.play(action_of(cells)) == 0
            agent.update(game.played & 1 ^ 1, cells)
        assert clock() < 2 and game.over == 1

    def test_the_time_that_the_referee_passes_counts(self) -> None:
        agent, _ = timed(180, 300_000)
        agent.game = middle_games(1)[0]
        agent.choose(seconds_left=10)
        few = agent.searched
        assert 9 < agent.left_s() < 10
        agent.choose(seconds_left=20)
        assert agent.searched > few and 18 < agent.left_s() < 20

    def test_an_agent_can_search_a_number_of_positions_without_a_clock(self) -> None:
        agent = Agent("red", positions=5000, clock=lambda: 0.0)
        agent.game = middle_games(1)[0]
        agent.choose()
        assert 5000 <= agent.searched < 5000 + ACTIONS


class TestAgent:
    def test_an_agent_out_of_time_still_answers(self) -> None:
        agent = Agent(1, seconds=0.001)
        agent.update("red", [(6, 3), (7, 2), (7, 3), (7, 4)])
        assert agent.game.find_fault(action_of(agent.choose())) == 0

    def test_an_agent_accepts_other_forms_of_colours_and_cells(self) -> None:
        assert [colour_number(name) for name in ("red", "RED", "Blue", 0, 1, "1")] == [0, 0, 1, 0, 1, 1]
        assert colour_number(SimpleNamespace(name="BLUE")) == 1  # type: ignore[arg-type]
        agent = Agent("blue", seconds=1)
        agent.update("red", [SimpleNamespace(r=r, c=c) for r, c in ((6, 3), (7, 2), (7, 3), (7, 4))])
        assert agent.game.played == 1

    @pytest.mark.parametrize("colour", ["green", 2, None, ""])
    def test_an_invalid_colour_is_refused(self, colour: object) -> None:
        with pytest.raises(ValueError, match="is not a colour"):
            Agent(colour)  # type: ignore[arg-type]

    def test_illegal_updates_are_refused(self) -> None:
        agent = Agent("red", seconds=1)
        with pytest.raises(NotationError, match="not the turn of Blue"):
            agent.update("blue", cells_of(0))
        agent.update("red", cells_of(0))
        with pytest.raises(NotationError, match="occupied"):
            agent.update("blue", cells_of(0))
        with pytest.raises(NotationError, match="turn of Blue"):
            agent.choose()

    def test_the_last_action_is_chosen_for_tokens(self) -> None:
        lines = "...........\n" * 4 + "RRRRRRR....\n" + "BB.........\n" + "...........\n" * 4 + "RRRR......."
        game = position(lines, LONGEST - 1)
        game.tokens[1][4] |= 0b111 << 8
        game.find()
        agent = Agent("blue", seconds=2)
        agent.game = game
        game.play(action_of(agent.choose()))
        assert not game.token(4, 0)


# Memory that a player needs besides Python with NumPy: VmPeak minus VmSize before, as the course's referee counts.
PEAK = """
import numpy
from tools.tetress.match import address_space_mb
before_mb = address_space_mb("VmSize")
from tools.tetress.agent import Agent
agent = Agent("blue", 3)
agent.update("red", [(6, 3), (7, 2), (7, 3), (7, 4)])
agent.choose()
print(address_space_mb("VmPeak") - before_mb)
"""
# conftest.py gives later processes a cache of their own; players must share ours.
ENVIRONMENT = {"XDG_CACHE_HOME": str(search.compiled.folder.parents[2])}
needs_vm_peak = needs.system(match.address_space_mb("VmPeak"), "the memory of a process")


def run_peak(**environment: str) -> tuple[float, str]:
    """Let a player choose in its own process; return its memory in MB and its stderr."""
    found = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = running.run_python("-c", PEAK, check=True, env={**found, **ENVIRONMENT, **environment})
    return float(done.stdout), done.stderr


def check_cold(peak_mb: float, stderr: str) -> None:
    assert peak_mb < 210 and "compiling the search" in stderr


@pytest.fixture(scope="module", autouse=True)
def cold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """If the search is not compiled, let a player compile it; return the file with its memory and stderr."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    note = base / "cold.json"
    with turn(base / "cold.lock"):  # one process compiles, the others wait
        if not search.compiled.is_ready():
            note.write_text(json.dumps(run_peak()), encoding="utf-8")
    return note


def rename_mark(part: str) -> Callable[[Compiler], object]:
    """Return a change of the mark to that of another Python, Numba or processor."""
    return lambda compiler: compiler.find_mark().rename(str(compiler.find_mark()).replace(part, "other"))


CHANGES: dict[str, Callable[[Compiler], object]] = {
    "one's own": lambda compiler: None,
    "numba": rename_mark(numba.__version__),
    "processor": rename_mark(get_host_cpu_name()),
    "python": rename_mark(platform.python_version()),
    "unmarked": lambda compiler: compiler.find_mark().unlink(),
    "damaged mark": lambda compiler: compiler.find_mark().write_bytes(b"{"),
    "damaged": lambda compiler: next(compiler.folder.rglob("search.search_root*.1.nbc")).write_bytes(b"\x80"),
    "gone": lambda compiler: next(compiler.folder.rglob("search.search_root*.1.nbc")).unlink(),
}


class TestCompiled:
    @pytest.mark.parametrize("name", CHANGES)
    def test_only_unchanged_functions_count_as_compiled(self, name: str, tmp_path: Path) -> None:
        compiler = copy.copy(search.compiled)
        compiler.folder = tmp_path / "compiled"
        shutil.copytree(search.compiled.folder, compiler.folder)
        CHANGES[name](compiler)
        assert compiler.is_ready() == (name == "one's own")

    def test_a_changed_source_has_functions_of_its_own(self, tmp_path: Path) -> None:
        source = tmp_path / "search.py"
        folders = set()
        for text in ("a", "b", "a"):
            source.write_text(text, encoding="utf-8")
            folders.add(Compiler("tetress", [source]).folder)
        assert len(folders) == 2

    @needs_vm_peak
    def test_a_player_takes_less_than_210_mb_cold(self, cold: Path) -> None:
        """As the course's referee counts. The search is compiled and measured only once."""
        if not cold.exists():
            needs.skip_done("compiled and measured by an earlier run; `-m long` compiles it again")
        check_cold(*json.loads(cold.read_text(encoding="utf-8")))

    @pytest.mark.long
    @needs_vm_peak
    def test_a_player_takes_less_than_210_mb_cold_again(self, tmp_path: Path) -> None:
        check_cold(*run_peak(XDG_CACHE_HOME=str(tmp_path)))

    @pytest.mark.slow
    @needs_vm_peak
    def test_a_player_takes_less_than_210_mb_warm(self) -> None:
        peak_mb, stderr = run_peak()
        assert peak_mb < 210 and stderr == ""


def play_out(players: list[Any], most: int = LONGEST) -> Game:
    """Let two players play to the end, or `most` actions; return the game."""
    game = Game()
    while not game.over and game.played < most:
        mover = game.played & 1
        action = action_of(players[mover].choose())
        assert game.play(action) == 0
        if not game.over:
            for player in players:
                player.update(mover, cells_of(action))
    return game


class TestPlayers:
    def test_greedy_clears_the_line_with_the_best_token_difference(self) -> None:
        greedy = Greedy("red")
        greedy.game = game = position("BBBBBBB....\nRR.........")
        game.tokens[0][0] |= 1 << 7
        game.find()
        before = pickle.dumps((game.tokens, game.played))
        action = action_of(greedy.choose())
        assert pickle.dumps((game.tokens, game.played)) == before
        game.play(action)
        assert game.lines == 1

    @pytest.mark.parametrize("name", ["random", "greedy", "two", "level1", "level2"])
    def test_every_choice_is_legal(self, name: str) -> None:
        play_out([find_player(name)(colour, 5.0, 3) for colour in (0, 1)], 24)

    def test_the_player_two_begins_at_random(self) -> None:
        assert len({Two("red", 1.0, seed).choose() for seed in range(5)}) > 1

    def test_all_players_have_names(self) -> None:
        assert list(PLAYERS) == ["strong", "random", "greedy", "two", "level1", "level2", "level3", "level4"]

    @pytest.mark.long
    @pytest.mark.parametrize(("name", "least"), [("random", 95), ("greedy", 90), ("two", 80)])
    def test_strong_wins_as_often_as_asked(self, name: str, least: int) -> None:
        """At 20,000 positions an action, for 100 games."""
        won = 0
        for number in range(100):
            colour = number & 1
            players: list[Any] = [find_player(name)(1 - colour, 0.0, number)]
            players.insert(colour, Agent(colour, positions=LEAST_POSITIONS))
            won += play_out(players).over == colour + 1
        assert won >= least
