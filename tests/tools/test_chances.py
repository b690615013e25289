"""The solver for players: chances, ways, covers and set-ups of all-clears (tools/puzzles/README.md)."""

import itertools
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from py_fumen_py import Field, Page, encode

from sim.terminal import Refusal
from tests.support import needs
from tests.support.handhelds.command_lines import refused
from tools.puzzles import __main__ as program
from tools.puzzles import chances, clearing, compare, queues
from tools.puzzles.chances import Question, Way, find_cover, read_matrix
from tools.puzzles.queues import count, expand, find_orders, find_queues, merge, read_queue
from tools.puzzles.solver import solve
from tools.puzzles.text import CLEAR_ALL, LETTERS, Puzzle, read_row

CASES = [
    line.split()
    for line in (Path(__file__).parents[1] / "vectors" / "chances.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
PROGRAM: dict[str, Any] = {"program": "tools.puzzles", "run": program.main}
CORNER = "XXXXXX..../XXXXXX..../XXXXXX..../XXXXXX...."  # for four Tetriminos
CORNER_FUMEN = encode([Page(field=Field(["XXXXXX____"] * 4))])


def ask(rows: str, queue: str, hold: bool = True, lines: int = 0) -> Question:
    return Question([read_row(row) for row in reversed(rows.split("/"))], read_queue(queue), hold, lines)


def spell(words: queues.Words) -> set[str]:
    """Return all members of a set as letters of Tetriminos."""
    found = set()
    for counts, bits in words.items():
        for at in range(queues.size(counts)):
            if bits >> at & 1:
                left, place, word = counts, at, ""
                while left:
                    last = max(p for p in queues.letters_of(left) if queues.offset(left, p) <= place)
                    place -= queues.offset(left, last)
                    left -= queues.ONE[last]
                    word = LETTERS[last] + word
                found.add(word)
    return found


def play_all(queue: str, length: int, hold: str = "") -> set[str]:
    """Return all orders in which Hold lets `length` Tetriminos of a queue be played, one by one."""
    if not length:
        return {""}
    found = set()
    if queue:
        found |= {queue[0] + rest for rest in play_all(queue[1:], length - 1, hold)}
    if queue and hold:
        found |= {hold + rest for rest in play_all(queue[1:], length - 1, queue[0])}
    elif hold:
        found |= {hold + rest for rest in play_all("", length - 1)}
    elif len(queue) > 1:
        found |= {queue[1] + rest for rest in play_all(queue[2:], length - 1, queue[0])}
    return found


class TestQueues:
    @pytest.mark.parametrize(
        ("pattern", "number"),
        [("TIO", 1), ("T,*", 7), ("[^TI]", 5), ("[SZLJ]p2", 12), ("*!", 5040), ("t [io]! , *p4", 1680), ("TI;TO", 2)],
    )
    def test_a_pattern_stands_for_its_queues(self, pattern: str, number: int) -> None:
        found = merge(expand(each, 15) for each in read_queue(pattern))
        assert count(found, found) == number == len(spell(found))

    def test_queues_that_are_cut_alike_count_once(self) -> None:
        assert spell(expand(read_queue("I[TS]p2*p7")[0], 2)) == {"IT", "IS"}

    @pytest.mark.parametrize("pattern", ["TIOS", "TT[IO]p2S", "[IOT]p2*", "*p4"])
    @pytest.mark.parametrize("spare", [False, True])
    def test_hold_lets_the_same_orders_be_played_as_one_by_one(self, pattern: str, spare: bool) -> None:
        patterns = read_queue(pattern)
        length = len(queues.spread(patterns[0])) - spare
        asked = spell(expand(patterns[0], length + spare))
        orders = find_orders(patterns[0], length, True)
        whole = {counts: bits for counts, bits in orders.items() if sum(map(int, f"{counts:x}")) == length}
        assert spell(whole) == set().union(*(play_all(queue, length) for queue in asked))
        chosen = random.Random(7).sample(sorted(spell(whole)), len(spell(whole)) // 2)
        some = dict.fromkeys(whole, 0)
        for word in chosen:
            letters = [LETTERS.index(letter) for letter in word]
            one = expand([(frozenset([letter]), 1) for letter in letters], length)
            some = merge([some, one])
        good = {queue for queue in asked if play_all(queue, length) & set(chosen)}
        assert spell(find_queues(some, spare)) & asked == good

    @pytest.mark.parametrize("queue", ["X", "[", "[X]", "*p8", "[IO]p3", "T!", "*p0", "TI;T", ";", "*p7*p7*p7"])
    def test_a_damaged_queue_is_refused(self, queue: str) -> None:
        with pytest.raises(Refusal, match="queue: "):
            read_queue(queue)


class TestChance:
    @pytest.mark.slow
    @pytest.mark.parametrize(("rows", "queue", "lines", "good", "total"), CASES)
    def test_a_chance_is_that_of_solution_finder(
        self, rows: str, queue: str, lines: str, good: str, total: str
    ) -> None:
        question = ask(rows, queue, lines=int(lines))
        found = question.find_good()
        assert (count(found, found), question.total) == (int(good), int(total))

    @pytest.mark.parametrize("hold", [True, False])
    def test_the_puzzles_solver_finds_the_same_with_and_without_hold(self, hold: bool) -> None:
        question = ask(CORNER, "T[IJLZ]p3", hold)
        good = set()
        for queue in spell(question.among):
            pieces = tuple(map(LETTERS.index, queue))
            if solve(Puzzle("ONE", CLEAR_ALL, 0, 1, (read_row("XXXXXX...."),) * 4, pieces, 0, hold), 1).first:
                good.add(queue)
        assert 0 < len(good) < question.total and spell(question.find_good()) == good

    def test_the_fewest_lines_that_tetriminos_can_fill_are_cleared(self) -> None:
        assert ask("XXXXXX....", "*p7").tiling.lines == 1
        assert [ask("XXXXXXXX../XXXXXXXX..", queue).tiling.lines for queue in ("*p7", "[^O]!")] == [2, 4]
        assert ask("XXXXXX....", "*p7", lines=3).needed == 6

    def test_a_full_row_is_gone_before(self) -> None:
        assert ask("XXXXXX..../XXXXXXXXXX", "*").tiling.lines == 1

    def test_a_search_without_end_is_given_up(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(clearing, "PATIENCE", 100)
        assert "given up after " in refused(capsys, "percent", CORNER, "*p5", **PROGRAM)


class TestWays:
    def test_together_they_are_for_all_queues_with_a_chance(self) -> None:
        question = ask(CORNER, "T*p4")
        ways = question.find_ways()
        assert merge(way.queues for way in ways) == question.find_good()
        for way in ways:
            assert sum(tile for tile, _piece in way.tiles) + question.start == question.tiling.all


class TestCover:
    def test_no_fewer_ways_are_enough(self) -> None:
        dice = random.Random(3)
        for _ in range(30):
            sets = [dice.getrandbits(9) & dice.getrandbits(9) | 1 << at for at in range(7)]
            ways = [Way((), {0: one}) for one in sets]
            every = merge(way.queues for way in ways)
            chosen, proved = find_cover(ways)
            assert proved and merge(way.queues for way in chosen) == every
            for fewer in itertools.combinations(ways, len(chosen) - 1):
                assert merge(way.queues for way in fewer) != every

    def test_it_begins_with_the_way_for_most_queues(self) -> None:
        ways = [Way((), {0: 0b0011}), Way((), {0: 0b1110})]
        assert find_cover(ways) == ([ways[1], ways[0]], True)

    def test_a_long_search_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(chances, "_COVER_PATIENCE", 1)
        assert find_cover([Way((), {0: 3}), Way((), {0: 5}), Way((), {0: 6})])[1] is False


class TestSetUps:
    @pytest.mark.parametrize(("queue", "hold"), [("TIO*p2", True), ("TI[OL]p2*", False), ("LJIOT", True)])
    def test_the_chance_of_each_is_that_of_the_matrix_after_it(self, queue: str, hold: bool) -> None:
        question = ask(CORNER, queue, hold)
        known = len(question.find_set_ups()[0][1].tiles) + hold
        found = question.find_set_ups()
        assert [chance for chance, _way in found] == sorted((chance for chance, _way in found), reverse=True)
        for chance, way in found[:5] + found[-5:]:
            rows = question.draw(way).translate(str.maketrans(LETTERS[1:], "X" * 7))
            left = 4 - rows.split().count("X" * 10)
            rest = (LETTERS[way.held] if way.held else "") + queue[known:]
            after = ask("/".join(rows.split()), rest, hold, left)
            good = after.find_good()
            assert 0 < len(way.tiles) < 4 and chance == count(good, good) / after.total

    @pytest.mark.parametrize("queue", ["*p5", "T*p4", "TI*p3;IT*p3"])
    def test_a_queue_that_begins_with_unknown_tetriminos_is_refused(
        self, queue: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert "a set-up needs one queue" in refused(capsys, "setup", CORNER, queue, **PROGRAM)

    def test_there_is_none_for_one_tetrimino(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "nothing to set up" in refused(capsys, "setup", "XXXXXX....", "TI", **PROGRAM)


class TestProgram:
    def test_percent_prints_the_chance_and_that_of_each_next(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert program.main(["percent", "XXXXXX..../XXXXXX....", "[IOT],[IO]!"]) == 0
        assert capsys.readouterr().out.splitlines() == [
            "2 lines, 2 Tetriminos, 6 queues",
            " 66.67%  4 queues",
            *("100.00%  if I comes first", "100.00%  if O comes first", "  0.00%  if T comes first"),
        ]

    def test_a_matrix_is_a_file_a_fumen_or_rows(self, tmp_path: Path) -> None:
        (tmp_path / "matrix.txt").write_text("..........\n" + CORNER.replace("/", "\n"), encoding="utf-8")
        rows = read_matrix(CORNER)
        assert rows[0] == [read_row("XXXXXX....")] * 4
        assert rows == read_matrix(str(tmp_path / "matrix.txt")) == read_matrix(CORNER_FUMEN)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["no.txt", "T"], "no.txt"),
            (["XX/XX", "T"], "row 'XX' has 2 cells"),
            (["XXXXXX..../" * 8 + "XXXXXX....", "T"], "8 at most can be cleared"),
            ([CORNER], "QUEUE is missing"),
            ([CORNER, "T"], "whole Tetriminos of this queue cannot fill any number of lines up to 8"),
            ([CORNER, "T", "--lines", "4"], "4 Tetriminos are needed for 4 lines, and the queue has 1"),
            ([CORNER, "*p5", "--lines", "3"], "cannot fill 3 lines"),
            ([CORNER, "*p5", "--lines", "1"], "cannot fill 1 line above 24 Blocks"),
            ([CORNER, "*p5", "--hold", "TI"], "Hold has one Tetrimino"),
            ([CORNER, "*p5", "--hold", "X"], "hold: 'X' is no Tetrimino"),
        ],
    )
    def test_bad_input_gets_one_line(
        self, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert words in refused(capsys, "percent", *arguments, **PROGRAM)


@needs.system(sys.platform != "win32", "a POSIX shell, which stands for Java")
class TestCompare:
    def compare(self, folder: Path, answers: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
        """Compare with a program that gives these answers."""
        java = folder / "java"
        java.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in answers), encoding="utf-8")
        java.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return program.main(["compare", "classes", "--count", "2", "--seed", "1", "--most", "3", "--cases"])

    def test_it_tells_each_difference_and_both_times(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        dealt = list(itertools.islice(compare.deal(random.Random(1), 3), 2))
        answers = []
        for case in dealt:
            question = Question(case.masks, read_queue(case.queue), True, case.lines)
            found = question.find_good()
            answers.append(f"5000000000 success = 1.00% ({count(found, found)}/{question.total})")
        assert self.compare(tmp_path, answers, monkeypatch) == 0
        assert "# 2 of 2 chances are those of solution-finder, seed 1" in capsys.readouterr().out
        assert self.compare(tmp_path, [answers[0], "6000000000 none"], monkeypatch) == 1
        text = capsys.readouterr().out
        assert f"# {dealt[1]}: " in text and "1 of 2 chances" in text and "solution-finder 6.0 s" in text

    def test_one_that_does_not_answer_gets_one_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.compare(tmp_path, ["1 none"], monkeypatch) == 2
        assert capsys.readouterr().err.count("is CLASSPATH its class path?\n") == 1
