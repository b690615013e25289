"""Fuzz every reader of what comes from outside."""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sim import terminal
from sim.ownership import check_folder, to_folder, write_folder
from sim.terminal import Refusal, add_number
from tools import ROOT, markdown
from tools.fuzz import running

MARKER = ".skyline-fuzz"  # lists the inputs that we wrote into a folder
PAGE = ROOT / "SECURITY.md"
COMMAND = "python -m tools.fuzz --fill"


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(
        prog="python -m tools.fuzz",
        description="Give every reader damaged input. Only its own errors, in one line, may come out.",
        needs_clone=True,
    )
    parser.add_argument("names", nargs="*", metavar="READER", help="readers to fuzz (default: all)")
    add_number(parser, "--minutes", 1, None, 5, "minutes for all readers together")
    add_number(parser, "--runs", 1, None, None, "inputs for each reader, instead of minutes")
    words = "where inputs that break a reader go (default: fuzz-found)"
    parser.add_argument("--folder", type=to_folder(MARKER), default=Path("fuzz-found"), metavar="DIR", help=words)
    parser.add_argument("--replay", type=terminal.path, metavar="FILE", help="read this input only, by one reader")
    terminal.add_fill(parser, "add the runs to the table in SECURITY.md")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> int:
    """Fuzz, and print one line for each reader; return 1 if one broke."""
    module = running.load()
    known = [target.name for target in module.TARGETS]
    for name in options.names:
        if name not in known:
            raise Refusal(terminal.tell_unknown(name, known, "reader"))
    targets = [target for target in module.TARGETS if target.name in options.names or not options.names]
    if options.replay:
        return replay(targets, module.judge, options.replay)
    if not find_spec("atheris"):
        words = "fuzzing needs atheris, which has wheels for some systems and versions of CPython"
        raise Refusal(f"{words}; {terminal.tell_install('fuzz')}")
    check_folder(options.folder, MARKER)
    limit = f"-runs={options.runs}" if options.runs else f"-max_total_time={options.minutes * 60 // len(targets)}"
    broken = 0
    for target in targets:
        runs, cpu_s, found, faults = running.fuzz(target, module.judge, limit)
        print(f"{target.name}: {runs:,} runs, {len(found)} finding{'s' if len(found) != 1 else ''}", flush=True)
        if found:
            write_folder(options.folder, found, MARKER, keeps_old=True)
        for name in found:
            fault = terminal.one_line(faults.get(name, "it took too long or too much memory, or ended the process"))
            print(f"  python -m tools.fuzz '{target.name}' --replay {options.folder / name}  # {fault}", flush=True)
        broken += len(found)
        if options.fill:
            fill(target.name, runs, cpu_s)
    return 1 if broken else 0


def replay(targets: list[Any], judge: running.Judge, path: Path) -> int:
    """Let a reader read one input, and print what is wrong with it; return 1 if there is something."""
    if len(targets) > 1:
        raise Refusal("--replay needs one reader: name it")
    content = terminal.read_or_refuse(path)
    with tempfile.TemporaryDirectory() as folder:
        fault = judge(targets[0], content, Path(folder))
    print(f"{targets[0].name}: {fault or 'accepts it, or refuses it in one line'}")
    return 1 if fault else 0


def fill(name: str, runs: int, cpu_s: float) -> None:
    """Add a reader's runs to those in the page."""
    rows = {
        reader: [float(cell.replace(",", "")) for cell in cells]
        for reader, *cells in markdown.read_rows(PAGE, "fuzz", COMMAND)
    }
    before = rows.get(name, [0.0, 0.0])
    rows[name] = [before[0] + runs, before[1] + cpu_s / 60]
    rows.pop("all", None)
    rows["all"] = [sum(row[at] for row in rows.values()) for at in range(2)]
    table = markdown.lay_out(
        ["reader", "inputs", "CPU minutes"],
        [(each, f"{count:,.0f}", f"{minutes:.2f}") for each, (count, minutes) in rows.items()],
    )
    markdown.fill_page(PAGE, "fuzz", COMMAND, table)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
