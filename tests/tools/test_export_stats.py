"""`python -m tools.export stats`: the numbers of a save as CSV and as a picture."""

import csv
import re
from pathlib import Path

import pytest

from firmware.modes.listing import list_tables, name_table
from firmware.save.journal import NUMBERS, PUZZLES, Journal
from firmware.save.means import add
from firmware.save.puzzles import Progress
from sim.store import open_stores
from tests.support.handhelds.command_lines import refused
from tests.support.results import ended, make_life
from tools import export, stats


class TestExport:
    @pytest.fixture
    def save(self, tmp_path: Path) -> Path:
        folder = tmp_path / "save"
        journal = Journal(list(open_stores(folder)))
        life = make_life(ended())
        journal.save(NUMBERS, life.pack(journal.payload))
        progress = Progress(44, b"")
        progress.mark_solved(1, 3)
        journal.save(PUZZLES, progress.pack(journal.payload))
        return folder

    def test_csv_has_all_numbers(self, save: Path, tmp_path: Path) -> None:
        out = tmp_path / "life.csv"
        assert export.main(["stats", "--save", str(save), "--csv", str(out)]) == 0
        with out.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0] == ["section", "name", "value"]
        assert ["life", "games", "1"] in rows
        assert ["finesse", "0", "90"] in rows
        assert ["puzzle", "2", "3 tries"] in rows

    def test_a_copy_of_a_bank_is_a_save(self, save: Path) -> None:
        assert ("life", "games", "1") in list(stats.rows(stats.open_save(save / "bank0.bin")))

    @pytest.mark.slow
    @pytest.mark.no_cover
    def test_png_is_a_picture(self, save: Path, tmp_path: Path) -> None:
        out = tmp_path / "life.png"
        assert export.main(["stats", "--save", str(save), "--png", str(out)]) == 0
        assert out.read_bytes().startswith(b"\x89PNG")

    def test_csv_is_written_even_without_matplotlib(self, save: Path, tmp_path, monkeypatch, capsys) -> None:
        monkeypatch.setattr(stats, "find_spec", lambda _name: None)
        out, picture = tmp_path / "life.csv", tmp_path / "life.png"
        assert export.main(["stats", "--save", str(save), "--csv", str(out), "--png", str(picture)]) == 2
        assert re.fullmatch(r"tools\.export: --png of numbers needs matplotlib; [^\n]+\n", capsys.readouterr().err)
        assert "life,games,1" in out.read_text() and not picture.exists()

    @pytest.mark.no_cover
    @pytest.mark.parametrize(("games", "first", "last"), [(0, 1, 1), (1, 1, 1), (30, 11, 30)])
    def test_axis_of_the_plot_has_whole_games(self, games: int, first: int, last: int) -> None:
        axes = stats.draw(make_life(*(ended() for _ in range(games)))).axes[0]
        assert axes.get_xlim() == (first - 0.5, last + 0.5)
        ticks = [tick for tick in axes.get_xticks() if first - 0.5 <= tick <= last + 0.5]
        assert ticks and all(tick == int(tick) for tick in ticks)

    def test_csv_has_the_means_of_ten_and_the_last_results(self, save: Path) -> None:
        journal = stats.open_save(save)
        tables = {name_table(choice): choice for choice in list_tables()}
        sprint, marathon = tables[b"SPRINT 40"], tables[b"MARATHON"]
        for result in (61_000, 59_000):
            add(journal, sprint.kind, sprint.record, result)
        for result in range(12):
            add(journal, marathon.kind, marathon.record, 1000 * result)
        rows = set(stats.rows(stats.open_save(save)))
        assert {("MARATHON", "mean of ten", "6500"), ("MARATHON", "last 0", "11000")} <= rows
        assert {("SPRINT 40", "mean of ten", "1:00.00"), ("SPRINT 40", "last -1", "1:01.00")} <= rows

    @pytest.mark.no_cover
    @pytest.mark.parametrize("results", [[59_000, 61_000, 55_000], [0, 0], [7_000]])
    def test_plot_has_the_last_results_and_the_mean_of_each_table(self, results: list[int]) -> None:
        last = stats.Last("SPRINT 40", b"time fewest", results)
        figure = stats.draw(make_life(ended()), [last, last])
        figure.canvas.draw()
        for axes in figure.axes[2:]:
            assert axes.get_title() == "SPRINT 40" and list(axes.lines[0].get_ydata()) == results
            assert set(axes.lines[1].get_ydata()) == {sum(results) // len(results)}
            low, high = axes.get_ylim()
            labels = [label.get_text() for label in axes.get_yticklabels() if low <= label.get_position()[1] <= high]
            assert len(set(labels)) == len(labels) or any(results)
        assert len(figure.axes) == 4

    @pytest.mark.no_cover
    @pytest.mark.parametrize(("best_pps", "pace"), [(0, "-"), (123, "1.23")])
    def test_tetriminos_a_second_need_a_game_of_a_minute(self, best_pps: int, pace: str) -> None:
        life = make_life(ended())
        life.best_pps = best_pps
        (table,) = stats.draw(life).axes[1].tables
        cells = [cell.get_text().get_text() for cell in table.get_celld().values()]
        assert cells[cells.index("Tetriminos a second*") + 1] == pace

    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (["stats"], "nothing to export: add --csv, --png, --games, --progress or --days"),
            (["stats", "--csv", "a.csv", "--save", "nowhere"], "nowhere: there is no such file or folder"),
            (["stats", "--csv", "a.csv", "--save", "."], ".: nothing is saved there"),
            (["stats", "--games", "a.csv", "--save", "."], "no game has ended there yet"),
            (["stats", "--days", "a.png", "--save", "bank0.bin"], "need a simulator's folder"),
            (["stats", "--days", "a.txt"], "a.txt"),
            *(
                (["game.sky", option, "a.csv"], "--csv, --save, --games, --progress and --days are for `stats`")
                for option in ("--csv", "--games")
            ),
        ],
    )
    def test_an_error_is_one_line(self, tmp_path, monkeypatch, capsys, arguments: list[str], why: str) -> None:
        monkeypatch.chdir(tmp_path)
        assert why in refused(capsys, *arguments, program="tools.export", run=export.main)
        assert list(tmp_path.iterdir()) == []
