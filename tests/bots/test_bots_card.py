"""The benchmark card: its protocol, equal rows, every fault in one line, and the published table."""

import json
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.handhelds.bot_processes import SUGGEST, TBP, start, write_stub_bot
from tests.support.handhelds.command_lines import refused
from tools import markdown
from tools.bots import card
from tools.bots.__main__ import main
from tools.bots.arena import competitors
from tools.bots.arena.competitors import Conditions
from tools.bots.arena.watched_bot import WatchedBot
from tools.bots.card import SENT, SURVIVED, WINS
from tools.bots.match import Outcome
from tools.bots.tally import Tally
from tools.workers import Workers

SMALL = card.Protocol(games=2, pieces=20, matches=2)
CONDITIONS = ("cost", "version")


def play_row(who: str, jobs: int = 1, protocol: card.Protocol = SMALL) -> card.Row:
    name, player = card.read_player(who)
    with Workers(jobs) as workers:
        return card.fill_row(card.begin_row(name, protocol, 3500), player, protocol, workers, lambda: None)


def strip(row: card.Row) -> card.Row:
    return {key: value for key, value in row.items() if key not in CONDITIONS}


def make_row(name: str, sent: int, won: float = 0) -> card.Row:
    scores = {SENT: [sent] * 10, SURVIVED: [50] * 10, WINS: won}
    return {"name": name, "version": "1", "first": 9000, **card.FULL._asdict(), **scores}


class TestProtocol:
    """What is played never changes, or rows could not be compared."""

    def test_the_protocol_is_fixed(self) -> None:
        assert card.FULL == (10, 300, 100)
        assert [*card.FULL.list_seeds(SENT, 7)] == [*card.FULL.list_seeds(SURVIVED, 7)] == [*range(7, 17)]
        assert [*card.FULL.list_seeds(WINS, 7)] == [*range(7, 107)]
        assert (card.GARBAGE, card.RIVAL) == ((4, 7), 3)

    @pytest.mark.parametrize("who", ["random", pytest.param("dellacherie", marks=pytest.mark.long)])
    def test_equal_seeds_give_equal_rows(self, who: str) -> None:
        row = play_row(who)
        assert strip(row) == strip(play_row(who)) and len(row[SENT]) == len(row[SURVIVED]) == 2
        assert row["cost"] > 0 and row["version"]

    @pytest.mark.long
    def test_more_processes_give_the_same_row(self) -> None:
        assert strip(play_row("dellacherie", 2)) == strip(play_row("dellacherie"))

    def test_for_odd_seeds_the_player_has_the_second_seat(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def play_seats(players: list[Any], _seed: int) -> Outcome:
            tallies = [Tally(wins=float(player != card.RIVAL)) for player in players]
            return Outcome(0, tallies, [f"seat {number}" for number in range(2)], b"")

        monkeypatch.setattr(card, "play_seats", play_seats)
        player = card.read_player("5")[1]
        results = [card.play(card.Task(WINS, player, seed, 20)) for seed in (3500, 3501)]
        assert results == [(1.0, "seat 0", 0.0), (1.0, "seat 1", 0.0)]

    def test_a_game_that_ends_early_sends_nothing_more(self) -> None:
        row = make_row("", 30)
        assert (card.rate(row, SENT), card.rate(row, SURVIVED)) == (0.1, 50)

    @pytest.mark.parametrize(("won", "interval"), [(0, (0.0, 3.7)), (50, (40.4, 59.6)), (97.5, (92.3, 99.2))])
    def test_the_interval_is_wilsons(self, won: float, interval: tuple[float, float]) -> None:
        assert card.find_interval(won, 100) == pytest.approx(interval, abs=0.05)


class TestSeeds:
    """Nobody can know them before a run."""

    def test_each_row_draws_its_seeds_anew(self) -> None:
        assert len({card.begin_row("a", SMALL)["first"] for _ in range(20)}) == 20

    def test_a_player_that_knows_published_seeds_is_caught_by_a_second_run(self, monkeypatch, tmp_path, capsys) -> None:
        def play(task: card.Task) -> card.Result:
            knows = 3500 <= task.seed < 3600
            return card.Result(float(knows) if task.kind == WINS else 30 + 60 * knows + task.seed % 7)

        monkeypatch.setattr(card, "play", play)
        monkeypatch.setattr(card, "ROWS", tmp_path / "card.jsonl")
        with Workers(1) as workers:
            known = card.fill_row(card.begin_row("random", card.FULL, 3500), None, card.FULL, workers, lambda: None)
        card.write_rows(card.ROWS, [known])
        for seeds, caught in ((3500, 0), (9000, 3)):
            assert main(["card", "random", "--jobs", "1", "--seeds", str(seeds)]) == 0
            assert capsys.readouterr().out.count("does it know its seeds?") == caught

    def test_two_players_of_the_same_seeds_are_compared_in_pairs(self, monkeypatch, capsys) -> None:
        """The error is that of the differences, which is smaller than those of both."""

        def play(task: card.Task) -> card.Result:
            better = task.player.own == "dellacherie"
            return card.Result(
                better * task.seed % 2 if task.kind == WINS else task.seed % 7 + better * (1 + task.seed % 2)
            )

        monkeypatch.setattr(card, "play", play)
        assert main(["card", "dellacherie", "--against", "random", "--quick", "--jobs", "1"]) == 0
        lines = capsys.readouterr().out.splitlines()[-3:]
        assert lines[1:] == ["pieces survived: +1.500 ± 0.500 against random", "wins: +0.500 ± 0.289 against random"]

    def test_a_published_row_needs_a_committed_player(self, monkeypatch, tmp_path, capsys) -> None:
        monkeypatch.setattr(card, "find_version", lambda: "1 abc+")
        monkeypatch.setattr(card, "ROWS", tmp_path / "card.jsonl")
        said = refused(capsys, "card", "--fill", program="tools.bots", run=main)
        assert said.startswith("tools.bots: commit first")

    def test_all_lacking_rows_are_played_by_one_command(self, monkeypatch, tmp_path, capsys) -> None:
        """The first of them changes the files, which is no reason to refuse the second."""
        rows = tmp_path / "card.jsonl"
        monkeypatch.setattr(card, "find_version", lambda: "1 abc" + "+" * rows.exists())
        monkeypatch.setattr(card, "ROWS", rows)
        monkeypatch.setattr(card, "OWN_ROWS", ("random", "dellacherie"))
        monkeypatch.setattr(card, "play", lambda task: card.Result(task.seed % 2))
        monkeypatch.setattr(card, "fill_page", lambda *_given: None)
        assert main(["card", "--fill", "--jobs", "1"]) == 0
        assert [(row["name"], row["version"]) for row in card.read_rows(rows)] == [
            ("random", "1 abc"), ("dellacherie", "1 abc"),
        ]  # fmt: skip


class TestOutside:
    """Programs of others play by their commands, and may think before each question."""

    def test_a_bot_thinks_for_its_cpu_time_and_else_stands_still(self, tmp_path: Path) -> None:
        text = """
import threading
def ponder():
    while True: pass
threading.Thread(target=ponder, daemon=True).start()
queue = greet()
say(type="suggestion", moves=[drop(queue[0])])
wait_for("suggest")
say(type="suggestion", moves=[drop(queue[1])])
wait_for("quit")
"""
        bot = WatchedBot(write_stub_bot(tmp_path, text), 10, 10_000, 2048)
        bot.think_ms = 150
        with bot:
            bot.greet()
            bot.send(start("IO"))
            for _ in range(2):
                spent_s = bot.spent_s
                bot.send(SUGGEST)
                bot.receive("suggestion")
                assert bot.spent_s - spent_s > 0.13
                program = psutil.Process(bot.process.pid).children()[0]
                for _ in range(900):
                    if program.status() == psutil.STATUS_STOPPED:
                        break
                    time.sleep(0.01)
                assert program.status() == psutil.STATUS_STOPPED
        assert bot.process.returncode == 0

    @pytest.mark.slow
    def test_a_row_has_the_name_version_and_command_that_played(self, monkeypatch, capsys) -> None:
        monkeypatch.setattr(card, "QUICK", card.Protocol(1, 2, 0))
        monkeypatch.setattr(card, "find_version", lambda: "here")
        command = f"{TBP} --level 1"
        assert main(["card", command, "--quick", "--json", "--think", "10", "--jobs", "1", "--seeds", "9000"]) == 0
        row = json.loads(capsys.readouterr().out)
        assert (row["name"], row["version"], row["host"], row["command"]) == (
            "Skyline SNAIL, 10 ms",
            "1",
            "here",
            command,
        )
        assert (row["first"], row[SENT], row[SURVIVED]) == (9000, [0], [2])


class TestFaults:
    """A bot at fault is named in one line; its games count to that point, and matches are lost."""

    @pytest.fixture(autouse=True)
    def quick(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(card, "QUICK", card.Protocol(1, 20, 1))

    @pytest.mark.parametrize(
        ("text", "pieces", "words"),
        [
            ("sys.exit('bad luck')", 0, "died with exit code 1: 'bad luck'"),
            ("say(type='suggestion', moves=[drop(greet()[0])]); wait_for('suggest')", 1, "died with exit code 0"),
            ("greet(); wait_for('nothing')", 0, "said no suggestion within 0.01 s"),
        ],
    )
    def test_a_bot_at_fault_is_named(
        self, text: str, pieces: int, words: str, tmp_path: Path, monkeypatch, capsys
    ) -> None:
        if "nothing" in text:
            monkeypatch.setattr(competitors, "Conditions", lambda: Conditions(answer_ms=10))
        command = write_stub_bot(tmp_path, text)
        assert main(["card", command, "--quick", "--json", "--jobs", "1", "--seeds", "3500"]) == card.AT_FAULT
        said = capsys.readouterr()
        row = json.loads(said.out)
        assert (row[SENT], row[SURVIVED], row[WINS], row["faults"]) == ([0], [pieces], 0, 3)
        (line,) = said.err.splitlines()
        name = "Stub" if "greet" in text else command
        assert line.startswith(f"tools.bots card: {name} was at fault in 3 games; first in sent, seed 3500: it ")
        assert words in line

    def test_after_three_faults_in_a_row_the_other_games_count_nothing(self, tmp_path: Path) -> None:
        row = play_row(write_stub_bot(tmp_path, "sys.exit(1)"), protocol=card.Protocol(5, 20, 4))
        assert (row[SENT], row[SURVIVED], row[WINS], row["faults"], row["given_up"]) == ([0] * 5, [0] * 5, 0, 3, True)

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            ([], "give WHO, or --fill alone"),
            (["random", "--fill"], "give WHO, or --fill alone"),
            (["--fill", "--seeds", "0"], "give WHO, or --fill alone"),
            (["random", "--think", "5"], "--think is for strong and for commands, which do not play here"),
            (["5", "--nodes", "5"], "--nodes is for strong, which does not play here"),
            (["6"], "no level '6'; there are 1 to 5: SNAIL, DUCK, CAT, FOX, HAWK"),
            (["9" * 5000], "no level '999"),
            (["nowhere-to-be-found"], "there is no program 'nowhere-to-be-found'"),
            (["'"], "No closing quotation"),
            (["tools.bots.card:nothing"], "tools.bots.card has no function nothing"),
            (["nowhere.py:policy"], "cannot import nowhere.py: "),
        ],
    )
    def test_a_wrong_player_gets_one_line(self, arguments: list[str], line: str, capsys) -> None:
        said = refused(capsys, "card", *arguments, program="tools.bots", run=main)
        assert said.startswith(f"tools.bots: {line}")


class TestTable:
    """card.jsonl has the rows, README.md their table."""

    def test_the_page_shows_the_rows_of_the_file(self) -> None:
        page = card.PAGE.read_text(encoding="utf-8")
        rows = card.read_rows(card.ROWS)
        assert page == markdown.fill(page, "card", "python -m tools.bots card --fill", card.tabulate(rows))
        names = ["random", "el-tetris", "dellacherie", "1 SNAIL", "2 DUCK", "3 CAT", "4 FOX", "5 HAWK"]
        assert [row["name"] for row in rows if "command" not in row] == [
            *names,
            card.EXAMPLE,
            "strong, 20 ms",
            "strong, 100 ms",
        ]
        assert not [row["name"] for row in rows if "given_up" in row]

    def test_a_row_is_compared_with_each_task_of_the_others(self) -> None:
        rows = [make_row("slow", 30, 10), make_row("fast", 90, 60), make_row("best", 150, 100)]
        said = card.compare(make_row("mine", 90, 5), rows).splitlines()
        assert said == [
            "lines sent a piece: place 2 of 4, behind best, not behind fast",
            "pieces survived: place 1 of 4, not behind slow",
            "wins: place 4 of 4, behind slow",
        ]

    def test_fill_plays_only_what_is_missing_and_keeps_outside_rows(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
    ) -> None:
        begin, end = markdown.mark("card", "python -m tools.bots card --fill")
        monkeypatch.setattr(card, "PAGE", tmp_path / "README.md")
        monkeypatch.setattr(card, "ROWS", tmp_path / "card.jsonl")
        monkeypatch.setattr(card, "OWN_ROWS", ("random",))
        monkeypatch.setattr(card, "FULL", SMALL)
        monkeypatch.setattr(card, "find_version", lambda: "1")
        card.PAGE.write_text(begin + end, encoding="utf-8")
        outside = make_row("Other, 5 ms", 30) | {"command": "other"}
        card.write_rows(card.ROWS, [outside])
        assert main(["card", "--fill", "--jobs", "1"]) == 0
        kept, row = card.read_rows(card.ROWS)
        sent = row.pop(SENT)
        card.write_rows(card.ROWS, [kept, row])
        played: list[card.Task] = []

        def play(task: card.Task) -> card.Result:
            played.append(task)
            return card.Result(7)

        monkeypatch.setattr(card, "play", play)

        assert main(["card", "--fill", "--jobs", "1"]) == 0

        assert sent == [0, 0] and [task.kind for task in played] == [SENT, SENT]
        rows = [outside, row | {SENT: [7, 7]}]
        assert card.read_rows(card.ROWS) == rows
        assert card.PAGE.read_text(encoding="utf-8") == begin + card.tabulate(rows) + end
        said = capsys.readouterr().out
        assert "| random " in said and "| Other, 5 ms * |" in said
