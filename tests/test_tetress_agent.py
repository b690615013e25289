"""The strong player and those it is measured against, one by one and in matches."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("numba")

import numpy as np

from firmware.tetress.game import ACTIONS, LONGEST, Game
from tests.test_tetress_rules import BLOCKED, legal, position
from tools.interpreters import ROOT
from tools.tetress import match, search
from tools.tetress.__main__ import main
from tools.tetress.agent import Agent, colour_number
from tools.tetress.notation import NotationError, action_of, cells_of, read_transcript
from tools.tetress.players import PLAYERS, Greedy, Two, find_player


def rows_of(game: Game) -> np.ndarray:
    """Return a position as the search takes it."""
    return np.array([game.tokens[game.played & 1], game.tokens[game.played & 1 ^ 1]], np.int64)


def root(game: Game, depth: int, weights: tuple[int, ...] = (1, 0, 0, 0)) -> tuple[int, int]:
    """Search to a depth; return the best action and what it is worth."""
    actions = np.array(legal(game), np.int64)
    scores = np.zeros(len(actions), np.int64)
    limits = np.array([0, 10**9, 0], np.int64)
    killers = np.full((search.DEEPEST + 2, 2), -1, np.int64)
    done = search.search_root(
        rows_of(game), game.played, depth, actions, scores, limits, np.zeros((1 << 12, 3), np.int64), killers,
        np.array(weights, np.int64), search.make_stack(),
    )  # fmt: skip
    assert done == len(actions)
    best = int(np.argmax(scores))
    return int(actions[best]), int(scores[best])


def plain(game: Game, depth: int) -> int:
    """Return what a position is worth to the player to move, without any cleverness."""
    if game.over:
        ahead = game.count(0) - game.count(1)
        if not game.is_blocked():
            ahead = ahead if game.played & 1 == 0 else -ahead
            return 0 if not ahead else 1_000_000 if ahead > 0 else -1_000_000
        return -1_000_000
    if not depth:
        mine = len(legal(game))
        other = position_like(game)
        other.played += 1
        other.find()
        return mine - len(legal(other))
    best = -2_000_000
    for action in legal(game):
        after = position_like(game)
        after.play(action)
        best = max(best, -plain(after, depth - 1))
    return best


def position_like(game: Game) -> Game:
    """Return a copy of a position."""
    copy = Game()
    for colour in (0, 1):
        copy.tokens[colour][:] = game.tokens[colour]
    copy.played = game.played
    copy.find()
    return copy


def late(seed: int, most: int) -> Game:
    """Return a position of a random game with at most so many legal actions."""
    choice = random.Random(seed)
    while True:
        game = Game()
        while not game.over:
            game.play(choice.choice(legal(game)))
            if not game.over and game.played > 10 and 2 <= len(legal(game)) <= most:
                return game


class TestSearch:
    @pytest.mark.parametrize("seed", range(4))
    def test_it_knows_the_same_legal_actions_and_leads_to_the_same_positions(self, seed: int) -> None:
        choice = random.Random(seed)
        game = Game()
        listed = np.empty(ACTIONS, np.int64)
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
    def test_alpha_beta_finds_what_looking_at_everything_finds(self, seed: int, depth: int) -> None:
        game = late(seed, 24)
        _, score = root(game, depth)
        exact = plain(game, depth)
        assert score == exact or (abs(exact) == 1_000_000 and score * exact > 0 and abs(score) > 999_000)

    def test_a_win_is_found_and_a_quick_one_preferred(self) -> None:
        game = position(BLOCKED, 3)
        action, score = root(game, 3)
        assert score == search.WON - 1
        game.play(action)
        assert game.over

    def test_two_finds_the_same_as_search(self) -> None:
        for seed in range(5):
            game = late(seed, 40)
            _, score = root(game, 2)
            chosen = search.look_two(rows_of(game), game.played, np.array(legal(game), np.int64))
            after = position_like(game)
            after.play(int(chosen))
            value = -plain(after, 1)
            assert value == score or (abs(value) == 1_000_000 and abs(score) > 999_000)


class TestAgent:
    def test_it_plays_a_whole_legal_game_within_its_time(self) -> None:
        agent = Agent("red", seconds=2)
        game = Game()
        choice = random.Random(1)
        while not game.over:
            if game.played & 1 == 0:
                cells = agent.choose()
                assert len(cells) == 4
                action = action_of(cells)
            else:
                action = choice.choice(legal(game))
            assert game.play(action) == 0
            agent.update(game.played & 1 ^ 1, cells_of(action))
        assert agent.left_s() > 0
        assert game.over == 1

    def test_out_of_time_it_still_answers(self) -> None:
        agent = Agent(1, seconds=0.001)
        agent.update("red", [(6, 3), (7, 2), (7, 3), (7, 4)])
        assert agent.game.judge(action_of(agent.choose())) == 0

    def test_any_referee_may_name_colours_and_cells_its_own_way(self) -> None:
        assert [colour_number(name) for name in ("red", "RED", "Blue", 0, 1, "1")] == [0, 0, 1, 0, 1, 1]
        assert colour_number(SimpleNamespace(name="BLUE")) == 1  # type: ignore[arg-type]
        agent = Agent("blue", seconds=1)
        agent.update("red", [SimpleNamespace(r=r, c=c) for r, c in ((6, 3), (7, 2), (7, 3), (7, 4))])
        assert agent.game.played == 1

    @pytest.mark.parametrize("colour", ["green", 2, None, ""])
    def test_no_colour_is_told(self, colour: object) -> None:
        with pytest.raises(ValueError, match="is no colour"):
            Agent(colour)  # type: ignore[arg-type]

    def test_illegal_updates_are_told(self) -> None:
        agent = Agent("red", seconds=1)
        with pytest.raises(NotationError, match="not the turn of Blue"):
            agent.update("blue", cells_of(0))
        agent.update("red", cells_of(0))
        with pytest.raises(NotationError, match="occupied"):
            agent.update("blue", cells_of(0))
        with pytest.raises(NotationError, match="turn of Blue"):
            agent.choose()

    def test_it_takes_less_than_250_mb(self) -> None:
        """In a process of its own, compiled before."""
        pytest.importorskip("resource")
        script = (
            "import sys; sys.path.append(sys.argv[1]); from tools.tetress.agent import Agent; "
            "a = Agent(1, 3); a.update(0, [(6,3),(7,2),(7,3),(7,4)]); a.choose(); "
            "from tools.tetress.match import memory_mb; print(memory_mb())"
        )
        # The first run leaves what Numba compiled, which takes more: a player warms up before a match.
        for _ in range(2):
            done = subprocess.run([sys.executable, "-c", script, str(ROOT)], capture_output=True, text=True, check=True)
        assert float(done.stdout) < 250

    def test_last_action_is_played_for_tokens(self) -> None:
        lines = "...........\n" * 4 + "RRRRRRR....\n" + "BB.........\n" + "...........\n" * 4 + "RRRR......."
        game = position(lines, LONGEST - 1)
        game.tokens[1][4] |= 0b111 << 8
        game.find()
        agent = Agent("blue", seconds=2)
        agent.game = game
        game.play(action_of(agent.choose()))
        assert not game.token(4, 0)


class TestPlayers:
    def test_greedy_takes_the_line_that_leaves_it_most_tokens_ahead(self) -> None:
        lines = "BBBBBBB....\n" + "RR.........\n" + "...........\n" * 9
        greedy = Greedy("red")
        greedy.game = position(lines)
        greedy.game.tokens[0][0] |= 1 << 7
        greedy.game.find()
        before = ([list(rows) for rows in greedy.game.tokens], greedy.game.played)
        action = action_of(greedy.choose())
        assert ([list(rows) for rows in greedy.game.tokens], greedy.game.played) == before
        greedy.game.play(action)
        assert greedy.game.lines == 1

    @pytest.mark.parametrize("name", ["random", "greedy", "two", "level1", "level2"])
    def test_every_choice_is_legal(self, name: str) -> None:
        players = [find_player(name)(colour, 5.0, 3) for colour in (0, 1)]
        game = Game()
        while not game.over and game.played < 24:
            action = action_of(players[game.played & 1].choose())
            assert game.play(action) == 0
            for player in players:
                player.update(game.played & 1 ^ 1, cells_of(action))

    def test_two_begins_by_chance(self) -> None:
        assert len({Two("red", 1.0, seed).choose() for seed in range(5)}) > 1

    def test_all_have_names(self) -> None:
        assert list(PLAYERS) == ["strong", "random", "greedy", "two", "level1", "level2", "level3", "level4"]


class Wrong:
    """A player that plays what is not allowed."""

    def __init__(self, colour: int) -> None:
        pass

    def choose(self) -> list[tuple[int, int]]:
        return [(0, 0), (0, 1), (0, 2), (0, 3)]

    def update(self, colour: int, cells: object) -> None:
        pass


class TestMatch:
    def test_a_match_prints_its_table_and_keeps_its_games(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["match", "random", "level1", "--games", "4", "--quiet", "--save", str(tmp_path)]) == 0
        lines = capsys.readouterr().out.splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        assert [row[0] for row in cells[2:]] == ["random", "level1"]
        assert sum(int(row[1]) for row in cells[2:]) + int(cells[2][4]) == 4
        for path in sorted(tmp_path.glob("*.txt")):
            assert read_transcript(path.read_text(encoding="utf-8"))
        assert len(list(tmp_path.iterdir())) == 4

    def test_an_action_against_the_rules_loses(self) -> None:
        seen: list[str] = []
        match.play_match(
            ("random", "tests.test_tetress_agent:Wrong"), 2, 1.0, 1, lambda _n, result, _t: seen.append(result.reason)
        )
        assert all("occupied" in reason or "adjacent" in reason or reason == "" for reason in seen)
        assert any(seen)

    def test_a_player_that_fails_ends_the_match(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["match", "random", "fractions:Fraction", "--games", "2", "--quiet"]) == 2
        assert "fractions:Fraction: " in capsys.readouterr().err

    @pytest.mark.long
    @pytest.mark.parametrize(("name", "least"), [("random", 95), ("greedy", 90), ("two", 80)])
    def test_strong_wins_as_often_as_asked(self, name: str, least: int) -> None:
        """With a thirtieth of its time, for 100 games."""
        tallies = match.play_match(("strong", name), 100, 6.0, 1, lambda *_: None)
        assert sum(tallies[0].won) >= least
