"""Read the statistics of a save, and write them as CSV or a picture: `python -m tools.export stats`."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firmware.modes.listing import list_tables, name_table
from firmware.save.journal import NUMBERS, PUZZLES, Journal
from firmware.save.life import FIELDS, Life
from firmware.save.means import GAMES, MEANS, UNIT_MS
from firmware.save.means import read as read_means
from firmware.save.puzzles import Progress
from firmware.save.scores import open_table
from firmware.scenes.menus.scores_result import write_result
from sim.ownership import output
from sim.store import BANK_BYTES, FileStore, open_stores
from sim.terminal import Refusal, tell_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PUZZLES = 99
_HEADS = ("section", "name", "value")

LABELS = {
    "games": "Games",
    "seconds": "Hours",
    "lines": "Lines",
    "pieces": "Tetriminos",
    "tetrises": "Tetrises",
    "t_spins": "T-Spins",
    "minis": "Mini T-Spins",
    "back_to_backs": "Back-to-Backs",
    "best_score": "Best score",
    "best_lines": "Most lines",
    "best_seconds": "Longest game, s",
    "best_combo": "Longest combo",
    "best_pps": "Tetriminos a second*",
    "best_apm": "Attack a minute*",
}

Row = tuple[str, str, str]


class Last(NamedTuple):
    """The last results of a table of scores, the oldest first.  kind: of a result, as in modes.txt."""

    name: str
    kind: bytes
    results: list[int]

    @property
    def mean(self) -> int:
        """The mean of the last ten, as the handheld shows it."""
        last = self.results[-GAMES:]
        return sum(last) // len(last)

    def write(self, result: float) -> str:
        """Return the text of points or a time in the letters of the tables of scores."""
        return write_result(self.kind, int(result)).decode()


def read_last(journal: Journal) -> list[Last]:
    """Return the last results of the tables that the handheld keeps, the one played last first."""
    tables = {choice.kind: choice for choice in list_tables()}
    found = []
    for kind, *results in reversed(read_means(journal.read(MEANS))):
        if kind in tables and results:
            unit = tables[kind].record[b"result"]
            factor = UNIT_MS if b"time" in unit else 1
            found.append(Last(name_table(tables[kind]).decode(), unit, [factor * result for result in results]))
    return found


def open_save(path: Path | None) -> Journal:
    """Return the journal of a save: the simulator's folder, or a file with a copy of a handheld's memory.

    Raise Refusal if there is none.
    """
    if path is None or path.is_dir():
        stores = open_stores(path)
    elif path.is_file():
        stores = [FileStore(path, max(path.stat().st_size, BANK_BYTES))]
    else:
        raise Refusal(f"{path}: there is no such file or folder")
    journal = Journal(list(stores))
    if not journal.last:
        where = f"{path}: " if path else ""
        raise Refusal(f"{where}nothing is saved there; --save needs a simulator's folder or a handheld's journal.bin")
    return journal


def rows(journal: Journal) -> Iterator[Row]:
    """Yield (section, name, value) of all statistics: sums and bests, the finesse, the tables, the puzzles."""
    life = Life(bytes(journal.read(NUMBERS)))
    for name in FIELDS:
        yield "life", name, str(getattr(life, name))
    for i in range(life.kept):
        yield "finesse", str(i - life.kept + 1), str(life.finesse[i])
    for choice in list_tables():
        table = open_table(journal, choice.kind)
        heading = name_table(choice)
        for place in range(table.count):
            initials, result, lines, level = table.entry(place)
            value = write_result(choice.record[b"result"], result).decode()
            yield heading.decode(), f"{place + 1} {initials.decode('ascii')}", f"{value} lines {lines} level {level}"
    for kept in read_last(journal):
        yield kept.name, "mean of ten", kept.write(kept.mean)
        for at, result in enumerate(kept.results, 1 - len(kept.results)):
            yield kept.name, f"last {at}", kept.write(result)
    for number, count in enumerate(Progress(_PUZZLES, bytes(journal.read(PUZZLES))).tries, 1):
        if count:
            yield "puzzle", str(number), f"{count} tries"


def write_csv(path: Path, journal: Journal) -> None:
    """Write all statistics as CSV; raise OSError."""
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(_HEADS)
    writer.writerows(rows(journal))
    with output(path, is_table) as file:
        file.write(text.getvalue().encode())


def is_table(content: bytes) -> bool:
    return content.startswith(",".join(_HEADS).encode())


def write_png(path: Path, journal: Journal) -> None:
    """Plot finesse and results of the last games beside the totals; raise Refusal without matplotlib, or OSError."""
    if find_spec("matplotlib") is None:
        raise Refusal(f"--png of numbers needs matplotlib; {tell_install('stats')}")
    with output(path) as file:
        draw(Life(bytes(journal.read(NUMBERS))), read_last(journal)).savefig(file, format="png", dpi=120)


def draw(life: Life, lasts: list[Last] | None = None) -> Figure:
    """Return a picture of the finesse and the totals, and below them of the last results of each table with a mean."""
    from matplotlib.figure import Figure

    whole = Figure(figsize=(8, 7 if lasts else 4.5), layout="constrained")
    figure, below = whole.subfigures(2, 1, height_ratios=(9, 5)) if lasts else (whole, whole)
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    if lasts:
        for axes, kept in zip(below.subplots(1, len(lasts), squeeze=False)[0], lasts, strict=True):
            draw_last(axes, kept)
    draw_finesse(left, life)
    draw_totals(right, life)
    return whole


def draw_finesse(axes: Axes, life: Life) -> None:
    """Plot the finesse of the last games and their mean."""
    percents = list(life.finesse[: life.kept])
    axes.plot(range(life.games - life.kept + 1, life.games + 1), percents, marker="o", color="black")
    if percents:
        mean = sum(percents) / len(percents)
        axes.axhline(mean, color="grey", linestyle=":", label=f"mean {mean:.0f} %")
        axes.legend(loc="lower right")
    # Half a game of margin: else the axis of a single game would be a tenth of a game long.
    last = max(life.games, 1)
    axes.set_xlim(last - max(life.kept, 1) + 0.5, last + 0.5)
    axes.set_ylim(0, 105)
    axes.set_xlabel("game")
    axes.set_ylabel("finesse, % of Tetriminos")
    axes.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    axes.set_title("Finesse")


def draw_totals(axes: Axes, life: Life) -> None:
    """Draw a table of all sums and bests."""
    axes.axis("off")
    axes.set_title("Skyline: a life in numbers")
    axes.text(0, 0, "* in games of a minute or more", fontsize=7, transform=axes.transAxes)
    cells = [(LABELS[name], write_total(name, getattr(life, name))) for name in FIELDS]
    table = axes.table(cellText=cells, colWidths=(0.7, 0.3), cellLoc="left", edges="horizontal", loc="center")
    table.auto_set_font_size(False)
    table.set_fontsize(9)
    table.scale(1, 1.35)


def write_total(name: str, value: int) -> str:
    """Return the text of a field of Life: seconds as hours, and hundredths as what they are."""
    if name == "seconds":
        return f"{value / 3600:.1f}"
    if name in ("best_pps", "best_apm"):
        return f"{value / 100:.2f}" if value else "-"
    return f"{value:,}"


def draw_last(axes: Axes, last: Last) -> None:
    """Plot the last results of a table and the mean of ten."""
    from matplotlib.ticker import FuncFormatter

    games = range(1 - len(last.results), 1)
    axes.plot(games, last.results, marker="o", markersize=3, color="black")
    axes.axhline(last.mean, color="grey", linestyle=":", label=f"mean of ten {last.write(last.mean)}")
    axes.legend(loc="best", fontsize=7)
    axes.set_title(last.name, fontsize=9)
    axes.set_xlabel("games ago", fontsize=8)
    axes.set_xlim(-GAMES - 0.5, 0.5)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda at, _place: f"{abs(at):.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda result, _place: last.write(result)))
    axes.tick_params(labelsize=7)
    if not any(last.results):
        axes.set_yticks([0])  # else rounded labels read 0 at every tick
