"""Tables of attacks: figures of their sources, files, and where the tables count."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.match.attack import count_lines
from sim.bots.attacks import GUIDELINE, find_attacks, list_names
from sim.bots.host import Host
from tests.support import needs
from tests.support.handhelds.command_lines import refused
from tools.bots import env as environments
from tools.bots.__main__ import main
from tools.bots.bot_server import InProcessBot
from tools.bots.plain_bot import PlainBot

NONE, MINI, FULL = range(3)


def count(name: str, spin: int, lines: int, chain: int = 0, combo: int = 0, empty: bool = False) -> int:
    return find_attacks(name).count_lines(spin, lines, chain, combo, empty)


def test_the_guideline_table_is_that_of_matches() -> None:
    for spin in range(3):
        for lines in range(5):
            special = lines == 4 or lines > 0 and spin > 0
            for chain in (0, 1, 7) if special else (0,):
                assert count(GUIDELINE, spin, lines, chain, 9, True) == count_lines(spin, lines, chain)


class TestTetrio:
    """Figures of the table that TETR.IO's author published for its first season, and corrections by chouhy."""

    @pytest.mark.parametrize(
        ("spin", "lines", "sent"),
        [
            (NONE, 1, [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3]),
            (NONE, 2, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6]),
            (NONE, 3, [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12]),
            (NONE, 4, [*range(4, 25)]),
            (FULL, 2, [*range(4, 25)]),
        ],
    )
    def test_combos_multiply(self, spin: int, lines: int, sent: list[int]) -> None:
        assert [count("tetrio", spin, lines, 0, combo) for combo in range(21)] == sent

    def test_back_to_backs_in_a_row_grow(self) -> None:
        assert [count("tetrio", FULL, 2, chain, 1) for chain in range(1, 8)] == [6, 7, 8, 8, 8, 8, 8]

    def test_an_all_clear_sends_ten_more(self) -> None:
        assert count("tetrio", NONE, 4, 1, 0, True) == 15


class TestBotris:
    """Figures of its documentation and of its engine, libtris."""

    def test_clears_back_to_back_and_all_clear(self) -> None:
        assert [count("botris", NONE, lines) for lines in range(5)] == [0, 0, 1, 2, 4]
        assert [count("botris", FULL, lines) for lines in range(4)] == [0, 2, 4, 6]
        assert count("botris", NONE, 4, 1) == count("botris", NONE, 4, 9) == 5
        assert count("botris", NONE, 4, 1, 3, True) == 10

    def test_combos_add(self) -> None:
        assert [count("botris", NONE, 1, 0, combo) for combo in range(12)] == [0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4]


class TestLockDowns:
    """A table counts a game's Lock Downs."""

    def play(self, name: str, *heights: int) -> list[int]:
        """Drop an I beside each number of nearly full rows; return the lines that each sends."""
        sent = []

        class Counting(Mode):
            def complete(self, game: Game) -> None:
                sent.append(find_attacks(name).count_lock_down(game))

        game = Game(1, None, Counting())
        game.start(0)
        game.advance(0)
        for height in heights:
            game.matrix.clear()
            for y in range(height):
                game.matrix.set_row(y, b"\x08" * 9 + b"\0")
            game.enter(1)
            game.place(1, 7, game.y, 1)
            game.press(HARD_DROP)
            while not game.piece:
                game.advance(game.now_ms + 50)
        return sent

    def test_combos_and_chains_come_from_the_game(self) -> None:
        assert self.play(GUIDELINE, 4, 4, 4, 1) == [4, 5, 5, 0]
        assert self.play("botris", 4, 4, 4, 1) == [10, 10, 10, 1]
        assert self.play("tetrio", 4, 4) == [14, 16]


class TestFiles:
    def write(self, tmp_path: Path, content: object) -> str:
        path = tmp_path / "mine.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def test_a_file_needs_lines_alone(self, tmp_path: Path) -> None:
        lines = {spin: [0, 1, 2, 3, 4] for spin in ("none", "mini", "full")}
        assert count(self.write(tmp_path, {"lines": lines}), MINI, 3, 5, 5, True) == 3

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ("hello", "is not JSON"),
            ([], "it has no object `lines` with none, mini, full"),
            ({"lines": {"none": [0, 1, 2, 3, 4]}}, "lines of mini needs a list of 1 to 32 numbers"),
            ({"lines": {"none": [0, 1]}}, "lines of none needs 5 numbers, for 0 to 4 lines"),
            ({"lines": {"none": [0, 1, 2, 3, "4"]}}, "lines of none needs numbers from 0 to 100"),
            ({"lines": {}, "colour": 1}, "'colour' is unknown; known are lines, "),
        ],
    )
    def test_a_wrong_file_gets_one_line(self, content: object, problem: str, tmp_path: Path, capsys: Any) -> None:
        path = self.write(tmp_path, content)
        with pytest.raises(ValueError, match=r"^[^\n]+$") as raised:
            find_attacks(path)
        assert problem in str(raised.value)
        assert problem in refused(capsys, "host", "x", "--attacks", path, program="tools.bots host", run=main)

    def test_an_unknown_name_gets_one_line(self, capsys: Any) -> None:
        said = refused(capsys, "tbp", "--strong", "--attacks", "nix", program="tools.bots tbp", run=main)
        assert "there is no table 'nix'; there are guideline, botris, tetrio, a FILE" in said

    def test_fill_takes_the_games_of_the_page_alone(self, capsys: Any) -> None:
        said = refused(capsys, "sent", "--fill", "--nodes", "7", program="tools.bots", run=main)
        assert said == "tools.bots: --fill goes with --games alone\n"

    def test_sent_has_a_row_for_each_table_and_weights(self, capsys: Any) -> None:
        needs.demand_packages("numba")
        assert main(["sent", "--games", "1", "--pieces", "40", "--nodes", "100", "--jobs", "1"]) == 0
        rows = [line.split("|")[1:4] for line in capsys.readouterr().out.splitlines()[2:]]
        assert [(name.strip(), weights.strip()) for name, weights, _ in rows] == [
            *(("guideline", "guideline"), ("botris", "guideline"), ("botris", "botris")),
            *(("tetrio", "guideline"), ("tetrio", "tetrio")),
        ]
        assert all(0 < float(lines) < 4 for _, _, lines in rows)

    def test_known_tables_are_listed(self) -> None:
        assert list_names() == [GUIDELINE, "botris", "tetrio"]


def test_a_host_counts_by_its_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"lines": {spin: [0, 9, 9, 9, 9] for spin in ("none", "mini", "full")}}))
    host = Host(InProcessBot(PlainBot()), 3, attacks=str(path))
    host.play(60)
    clears = [count for number, count in enumerate(host.game.statistics.kinds) if number % 5]
    assert host.mode.sent == 9 * sum(clears) > 9


class TestEnvironment:
    def test_the_reward_sent_follows_the_table(self) -> None:
        for name, gained in ((GUIDELINE, 4), ("botris", 10), ("tetrio", 14)):
            env = environments.Placements(reward="sent", attacks=name)
            env.reset(seed=1)
            for y in range(4):
                env.game.matrix.set_row(y, b"\x08" * 9 + b"\0")
            env.game.enter(1)
            env = copy.deepcopy(env)
            assert env.step(1 * 10 + 9)[1] == gained

    @pytest.mark.parametrize(
        ("options", "line"),
        [
            ({"attacks": "nix"}, "there is no table 'nix'"),
            ({"attacks": "tetrio", "versus": 3}, "attacks and versus cannot be used together"),
        ],
    )
    def test_an_invalid_table_raises_one_line(self, options: dict[str, Any], line: str) -> None:
        with pytest.raises(ValueError, match=rf"^{line}[^\n]*$"):
            environments.Placements(**options)
