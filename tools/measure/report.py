"""Put the board's figures beside the estimates in a table, and fill the pages that quote them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sim import progress
from sim.ownership import write_clone
from tools.interpreters import ROOT
from tools.markdown import fill_file, lay_out
from tools.measure.emulated import CASES, NAME_RECORDED, Bench, name_match
from tools.measure.figures import Figure

COMMAND = "python -m tools.measure --write-board"
PAGE = ROOT / "tools" / "measure" / "README.md"
SHORT_PAGE = ROOT / "firmware" / "device" / "README.md"
# The short page quotes all figures whose names begin with one of these.
_SHORT = (
    f"{NAME_RECORDED}: frame",
    *(f"{name_match(computers)}: frame, mean" for computers in (1, 3)),
    "Marathon, play: free",
    *(f"{name_match(computers)}, play: free" for computers in (1, 3)),
)


@dataclass(frozen=True)
class Row:
    """A figure of the board, and its estimate if there is one."""

    figure: Figure
    estimate: float | None = None

    @property
    def off(self) -> float:
        """Return the estimate's error as a fraction of the board's figure; 0 without an estimate."""
        return 0.0 if self.estimate is None else self.estimate / self.figure.value - 1

    @property
    def cells(self) -> list[str]:
        """Return the table's cells: name, board's figure, estimate, error of the estimate."""
        guess = ["", ""]
        if self.estimate is not None:
            guess = [replace(self.figure, value=self.estimate).cell, f"{100 * self.off:+.0f} %"]
        return [self.figure.what, self.figure.cell, *guess]


def measure(names: list[str]) -> Iterator[Row]:
    """Measure cases on the emulated firmware and estimate them; raise BoardError if there is no UF2."""
    bench = Bench()
    for name in progress.follow(names, "measuring", len(names), "cases"):
        figures = list(CASES[name].measure(bench))
        estimates = {each.what: each.value for each in CASES[name].estimate()}
        unknown = estimates.keys() - {each.what for each in figures}
        if unknown:
            raise AssertionError(f"estimated and not measured: {', '.join(sorted(unknown))}")
        for figure in figures:
            yield Row(figure, estimates.get(figure.what))


def tabulate(rows: list[Row]) -> str:
    return lay_out(["what", "on the board", "estimate", "off"], [row.cells for row in rows])


def tabulate_short(rows: list[Row]) -> str:
    """Return the table of the figures that matter to builders of a handheld."""
    chosen = [row.cells[:2] for row in rows if row.figure.what.startswith(_SHORT)]
    return lay_out(["what", "on the emulated Pico"], chosen)


def write_pages(rows: list[Row], pages: dict[Path, str] | None = None) -> None:
    """Write the tables into the pages, by default both; raise OSError, or Refusal before any page is written."""
    pages = pages or {PAGE: tabulate(rows), SHORT_PAGE: tabulate_short(rows)}
    texts = {path: fill_file(path, "board", COMMAND, table) for path, table in pages.items()}
    for path, text in texts.items():
        write_clone(path, text.encode())
