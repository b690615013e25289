"""python -m tools.versus: computers against each other, and alone."""

import re
import shlex

import pytest

from firmware.players.levels import LEVELS
from sim.terminal import Refusal
from tests.support.drill import Drill
from tests.support.handhelds.command_lines import refused
from tools import markdown, versus
from tools.bots.match import play_seats
from tools.bots.plain_bot import PLAIN


def test_one_row_of_garbage_rises_after_so_many_tetriminos() -> None:
    drill = Drill("OOOO", mode=versus.Alone(2))
    rows = []
    for _ in range(3):
        rows.append(sum(mask.bit_count() == 15 for mask in drill.game.matrix.masks))
        drill.act("hard 200")
    assert rows == [0, 0, 1]


class TestVersus:
    def test_a_seed_repeats_its_match_and_an_odd_one_swaps_the_seats(self) -> None:
        assert versus.play_match(versus.Pairing(3, 1, 4)) == play_seats([3, 1], 4).tallies
        assert versus.play_match(versus.Pairing(3, 1, 5)) == play_seats([1, 3], 5).tallies[::-1]

    def test_each_player_has_a_row_of_the_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert versus.main(["3", "snail", "--games", "2", "--jobs", "1", "--quiet"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split("|")[1].strip() for line in lines] == ["level", "-------", "3 CAT", "1 SNAIL"]
        assert [int(line.split("|")[2]) for line in lines[2:]] == [2, 2]

    def test_alone_prints_the_figures_of_one_level(self, capsys: pytest.CaptureFixture[str]) -> None:
        options = ["--alone", "5", "--seeds", "1", "--pieces", "60", "--garbage-every", "8", "--jobs", "1", "--quiet"]
        assert versus.main(options) == 0
        row = capsys.readouterr().out.splitlines()[2].split("|")
        assert row[1].split() == ["5", "HAWK"] and float(row[4]) > 0 and float(row[5]) > 1

    @pytest.mark.parametrize("rules", ["guideline", "modern"])
    def test_the_ladder_has_a_row_for_each_neighbouring_pair(self, rules: str, capsys) -> None:
        assert versus.main(["--ladder", "--rules", rules, "--games", "1", "--jobs", "1", "--quiet"]) == 0
        rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in capsys.readouterr().out.splitlines()[2:]]
        assert rows == [
            ["2 DUCK", "1 SNAIL", "1"], ["3 CAT", "2 DUCK", "1"], ["4 FOX", "3 CAT", "1"], ["5 HAWK", "4 FOX", "1"],
        ]  # fmt: skip

    def test_18_the_ladder_on_the_page_keeps_its_order_by_both_rules(self) -> None:
        for words in ("--ladder --fill", "--ladder --rules modern --fill"):
            rows = markdown.read_rows(versus.PAGE, "match", f"python -m tools.versus {words}")
            assert len(rows) == LEVELS - 1 and all(2 * float(row[3]) > int(row[2]) >= 20 for row in rows)

    @pytest.mark.slow
    def test_18_a_bot_plays_a_match_by_modern_rules(self) -> None:
        """With another rate of attacks than by the guideline's, from the same seed."""
        sent = []
        for rules in (0, 1):
            one, two = versus.play_match(versus.Pairing(PLAIN, 1, 2, pace_ms=0, rules=rules))
            assert one.wins == 1 and one.pieces > 20 and two.pieces
            sent.append(one.sent_a_piece)
        assert sent[0] < sent[1]

    @pytest.mark.parametrize(
        "arguments",
        ["5", "--ladder 5 4", "--ladder --alone 5", "--ladder --nodes 9", "5 4 --nodes 9", "5 6", "--alone 5 4 3"]
        + ["5 4 --games 0", "owl cat", "cat \\'", "cat ''", ""],
    )
    def test_wrong_arguments_exit_without_a_traceback(self, arguments: str, capsys) -> None:
        refused(capsys, *shlex.split(arguments), program="tools.versus", run=versus.main)

    def test_matches_on_the_page_of_bots_have_the_printed_form(self) -> None:
        page = versus.PAGE.read_text(encoding="utf-8")
        row = r"\| (\w+).* \| +100 \| +([\d.]+) \| +\d\.\d{3} \| +\d\.\d\d \| +\d+\.\d \| +\d+\.\d \|\n"
        command = r"python -m tools\.versus strong (\w+) --nodes 5000 --games 100 --fill"
        found = re.findall(rf"<!-- match: .* `{command}` -->\n\| level .*\n\| -.*\n{row}{row}<!-- /match -->", page)
        assert [names[0] for names in found] == ["5", PLAIN]
        for other, *names in found:
            assert (names[::2], sum(map(float, names[1::2]))) == (["strong", other], 100)

    def test_a_match_fills_its_own_place_on_the_page_or_is_refused(self, tmp_path, monkeypatch, capsys) -> None:
        begin, end = markdown.mark("match", "python -m tools.versus 2 1 --games 1 --jobs 1 --fill")
        monkeypatch.setattr(versus, "PAGE", tmp_path / "README.md")
        versus.PAGE.write_text(f"before\n{begin}old\n{end}\nafter\n", encoding="utf-8")
        assert versus.main(["2", "1", "--games", "1", "--jobs", "1", "--fill"]) == 0
        table = capsys.readouterr().out
        assert versus.main(["1", "2", "--games", "1", "--jobs", "1", "--fill"]) == 2
        assert "README.md has no place for the table of match" in capsys.readouterr().err
        with pytest.raises(Refusal, match=r"README\.md has no place for the table of match"):
            markdown.read_rows(versus.PAGE, "match", "python")
        assert versus.PAGE.read_text(encoding="utf-8") == f"before\n{begin}{table}{end}\nafter\n"

    @pytest.mark.long
    @pytest.mark.parametrize("level", range(2, LEVELS + 1))
    def test_a_level_beats_the_one_below_in_75_of_100_matches(self, level: int) -> None:
        tasks = [versus.Pairing(level, level - 1, seed) for seed in range(1, 101)]
        above, _below = versus.total(versus.run(versus.play_match, tasks, 2, True))
        assert above.wins >= 75

    @pytest.mark.long
    @pytest.mark.parametrize("garbage_every", [0, 8])
    def test_the_best_level_survives_and_attacks(self, garbage_every: int) -> None:
        """Twenty games of 1,000 pieces, with the search time of a board."""
        tasks = [versus.Solo(LEVELS, seed, 1000, garbage_every) for seed in range(1, 21)]
        (tally,) = versus.total(versus.run(versus.play_alone, tasks, 2, True))
        assert tally.out == 0
        if not garbage_every:
            assert tally.pieces_a_second >= 1.2 and tally.sent_a_piece >= 0.5
