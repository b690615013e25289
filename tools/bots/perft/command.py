"""Count a position by both implementations, and check or write a file of counts."""

import argparse
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sim import progress
from sim.ownership import output
from sim.terminal import Refusal, note, tell_unknown, writing
from tools.bots.perft.positions import (
    COUNTS,
    Counts,
    Position,
    Rules,
    is_counts,
    read_counts,
    read_queue,
    read_rows,
    write_line,
)
from tools.markdown import fill_page, lay_out

WRONG = 1
PAGE = Path(__file__).parents[1] / "README.md"

_BOTH = ("columns", "places")
_DEFAULT_QUEUE = "IOLJSZTI"
_DEEP = 4
_LEAST_S = 0.1  # of CPU time, for a speed
_MOST_WRITTEN = 4_000_000  # nodes of a depth that --write adds


class Timed(NamedTuple):
    """The nodes of one depth, and the CPU seconds that counting them took."""

    nodes: int
    spent_s: float

    def format_speed(self) -> str:
        return f"{self.nodes / self.spent_s:,.0f}" if self.spent_s > 0 else "-"


def make_counter(name: str, position: Position, rules: Rules) -> Any:
    if name == "places":
        from tools.bots.perft.by_places import PlaceCounter

        return PlaceCounter(position, rules)
    from tools.bots.perft.by_columns import ColumnCounter

    return ColumnCounter(position, rules)


def time_count(name: str, position: Position, rules: Rules, depth: int) -> Timed:
    """Count one depth by one implementation: a deep one with a bar, others again and again for _LEAST_S."""

    def follow(items: Sequence[Any]) -> Iterable[Any]:
        return progress.follow(items, f"depth {depth} by {name}", len(items), "placements")

    more = (follow,) if depth >= _DEEP else ()
    times = 0
    start_s = time.process_time()
    spent_s = 0.0
    while not times or spent_s < _LEAST_S:
        nodes = make_counter(name, position, rules).count(depth, *more)  # anew: the reference keeps what it counted
        times += 1
        spent_s = time.process_time() - start_s
    return Timed(nodes, spent_s / times)


def warm_up(names: tuple[str, ...]) -> None:
    """Compile before anything is timed, and say so if it takes long."""
    if "columns" in names:
        from tools.bots.perft.by_columns import compiled

        if not any(compiled.folder.rglob("*.nbc")):
            note("tools.bots perft", "compiling the columns for this Python and processor, once: about 20 s")
        make_counter("columns", Position("", (), read_queue("IT")), Rules(spins=True)).count(2, iter)


def run(options: argparse.Namespace) -> int:
    """Carry out the command; return WRONG if counts differ, else 0. Raise Refusal, ValueError or OSError."""
    names = _BOTH if options.by == "both" else (options.by,)
    if options.check or options.write:
        given = [name for name in ("position", "rows", "queue") if getattr(options, name)]
        given += [name.replace("_", "-") for name in Rules._fields if getattr(options, name)]
        if given:
            raise Refusal(f"--{given[0]} and --{'check' if options.check else 'write'} cannot be used together")
        if options.write:
            return write(options.write, options.depth)
        return check(options.check, options.depth, names)
    position = choose_position(options)
    rules = Rules(options.hold, options.half_turns, options.spins)
    position.check(options.depth, rules)
    if options.fill and (names != _BOTH or any(rules) or position.name != "empty" or options.queue):
        raise Refusal("--fill goes with DEPTH and both implementations, without other options")
    table, wrong = tabulate(position, rules, options.depth, names)
    print(table, end="")
    if wrong:
        note("tools.bots perft", "the implementations differ")
        return WRONG
    if options.fill:
        fill_page(PAGE, "perft", f"python -m tools.bots perft {options.depth} --fill", table)
    return 0


def choose_position(options: argparse.Namespace) -> Position:
    name, rows, queue = Position("empty", (), read_queue(_DEFAULT_QUEUE))
    if options.position:
        if options.rows:
            raise Refusal("--position and --rows cannot be used together")
        known = {counts.position.name: counts.position for counts in read_counts(COUNTS)}
        if options.position not in known:
            raise Refusal(tell_unknown(options.position, known, "position"))
        name, rows, queue = known[options.position]
    elif options.rows:
        name, rows = "own", read_rows(options.rows.split("/"))
    return Position(name, rows, read_queue(options.queue) if options.queue else queue)


def tabulate(position: Position, rules: Rules, depth: int, names: tuple[str, ...]) -> tuple[str, bool]:
    """Return a table of all depths, and whether the implementations differ."""
    warm_up(names)
    rows = []
    wrong = False
    for each in range(1, depth + 1):
        timed = [time_count(name, position, rules, each) for name in names]
        nodes = " or ".join(dict.fromkeys(f"{one.nodes:,}" for one in timed))
        wrong |= len({one.nodes for one in timed}) > 1
        row = [str(each), nodes, *(one.format_speed() for one in timed)]
        if len(timed) == 2:
            first, second = (one.spent_s for one in timed)
            row.append(f"{second / first:.0f}" if first > 0 else "-")
        rows.append(row)
    heads = ["depth", "nodes", *(f"nodes a CPU second, {name}" for name in names)]
    return lay_out(heads + ["ratio"] * (len(names) == 2), rows), wrong


def check(path: Path, depth: int, names: tuple[str, ...]) -> int:
    """Count the lines of a file again, to a depth; report each difference."""
    lines = read_counts(path)
    tasks = [
        (line, each, name) for line in lines for each in range(1, min(depth, len(line.nodes)) + 1) for name in names
    ]
    warm_up(names)
    wrong = 0
    for line, each, name in progress.follow(tasks, "checking", len(tasks), "counts"):
        nodes = make_counter(name, line.position, line.rules).count(each)
        if nodes != line.nodes[each - 1]:
            wrong += 1
            words = f"{line.position.name} with {name_rules(line.rules)}, depth {each}"
            print(f"{words}: the file has {line.nodes[each - 1]:,}, {name} count {nodes:,}")
    print(f"{len(tasks)} counts of {len(lines)} lines checked by {' and '.join(names)}, {wrong} differ")
    return WRONG if wrong else 0


def name_rules(rules: Rules) -> str:
    return ", ".join(name.replace("_", " ") for name, on in rules._asdict().items() if on) or "no extra rule"


def write(path: Path, depth: int) -> int:
    """Count all positions of a file with all rules by both implementations, and write the file anew."""
    positions = dict.fromkeys(line.position for line in read_counts(path))
    combinations = [Rules(*(bool(bits >> i & 1) for i in range(3))) for bits in range(8)]
    tasks = [(position, rules) for position in positions for rules in combinations]
    warm_up(_BOTH)
    lines = [
        write_line(Counts(position, rules, count_all(position, rules, depth)))
        for position, rules in progress.follow(tasks, "counting", len(tasks), "lines")
    ]
    with writing(path), output(path, is_counts) as file:
        file.write("".join(lines).encode())
    return 0


def count_all(position: Position, rules: Rules, depth: int) -> tuple[int, ...]:
    """Return the nodes at each depth up to _MOST_WRITTEN nodes; raise Refusal if the implementations differ."""
    found: list[int] = []
    while len(found) < min(depth, len(position.queue) - rules.hold):
        nodes = make_counter("columns", position, rules).count(len(found) + 1)
        if nodes > _MOST_WRITTEN:
            break
        if nodes != make_counter("places", position, rules).count(len(found) + 1):
            raise Refusal(f"{position.name} with {name_rules(rules)}: the implementations differ at {len(found) + 1}")
        found.append(nodes)
    return tuple(found)
