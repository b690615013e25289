"""Statistics of all games, and solved puzzles: kept through power-off, shown and exported."""

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.finishing import count
from firmware.modes.catalogue import MARATHON
from firmware.modes.listing import list_tables, name_table
from firmware.save.journal import NUMBERS, PUZZLES, Journal
from firmware.save.life import FIELDS, Life
from firmware.save.means import add
from firmware.save.puzzles import Progress
from firmware.save.varint import Numbers
from firmware.scenes.again import pack
from sim.store import open_stores
from tests.support.handhelds.command_lines import refused
from tests.support.records import packed
from tests.support.results import Console, ended
from tools import export, stats

RIGHT, B = controls.RIGHT, controls.ROTATE_CCW
LONGEST_BYTES = 94
GAMES = 20  # finesse is kept for the last 20 games


def list_numbers(life: Life) -> list[int]:
    return [getattr(life, name) for name in FIELDS] + list(life.finesse[: life.kept])


def make_life(*games: Game) -> Life:
    life = Life()
    for game in games:
        life.add_game(game)
    return life


class TestSums:
    def test_a_game_adds_to_the_sums_and_to_the_best(self) -> None:
        life = make_life(ended(score=1000), ended(score=500))
        assert (life.games, life.seconds, life.lines, life.pieces) == (2, 624, 174, 500)
        assert (life.tetrises, life.t_spins, life.minis, life.back_to_backs) == (8, 68, 22, 6)
        assert (life.best_score, life.best_lines, life.best_seconds, life.best_combo) == (1000, 87, 312, 6)
        assert life.best_pps == 80 and list(life.finesse[:2]) == [90, 90]

    def test_a_game_without_a_lock_down_does_not_count(self) -> None:
        assert list_numbers(make_life(Game(1))) == [0] * len(FIELDS)

    @pytest.mark.parametrize(("ms", "best_pps"), [(59_999, 0), (60_000, 416)])
    def test_a_game_under_a_minute_has_no_pace(self, ms: int, best_pps: int) -> None:
        assert make_life(ended(ms=ms)).best_pps == best_pps

    def test_the_finesse_of_the_last_20_games_is_kept(self) -> None:
        life = make_life(*(ended(faults=faults) for faults in range(0, 250, 10)))
        assert list(life.finesse) == [100 - 4 * i for i in range(5, 25)]

    def test_a_game_by_ars_has_no_finesse(self) -> None:
        game = ended()
        game.options.kicks = 2
        assert make_life(game).kept == 0

    def test_numbers_stay_small_integers_on_a_board(self) -> None:
        life = Life()
        life.seconds = life.lines = (1 << 30) - 2
        life.add_game(ended())
        assert life.seconds == life.lines == (1 << 30) - 1


class TestRecord:
    @pytest.mark.no_cover
    @given(st.lists(st.integers(0, 2**30 - 1), min_size=len(FIELDS), max_size=len(FIELDS)), st.binary(max_size=GAMES))
    def test_packed_statistics_are_restored(self, values: list[int], finesse: bytes) -> None:
        life = Life()
        for name, value in zip(FIELDS, values, strict=True):
            setattr(life, name, value)
        life.kept = len(finesse)
        life.finesse[: len(finesse)] = finesse
        assert list_numbers(Life(packed(life))) == list_numbers(life) and len(packed(life)) <= LONGEST_BYTES

    def test_a_record_with_more_fields_or_games_is_read(self) -> None:
        buffer = bytearray(100)
        writer = Numbers(buffer, True)
        for number in (1, len(FIELDS) + 2, *range(1, len(FIELDS) + 3), GAMES + 1):
            writer.walk(number)
        writer.items(bytearray(range(GAMES + 1)), GAMES + 1)
        life = Life(bytes(buffer[: writer.at]))
        assert list_numbers(life) == [*range(1, len(FIELDS) + 1), *range(GAMES)]

    @pytest.mark.parametrize("damaged", [b"", b"\x09\x01\x05", b"\x01", b"\x01\x03\x07", b"\x01\x01" + b"\xff" * 6])
    def test_a_damaged_record_gives_only_the_fields_before_the_damage(self, damaged: bytes) -> None:
        assert Life(damaged).games in (0, 7)


class TestHandheld:
    def test_the_numbers_outlive_power_off(self) -> None:
        console = Console(ended())
        count(console.session.journal, MARATHON, ended(score=9), False)
        assert Life(Journal(list(console.device.store)).read(NUMBERS)).games == 2

    def test_a_failed_store_loses_only_the_numbers(self) -> None:
        console = Console(ended(), broken=True)
        assert console.name == "menus.over"

    def test_the_list_of_tables_leads_to_the_statistics(self) -> None:
        console = Console()
        for score in (20_000, 99_740, 5_000):
            game = ended(score=score, faults=score // 1000)
            console.session.finish(game, pack(game.options))
            count(console.session.journal, MARATHON, game, False)
        console.session.played = False
        console.open("menus.lifetime_statistics", ms=0, frames=2)
        for picture in ("numbers_all", "numbers_best", "numbers_finesse"):
            console.compare(picture)
            console.tap(RIGHT)
        assert (console.name, console.scene.at) == ("menus.lifetime_statistics", 0)
        console.follow(B)
        assert console.name == "menus.score_list" and console.scene.lines[console.scene.at] == b"STATISTICS"

    def test_screen_without_any_game(self) -> None:
        console = Console()
        console.open("menus.lifetime_statistics", 2)
        console.compare("numbers_none")


class TestExport:
    """python -m tools.export stats"""

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
            (["game.sky", "--csv", "a.csv"], "--csv, --save, --games, --progress and --days are for `stats`"),
        ],
    )
    def test_an_error_is_one_line(self, tmp_path, monkeypatch, capsys, arguments: list[str], why: str) -> None:
        monkeypatch.chdir(tmp_path)
        assert why in refused(capsys, *arguments, program="tools.export", run=export.main)


class TestProgress:
    def test_the_fewest_tries_count(self) -> None:
        progress = Progress(5, b"")
        assert progress.mark_solved(4, 3) and not progress.mark_solved(4, 3)
        assert not progress.mark_solved(4, 4) and progress.mark_solved(4, 1)
        assert progress.mark_solved(0, 99) and progress.mark_solved(3, 7)
        buffer = bytearray(8)
        length = progress.pack(buffer)
        restored = Progress(5, buffer[:length])
        assert list(restored.tries) == [15, 0, 0, 7, 1] and restored.count() == 3

    def test_records_with_more_or_fewer_puzzles_are_read(self) -> None:
        buffer = bytearray(8)
        progress = Progress(3, b"")
        progress.mark_solved(2, 7)
        length = progress.pack(buffer)
        assert list(Progress(6, buffer[:length]).tries) == [0, 0, 7, 0, 0, 0]
        assert list(Progress(2, buffer[:length]).tries) == [0, 0]
        assert list(Progress(2, b"\x09\xff").tries) == [0, 0]
