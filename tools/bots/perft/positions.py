"""Define a position and its rules, and read and write the lines of a file of counts (tools/bots/README.md, Perft)."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from firmware.engine.matrix import HEIGHT, WIDTH
from sim import terminal
from sim.bots.protocol import LETTERS
from sim.terminal import Refusal

COUNTS = Path(__file__).with_name("counts.jsonl")
DEEPEST = 12

_FULL = (1 << WIDTH) - 1
_PIECES = LETTERS[1:8]


class Rules(NamedTuple):
    """hold: the Hold Queue, empty at first.  half_turns: turns by 180 degrees.  spins: tell spins of a T apart."""

    hold: bool = False
    half_turns: bool = False
    spins: bool = False


class Position(NamedTuple):
    """name: in a file of counts.  rows: a mask for each row, the lowest first; bit x is column x.  queue: of pieces."""

    name: str
    rows: tuple[int, ...]
    queue: tuple[int, ...]

    def check(self, depth: int, rules: Rules) -> None:
        """Raise ValueError if the queue is too short for a depth."""
        needed = depth + rules.hold
        if len(self.queue) < needed:
            with_hold = " with Hold" if rules.hold else ""
            raise ValueError(f"depth {depth}{with_hold} needs {needed} pieces, the queue has {len(self.queue)}")


class Counts(NamedTuple):
    """One line of a file: the nodes of a position at depth 1, 2, 3 ..."""

    position: Position
    rules: Rules
    nodes: tuple[int, ...]


def read_queue(text: str) -> tuple[int, ...]:
    """Return the pieces of a queue such as IOLJSZT; raise ValueError."""
    if not isinstance(text, str) or not text or text.strip(_PIECES):
        raise ValueError(f"{text!r} is not a queue: write letters of {_PIECES}, the piece in play first")
    return tuple(map(LETTERS.index, text))


def read_rows(rows: list[str]) -> tuple[int, ...]:
    """Return the masks of rows such as "##.#######", the highest row first; raise ValueError."""
    if not isinstance(rows, list) or len(rows) > HEIGHT:
        raise ValueError(f"a Matrix is a list of at most {HEIGHT} rows")
    masks = []
    for row in reversed(rows):
        if not isinstance(row, str) or len(row) != WIDTH or row.strip("#."):
            raise ValueError(f"{row!r} is not a row: write {WIDTH} characters, # for a Block and . for an empty cell")
        masks.append(sum(1 << x for x, cell in enumerate(row) if cell == "#"))
    if _FULL in masks:
        raise ValueError("a row is full; it would have been cleared")
    return tuple(masks)


def write_rows(masks: tuple[int, ...]) -> list[str]:
    return ["".join("#" if mask >> x & 1 else "." for x in range(WIDTH)) for mask in reversed(masks)]


def read_counts(path: Path) -> list[Counts]:
    """Return the lines of a file of counts; raise Refusal with the number of a wrong line, or OSError."""
    try:
        return parse_counts(terminal.read(path))
    except Refusal as problem:
        raise Refusal(f"{path}{problem}") from None


def parse_counts(content: bytes) -> list[Counts]:
    """Return the lines of a file of counts; raise Refusal with the number of a wrong line."""
    found = []
    try:
        lines = terminal.decode(content).splitlines()
    except UnicodeDecodeError:
        raise Refusal(" is not text in UTF-8; save it as UTF-8") from None
    for number, line in enumerate(lines, 1):
        try:
            found.append(read_line(json.loads(line)))
        except (ValueError, RecursionError) as problem:
            words = "not JSON" if isinstance(problem, json.JSONDecodeError) else problem
            raise Refusal(f", line {number}: {words}") from None
    if not found:
        raise Refusal(" is empty")
    return found


def is_counts(content: bytes) -> bool:
    try:
        return bool(parse_counts(content))
    except Refusal:
        return False


def read_line(value: Any) -> Counts:
    """Return the counts of one line; raise ValueError."""
    keys = ["position", "rows", "queue", *Rules._fields, "nodes"]
    if not isinstance(value, dict) or sorted(value) != sorted(keys):
        raise ValueError(f"needs an object with {', '.join(keys)}")
    name, nodes = value["position"], value["nodes"]
    flags = [value[field] for field in Rules._fields]
    if not isinstance(name, str) or not name:
        raise ValueError("position is not a name")
    if any(type(flag) is not bool for flag in flags):
        raise ValueError(f"{', '.join(Rules._fields)} are true or false")
    if not isinstance(nodes, list) or any(type(count) is not int or count < 0 for count in nodes):
        raise ValueError("nodes is not a list of whole numbers")
    if len(nodes) > DEEPEST:
        raise ValueError(f"has {len(nodes)} depths, at most {DEEPEST} are possible")
    counts = Counts(Position(name, read_rows(value["rows"]), read_queue(value["queue"])), Rules(*flags), tuple(nodes))
    counts.position.check(len(nodes), counts.rules)
    return counts


def write_line(counts: Counts) -> str:
    """Return one line of a file, with its line end."""
    name, rows, queue = counts.position
    letters = "".join(LETTERS[piece] for piece in queue)
    value = {"position": name, "rows": write_rows(rows), "queue": letters, **counts.rules._asdict()}
    return json.dumps(value | {"nodes": list(counts.nodes)}) + "\n"
