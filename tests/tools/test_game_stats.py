"""python -m tools.export stats: the games of the simulator's database as CSV and plots."""

import csv
from datetime import date, datetime
from pathlib import Path

import pytest

from firmware.modes import catalogue
from sim.game_record import Figures
from sim.library import VERSUS, Library, open_library
from tests.support.recorded import RECORDINGS
from tools import export, game_stats
from tools import library as library_tool

MARATHON = (RECORDINGS / "marathon.sky").read_bytes()
SPRINT = (RECORDINGS / "sprint.sky").read_bytes()


def keep(library: Library, day: str, result: int, pps: int = 100, variant: int = catalogue.MARATHON) -> None:
    figures = Figures(1000, 40, 3, 100_000, 100, pps, 2000, 25, 350, 80)
    blob = SPRINT if variant == catalogue.SPRINT else MARATHON
    library.add(blob, variant, result, bytes(1024), datetime.fromisoformat(f"{day} 12:00:00"), figures)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Three games of Marathon in two weeks, two of Sprint of which one has no result, and a match that was lost."""
    library = open_library(tmp_path)
    keep(library, "2026-11-20", 30_000)
    keep(library, "2026-11-22", 20_000, 120)
    keep(library, "2026-11-23", 25_000)
    keep(library, "2026-11-23", 61_000, variant=catalogue.SPRINT)
    keep(library, "2026-11-24", 0, variant=catalogue.SPRINT)
    keep(library, "2026-11-24", 0, variant=VERSUS)
    return library


def run(library: Library, *arguments: object) -> int:
    return export.main(["stats", "--save", str(library.folder.parent), *map(str, arguments)])


def played(library: Library, variant: str) -> game_stats.Played:
    return next(mode for mode in game_stats.read_played(library) if mode.variant == variant)


def test_csv_has_a_line_for_each_game(library: Library, tmp_path: Path) -> None:
    assert run(library, "--games", tmp_path / "games.csv") == 0
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    first = rows[0]
    assert (first["variant"], first["result"], first["pps"], first["kpp"]) == ("marathon", "30000", "1.00", "3.50")
    assert (first["ended"], first["finesse"]) == ("2026-11-20 12:00:00", "80")
    assert Path(first["recording"]).read_bytes() == MARATHON


@pytest.mark.no_cover
def test_standard_has_no_finesse(library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(library, "2026-11-25", 900, variant=catalogue.STANDARD)
    assert run(library, "--games", tmp_path / "games.csv") == 0
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file))[-1]["finesse"] == ""
    figure = game_stats.draw_progress([played(library, "standard")])
    assert [len(axes.get_lines()) for axes in figure.axes] == [1, 1, 1, 1, 1, 0]
    assert library_tool.main(["--folder", str(tmp_path), "show", "1"]) == 0
    assert ", finesse -\n" in capsys.readouterr().out


def test_games_without_figures_are_measured_first(library: Library, tmp_path: Path) -> None:
    (library.folder / "20200101-120000-marathon-5.sky").write_bytes(MARATHON)
    assert run(library, "--games", tmp_path / "games.csv") == 0
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file))[-1]["pps"] == "1.06"


def test_a_week_begins_on_monday_and_sums_up_its_days(library: Library) -> None:
    first, second = played(library, "marathon").weeks()
    assert (first.day, second.day) == (date(2026, 11, 16), date(2026, 11, 23))
    assert (first.games, first.best, first.mean(0)) == (2, 30_000, 1.1)
    assert (second.games, second.best) == (1, 25_000)


def test_the_lowest_time_is_the_best(library: Library) -> None:
    keep(library, "2026-11-23", 70_000, variant=catalogue.SPRINT)
    days = played(library, "sprint").days
    assert [(span.day.day, span.games, span.best) for span in days] == [(23, 2, 61_000), (24, 1, None)]


def test_the_most_played_mode_comes_first(library: Library) -> None:
    assert [mode.variant for mode in game_stats.read_played(library)] == ["marathon", "sprint", "versus"]


@pytest.mark.slow
@pytest.mark.no_cover
def test_plots_are_pictures(library: Library, tmp_path: Path) -> None:
    assert run(library, "--progress", tmp_path / "weeks.png", "--days", tmp_path / "days.png") == 0
    for name in ("weeks.png", "days.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.no_cover
def test_a_plot_shows_the_best_of_each_day_and_the_record(library: Library) -> None:
    axes = game_stats.draw_days(game_stats.read_played(library)).axes[0]
    days, record = axes.get_lines()
    assert list(days.get_ydata()) == [30_000, 20_000, 25_000]
    assert list(record.get_ydata()) == [30_000] * 3


@pytest.mark.no_cover
def test_results_of_zero_label_one_tick(tmp_path: Path) -> None:
    library = open_library(tmp_path)
    for day in ("2026-11-20", "2026-11-22"):
        keep(library, day, 0, 0)
    played = game_stats.read_played(library)
    for axes in (game_stats.draw_days(played).axes[0], *game_stats.draw_progress(played).axes[:2]):
        assert list(axes.get_yticks()) == [0]


@pytest.mark.no_cover
def test_progress_has_a_row_for_each_mode(library: Library) -> None:
    axes = game_stats.draw_progress(game_stats.read_played(library)).axes
    assert len(axes) == 3 * 6
    assert list(axes[0].get_lines()[0].get_ydata()) == [30_000, 25_000]
    assert list(axes[1].get_lines()[0].get_ydata()) == [1.1, 1.0]
