"""The figures on the pages are those of `python -m tools.measure`; its estimates are near the board's figures."""

import itertools
import os
import re
import sys
from pathlib import Path

import pytest

from sim.terminal import Refusal
from tests.support.handhelds.board_console import find_uf2
from tests.support.needs import needs_wasm
from tests.support.running import ROOT, run_python
from tools import markdown
from tools.measure import emulated, report
from tools.measure.__main__ import CASES, main
from tools.measure.figures import Figure
from tools.measure.report import Row

PAGE = ROOT / "tools" / "measure" / "README.md"
BEGIN, END = markdown.mark("board", report.COMMAND)
TIMED = "turns of `s += i & 3`"  # a time on this machine, which differs in each run


def read_rows(text: str) -> dict[str, str]:
    """Return the rows of the first table that do not depend on the machine."""
    lines = text[text.index("| what") :].splitlines()
    table = itertools.takewhile(lambda line: line.startswith("|"), lines[2:])
    rows = dict(re.split(r" *\| *", line.strip("| ")) for line in table)
    return {name: value for name, value in rows.items() if name.startswith("instructions") or TIMED not in name}


@pytest.mark.long
@needs_wasm
def test_the_table_of_the_page_is_printed_by_the_command() -> None:
    printed = read_rows(run_python("-m", "tools.measure", check=True).stdout)
    assert len(printed) > 40 and read_rows(PAGE.read_text(encoding="utf-8")) == printed


def read_table(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return text.partition(BEGIN)[2].partition(END)[0]


def test_every_case_of_the_command_is_measured_and_estimated() -> None:
    assert list(emulated.CASES) == CASES


def test_every_estimate_is_within_a_tenth_of_the_board() -> None:
    off = dict(re.findall(r"^\| (.*?) +\|.* ([+-]\d+) % \|$", read_table(report.PAGE), re.MULTILINE))
    # Worst cases are rare. The board plays another match than the estimate, and its buttons are pressed two hundred
    # times, while the estimate adds the longest wait to the longest frame of a whole recording.
    rare = {f"{emulated.name_match(computers)}: frame, worst" for computers in (1, 3)}
    rare.add(f"{emulated.NAME_EDGE}, worst")
    assert off.keys() > rare and len(off) > 20
    assert {name: percent for name, percent in off.items() if abs(int(percent)) > (20 if name in rare else 10)} == {}


def test_the_short_page_quotes_the_long_one() -> None:
    long, short = (
        [tuple(cell.strip() for cell in line.split("|")[1:3]) for line in read_table(page).splitlines()[2:]]
        for page in (report.PAGE, report.SHORT_PAGE)
    )
    assert len(short) > 6 and set(short) <= set(long)


ROWS = [Row(Figure("Marathon: edge to pixels, mean", 26.31, "ms"), 25.0), Row(Figure("Zen, play: free", 75_824, "B"))]


def test_a_row_has_the_error_of_the_estimate() -> None:
    assert report.tabulate(ROWS).splitlines() == [
        "| what                           | on the board | estimate |  off |",
        "| ------------------------------ | -----------: | -------: | ---: |",
        "| Marathon: edge to pixels, mean |      26.3 ms |  25.0 ms | -5 % |",
        "| Zen, play: free                |     75,824 B |          |      |",
    ]


def test_a_page_is_changed_only_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "README.md"
    page.write_text(f"before\n{BEGIN}old\n{END}\nafter\n", encoding="utf-8")
    report.write_pages(ROWS, {page: "new\n"})
    assert page.read_text(encoding="utf-8") == f"before\n{BEGIN}new\n{END}\nafter\n"


def test_no_page_is_written_if_one_has_no_marks(tmp_path: Path) -> None:
    whole, bare = tmp_path / "whole.md", tmp_path / "bare.md"
    whole.write_text(f"{BEGIN}old\n{END}\n", encoding="utf-8")
    bare.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(Refusal, match=r"bare\.md has no place for the table"):
        report.write_pages(ROWS, {whole: "new\n", bare: "new\n"})
    assert "old" in whole.read_text(encoding="utf-8")


def test_a_missing_uf2_is_reported_in_one_line(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setenv("SKYLINE_UF2", str(tmp_path / "none.uf2"))
    monkeypatch.setattr(sys, "argv", ["measure", "--board"])
    assert main() == 2 and capsys.readouterr().err == f"tools.measure: there is no file {tmp_path / 'none.uf2'}\n"


@pytest.mark.long
@pytest.mark.board
@needs_wasm
def test_the_boards_figures_on_the_pages_are_current() -> None:
    environment = os.environ | {"SKYLINE_UF2": str(find_uf2())}
    done = run_python("-m", "tools.measure", "--board", env=environment, check=True)
    assert read_table(PAGE) == done.stdout


def test_code_py_has_one_line_that_a_recording_replaces() -> None:
    assert (ROOT / "code.py").read_text(encoding="utf-8").count(emulated._RUN) == 1
