"""Tables of attacks: figures of their sources, files, and where the tables count."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.match.attack import count_lines
from sim.bots.attacks import GUIDELINE, find_attacks, list_names
from sim.bots.host import Host
from sim.bots.protocol import Move
from tests.support import needs
from tests.support.arena import Arena
from tests.support.batches import set_rows
from tests.support.handhelds.command_lines import refused
from tools.bots.__main__ import main
from tools.bots.bot_server import InProcessBot
from tools.bots.plain_bot import PlainBot

NONE, MINI, FULL = range(3)
L = 3


def count(name: str, spin: int, lines: int, chain: int = 0, combo: int = 0, empty: bool = False) -> int:
    return find_attacks(name).count_lines(spin, lines, chain, combo, empty)


def test_match_rules_all_readers_count_by_one_record() -> None:
    """A match, a bot's host and the arrays of batch and search have the guideline's numbers from the same file."""
    attacks = find_attacks(GUIDELINE)
    assert attacks.numbers == tuple(Arena().match.attacks)
    for spin, lines, chain in itertools.product(range(3), range(1, 5), range(2)):
        assert attacks.expand()[spin][lines][chain] == (count_lines(attacks.numbers, spin, lines, chain),)


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

    def test_match_rules_a_mini_breaks_the_sequence(self) -> None:
        """Its engine knows spins that cannot move, which are not Minis, and all others count like none."""
        follow = find_attacks("botris").follow_chain
        assert [follow(MINI, lines, 3) for lines in range(5)] == [3, 0, 0, 0, 4] and follow(FULL, 1, 3) == 4

    def test_match_rules_every_cell_is_that_of_its_engine(self) -> None:
        """The engine's rules in other words; for Spins and for all that is none to it."""
        for spin, lines, chained, combo, empty in itertools.product(range(3), range(5), (0, 1, 9), range(14), (0, 1)):
            stuck = spin == FULL
            if stuck and lines == 4:
                continue  # no T clears four lines
            sent = (0, 2, 4, 6)[lines] if stuck else (0, 0, 1, 2, 4)[lines]
            sent += chained > 0 and (stuck or lines == 4)
            sent += (0, 0, 1, 1, 1, 2, 2, 3, 3, 4)[min(combo, 9)]
            sent = 10 if empty else sent
            assert count("botris", spin, lines, chained, combo, bool(empty)) == (sent if lines else 0)


class TestLockDowns:
    """A table counts a game's Lock Downs."""

    def play(self, name: str, *heights: int) -> list[int]:
        """Drop an I beside each number of nearly full rows; return the lines that each sends."""
        sent = []

        class Counting(Mode):
            chain = 0

            def complete(self, game: Game) -> None:
                attacks = find_attacks(name)
                sent.append(attacks.count_lock_down(game, self.chain))
                self.chain = attacks.follow_chain(game.spun, game.cleared, self.chain)

        game = Game(1, None, Counting())
        game.start(0)
        game.advance(0)
        for height in heights:
            set_rows(game, *["#########."] * height)
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


LINES = "none: 0 1 2 3\nmini: 0 1 2 3\nfull: 0 1 2 3\n"


class TestFiles:
    def write(self, tmp_path: Path, content: str) -> str:
        path = tmp_path / "mine.txt"
        path.write_text(content, encoding="utf-8")
        return str(path)

    def test_a_file_needs_lines_alone(self, tmp_path: Path) -> None:
        assert count(self.write(tmp_path, "# mine\n\n  # and so on\n" + LINES), MINI, 3, 5, 5, True) == 2

    def test_match_rules_a_file_has_all_parts_of_a_table(self, tmp_path: Path) -> None:
        """An all-clear adds 3; a combo multiplies by 1.5 and 2, sends 2 at least, and adds 1; Triples chain."""
        words = "combo: 0 1\nleast: 0 2 2 2\ntimes: 50\ngrow: 1000 3000\nall-clear: 3\n"
        path = self.write(tmp_path, words + LINES.replace("2 3\nmini", "2+1 3\nmini"))
        assert [count(path, NONE, 3, 0, combo) for combo in range(4)] == [2, 3 + 1, 4 + 1, 5 + 1]
        assert [count(path, NONE, 3, chain) for chain in range(4)] == [2, 3, 5, 5]
        assert [count(path, NONE, 1, 0, combo, True) for combo in (0, 1)] == [3, 2 + 1 + 3]

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ('{"lines": {}}', " is JSON, the form of older versions; tools/bots/README.md has today's"),
            ("hello", "'hello' is unknown; known are none, mini, full, "),
            ("none: 0 1 2 3", "it has no line `mini: `"),
            ("none: 0 1", "none needs four numbers, for 1 to 4 lines; 4+1 sends one more in a Back-to-Back"),
            ("none: 0 1 2 3+", "none needs four numbers, "),
            ("none: 0 1 2 x", "none needs four numbers, "),
            ("none: 0 1 2 101", "none needs numbers from 0 to 100"),
            ("combo: \u0661", "combo needs 1 to 32 numbers"),
            ("times: 1 2", "times needs one number"),
            ("combo: 1\ncombo: 1", "combo is there twice"),
        ],
    )
    def test_match_rules_a_wrong_file_gets_one_line(
        self, content: str, problem: str, tmp_path: Path, capsys: Any
    ) -> None:
        path = self.write(tmp_path, content)
        with pytest.raises(ValueError, match=r"^[^\n]+$") as raised:
            find_attacks(path)
        assert problem in str(raised.value)
        assert problem in refused(capsys, "host", "x", "--attacks", path, program="tools.bots host", run=main)

    def test_an_unknown_name_gets_one_line(self, capsys: Any) -> None:
        said = refused(capsys, "tbp", "--strong", "--attacks", "nix", program="tools.bots tbp", run=main)
        assert "there is no table 'nix'; there are guideline, modern, botris, tetrio, a FILE" in said

    def test_fill_takes_the_games_of_the_page_alone(self, capsys: Any) -> None:
        said = refused(capsys, "sent", "--fill", "--nodes", "7", program="tools.bots", run=main)
        assert said == "tools.bots: --fill goes with --games alone\n"

    @pytest.mark.slow
    def test_sent_has_a_row_for_each_table(self, capsys: Any) -> None:
        needs.demand_packages("numba")
        assert main(["sent", "--games", "1", "--pieces", "40", "--nodes", "100", "--jobs", "1"]) == 0
        rows = [line.split("|")[1:3] for line in capsys.readouterr().out.splitlines()[2:]]
        assert [name.strip() for name, _ in rows] == list_names()
        assert all(0 < float(lines) < 4 for _, lines in rows)

    def test_known_tables_are_listed(self) -> None:
        assert list_names() == [GUIDELINE, "modern", "botris", "tetrio"]


def test_a_host_counts_by_its_table(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("none: 9 9 9 9\nmini: 9 9 9 9\nfull: 9 9 9 9\n", encoding="utf-8")
    host = Host(InProcessBot(PlainBot()), 3, attacks=str(path))
    host.play(60)
    clears = [count for number, count in enumerate(host.game.statistics.kinds) if number % 5]
    assert host.mode.sent == 9 * sum(clears) > 9


@pytest.mark.parametrize(("name", "sent"), [(GUIDELINE, 1), ("custom-0", 1), ("modern", 12)])
def test_23_a_host_has_the_spins_of_its_table(name: str, sent: int) -> None:
    """An L that turns into its place, where it cannot move, clears all in a Back-to-Back."""
    host = Host(InProcessBot(PlainBot()), 3, attacks=name)
    host.game.start(0)
    host.wait()
    host.mode.chain = 1
    set_rows(host.game, "##.#######", "...#######")
    host.game.enter(L)
    host.take_new_pieces()
    host.move(Move(L, 0, 0, -1, MINI))
    assert host.mode.sent == sent
