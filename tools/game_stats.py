"""Write the games of the simulator's database as CSV, and plot them by week and by day."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.scenes.menus.scores_result import write_result
from sim import database, progress
from sim.library import MODES, NO_FINESSE, Library
from sim.ownership import output
from sim.terminal import Refusal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HUNDREDTHS = ("pps", "apm", "app", "kpp")
_RATES = (("pps", "PPS"), ("apm", "APM"), ("app", "APP"), ("kpp", "KPP"), ("finesse", "finesse, %"))
_TOLD = database.TABLE[:-1]  # without `kept`
_HEADS = (*_TOLD, "recording")
_WIDTH_INCHES = 15
_ROW_INCHES = 2.1
_MONDAY = date(1, 1, 1).toordinal()  # a Monday


@dataclass
class Span:
    """The games of one mode in one day or week.

    best: the best result, None if no game has one.  total: of all results.  measured: games with figures.
    sums: of each rate of _RATES over these; hundredths, and percent.
    """

    day: date
    games: int
    best: int | None
    total: int
    measured: int
    sums: list[int]

    def mean(self, rate: int) -> float:
        """Return the mean of a rate; nan if no game has figures."""
        scale = 1 if _RATES[rate][0] == "finesse" else 100
        return self.sums[rate] / self.measured / scale if self.measured else float("nan")

    def add(self, other: Span, fewest: bool) -> None:
        bests = [best for best in (self.best, other.best) if best is not None]
        self.best = (min if fewest else max)(bests, default=None)
        self.games += other.games
        self.total += other.total
        self.measured += other.measured
        self.sums = [one + more for one, more in zip(self.sums, other.sums, strict=True)]


@dataclass(frozen=True)
class Played:
    """A mode with an aim and its games, the oldest first."""

    variant: str
    aim: int
    days: list[Span]

    @property
    def kind(self) -> bytes:
        """What a result is, as modes.txt says; b"" for a match."""
        return MODES[self.variant][b"result"] if self.variant in MODES else b""

    @property
    def fewest(self) -> bool:
        """Whether the lowest result wins."""
        return self.kind.endswith(b"fewest")

    @property
    def name(self) -> str:
        """The mode's name, with its aim if it has one."""
        return f"{self.variant} {self.aim}" if self.aim else self.variant

    def weeks(self) -> list[Span]:
        """Return the games by week, each under its Monday."""
        weeks: dict[date, Span] = {}
        for span in self.days:
            monday = span.day - timedelta((span.day.toordinal() - _MONDAY) % 7)
            if monday in weeks:
                weeks[monday].add(span, self.fewest)
            else:
                weeks[monday] = replace(span, day=monday)
        return list(weeks.values())


def read_played(library: Library) -> list[Played]:
    """Return all modes that were played, the most played first."""
    modes = sorted(library.ask(database.MODES_PLAYED), key=lambda row: (-row[2], row[0], row[1]))
    played = [Played(variant, aim, []) for variant, aim, _count in modes]
    for mode in played:
        for day, games, least, most, total, measured, *sums in library.ask(database.DAYS, mode.variant, mode.aim):
            best = least if mode.fewest else most or None
            rates = [number or 0 for number in sums]
            mode.days.append(Span(date.fromisoformat(day), games, best, total, measured, rates))
    return played


def open_games(library: Library) -> Library:
    """Measure the games that have no figures yet; return the library, or raise Refusal if it has no games."""
    library.measure(lambda rows: progress.follow(rows, "measuring games", len(rows), "games"))
    if not library.ask(database.MODES_PLAYED):
        raise Refusal(f"{library.folder}: no game has ended there yet")
    return library


def write_games(path: Path, library: Library) -> None:
    """Write a line for each game as CSV; raise OSError."""
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(_HEADS)
    for *row, kept in library.ask(database.EVERYTHING):
        for place, name in enumerate(_TOLD):
            if name in _HUNDREDTHS and row[place] is not None:
                row[place] = f"{row[place] / 100:.2f}"
        if row[_TOLD.index("variant")] in NO_FINESSE:
            row[_TOLD.index("finesse")] = None
        writer.writerow((*row, library.folder / f"{row[0]}.sky" if kept else ""))
    with output(path, is_table) as file:
        file.write(text.getvalue().encode())


def is_table(content: bytes) -> bool:
    return content.startswith(",".join(_HEADS).encode())


def draw_progress(played: list[Played]) -> Figure:
    """Return a plot with a row for each mode: the best result of each week, then the mean of each rate."""
    columns = ["best of the week", *(label for _name, label in _RATES)]
    figure, rows = _make_figure("Progress by week", len(played), len(columns))
    for mode, row in zip(played, rows, strict=True):
        weeks = mode.weeks()
        days = [week.day for week in weeks]
        _draw_results(row[0], mode, weeks)
        _set_dates(row[0], mode)
        for rate, axes in enumerate(row[1:]):
            is_finesse = _RATES[rate][0] == "finesse"
            if is_finesse and mode.variant in NO_FINESSE:
                axes.set_axis_off()
                continue
            means = [week.mean(rate) for week in weeks]
            axes.plot(days, means, marker="o", markersize=3, color="black")
            axes.set_ylim(bottom=0, top=105 if is_finesse else None)
            if not any(means):
                axes.set_yticks([0])
            _set_dates(axes, mode)
    for axes, label in zip(rows[0], columns, strict=True):
        axes.set_title(label, fontsize=9)
    return figure


def draw_days(played: list[Played]) -> Figure:
    """Return a plot with a row for each mode: the best of each day, and the record up to then as a line."""
    figure, rows = _make_figure("Best of each day", len(played), 1)
    for mode, (axes,) in zip(played, rows, strict=True):
        _draw_results(axes, mode, mode.days, "none")
        _set_dates(axes, mode)
        if not mode.kind:
            continue
        record: int | None = None
        days, records = [], []
        for span in mode.days:
            if span.best is not None:
                record = span.best if record is None else (min if mode.fewest else max)(record, span.best)
                days.append(span.day)
                records.append(record)
        axes.step(days, records, where="post", color="grey", label="record")
        if days:
            axes.legend(loc="best", fontsize=7)
    return figure


def _make_figure(title: str, rows: int, columns: int) -> tuple[Figure, list[list[Axes]]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH_INCHES if columns > 1 else _WIDTH_INCHES / 2, _ROW_INCHES * rows + 0.6))
    figure.set_layout_engine("constrained")
    figure.suptitle(title)
    axes = figure.subplots(rows, columns, squeeze=False)
    for one in axes.flat:
        one.tick_params(labelsize=7)
        one.grid(color="gainsboro", linewidth=0.5)
    return figure, axes.tolist()


def _set_dates(axes: Axes, mode: Played) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    margin = timedelta(8)  # a week stands at its Monday
    axes.set_xlim(mode.days[0].day - margin, mode.days[-1].day + margin)
    locator = AutoDateLocator(minticks=2, maxticks=5)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))


def _draw_results(axes: Axes, mode: Played, spans: list[Span], line: str = "solid") -> None:
    """Plot the best result of each span, or the share of matches won."""
    from matplotlib.ticker import FuncFormatter

    if mode.kind:
        points = [(span.day, span.best) for span in spans if span.best is not None]
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _at: write_result(mode.kind, int(value)).decode()))
        unit = mode.kind.split()[0].decode()
    else:
        points = [(span.day, 100 * span.total // span.games) for span in spans]
        axes.set_ylim(0, 105)
        unit = "won, %"
    if mode.kind and not any(best for _, best in points):
        axes.set_yticks([0])  # else rounded labels read 0 at every tick
    axes.plot(
        [day for day, _ in points],
        [best for _, best in points],
        linestyle=line,
        marker="o",
        markersize=3,
        color="black",
    )
    games = sum(span.games for span in mode.days)
    axes.set_ylabel(f"{mode.name}, {games} game{'s' * (games > 1)}\n{unit}", fontsize=8)


def write_plot(draw: Callable[[list[Played]], Figure], path: Path, library: Library) -> None:
    """Write a plot of all modes as PNG; raise OSError."""
    with output(path) as file:
        draw(read_played(library)).savefig(file, format="png", dpi=90)


WRITERS: dict[str, Callable[[Path, Library], None]] = {
    "games": write_games,
    "progress": partial(write_plot, draw_progress),
    "days": partial(write_plot, draw_days),
}
