"""Compare turns with foreign engines on random positions, and print how many agree.

    python -m tools.kicks --triangle FOLDER --cambridge FOLDER          a million positions of each system
    python -m tools.kicks --tetris PYTHON --positions 1000              only with python-tetris, and fewer
    python -m tools.kicks --perft 3                                     count placements by each system

The folders are clones of github.com/halp1/triangle and github.com/cambridge-stacker/cambridge. Node and npm's esbuild
run the first, luajit the second. PYTHON is the interpreter of an environment with PyPI's `tetris`, which has SRS+.
Nothing of them is part of Skyline: they only answer.

A line to an engine is the letter of a Tetrimino, its facing by SRS, and the turn: 0 counterclockwise, 1 clockwise, 2 by
180 degrees. Its four cells follow as column and row, and 24 rows from the floor as masks. The answer are the numbers of
the cells after the turn, row * 10 + column, sorted; or - if it does not turn.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from firmware.engine.matrix import GARBAGE_CELL, WIDTH
from firmware.engine.mode import Mode
from firmware.engine.options import HALF_TURNS, Options
from firmware.modes.kicks import ARIKA, NONE, SRS_PLUS
from firmware.modes.rules import find_rules
from sim import terminal
from sim.bots.places import CELLS
from sim.terminal import Refusal, add_number, add_path
from tools.assets.tetriminos import NAMES
from tools.kicks import counting

SRS = 0
ROWS = 24
TOP = 14  # rows that may have Blocks
SHOWN = 3  # positions that differ
HERE = Path(__file__).parent

_CHUNK = 20_000
_HALF = 2  # the turn by 180 degrees
_PIECES = (1, 2, 3, 5, 6, 7)  # an O does not turn
_TWO_FACED = (5, 7)  # S and Z, by ARS
# Each system with its option; then its name in triangle and in Cambridge, and how many kinds of turns they have for it.
SYSTEMS = {"SRS": SRS, "SRS+": SRS_PLUS, "ARS": ARIKA, "NONE": NONE}
TABLES = {"SRS": ("SRS", 2), "SRS+": ("SRS+", 3), "NONE": ("none", 2)}
RULESETS = {"SRS": ("standard", 2), "ARS": ("arika", 2)}
# The positions of a perft: their name in tools/bots/perft/counts.jsonl, rows and queue.
PERFT = (
    ("empty", (), "IOLJSZT"),
    ("t-spin-double", (0b1111111011, 0b1111110001, 0b0000000011), "TLOIJSZ"),
)


class Position(NamedTuple):
    """rows: a mask for each row, the lowest first."""

    piece: int
    facing: int
    x: int
    y: int
    turn: int
    rows: list[int]


class Found(NamedTuple):
    """Count the positions that turn, that do not, and that differ; the first of these are in `told`."""

    turned: int
    stuck: int
    differ: int
    told: list[str]


def make_game(kicks: int) -> Any:
    options = Options()
    options.kicks = kicks
    options.modern = HALF_TURNS
    return find_rules(Mode(), options)(1, options, Mode())


def list_cells(piece: int, facing: int, x: int, y: int) -> list[tuple[int, int]]:
    return [(x + column, y + row) for column, row in CELLS[piece - 1][facing]]


def draw_positions(chance: random.Random, kicks: int, turns: int) -> Iterator[Position]:
    """Yield positions where a Tetrimino has room and mostly lies close to Blocks."""
    while True:
        density = chance.choice((0.2, 0.35, 0.5, 0.7))
        rows = [sum((chance.random() < density) << x for x in range(WIDTH)) for _ in range(TOP)] + [0] * (ROWS - TOP)
        for _ in range(12):
            piece = chance.choice(_PIECES)
            facing = chance.randrange(4)
            if kicks == ARIKA and piece in _TWO_FACED:
                facing = 2 if facing < 2 else 1  # other facings do not occur
            x, y = chance.randrange(-2, WIDTH), chance.randrange(-2, TOP)
            cells = list_cells(piece, facing, x, y)
            if all(0 <= column < WIDTH and row >= 0 and not rows[row] >> column & 1 for column, row in cells):
                yield Position(piece, facing, x, y, chance.randrange(turns), rows)


def ask_ours(game: Any, position: Position) -> str:
    matrix = game.matrix
    for y in range(TOP):
        row = position.rows[y]
        matrix.set_row(y, bytes(GARBAGE_CELL if row >> column & 1 else 0 for column in range(WIDTH)))
    game.place(position.piece, position.x, position.y, position.facing)
    if not (game.turn_half() if position.turn == _HALF else game.turn(position.turn)):
        return "-"
    cells = list_cells(game.piece, game.facing, game.x, game.y)
    return " ".join(map(str, sorted(row * 10 + column for column, row in cells)))


def write_line(position: Position) -> str:
    cells = " ".join(f"{column} {row}" for column, row in list_cells(*position[:4]))
    return f"{NAMES[position.piece - 1]} {position.facing} {position.turn} {cells} {' '.join(map(str, position.rows))}"


def ask(command: list[str], lines: list[str]) -> list[str]:
    """Return the answers of a foreign engine; raise Refusal if it fails."""
    try:
        done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    except OSError as problem:
        raise Refusal(f"cannot run {command[0]}: {problem.strerror}") from None
    answers = done.stdout.split("\n")[:-1]
    if done.returncode or len(answers) != len(lines):
        raise Refusal(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")
    return answers


def bundle(folder: Path, esbuild: Path, target: Path) -> Path:
    """Compile triangle's turns into one file; raise Refusal."""
    made = target / "triangle.cjs"
    entry = f'export {{ performKick }} from "{folder}/src/engine/utils/kicks";\n'
    entry += f'export {{ tetrominoes }} from "{folder}/src/engine/utils/tetromino/data";\n'
    command = [str(esbuild), "--bundle", "--platform=node", "--format=cjs", "--log-level=error", f"--outfile={made}"]
    try:
        done = subprocess.run(command, input=entry, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as problem:
        raise Refusal(f"cannot run {esbuild}: {problem.strerror}; npm install esbuild") from None
    if done.returncode:
        raise Refusal(f"esbuild cannot compile {folder}: {done.stderr.strip()}")
    return made


def compare(name: str, turns: int, command: list[str], count: int) -> Found:
    """Return how many of `count` positions an engine turns as ours does."""
    kicks = SYSTEMS[name]
    game = make_game(kicks)
    positions = draw_positions(random.Random(name), kicks, turns)
    turned = differ = 0
    told: list[str] = []
    for start in range(0, count, _CHUNK):
        some = list(islice(positions, min(count - start, _CHUNK)))
        lines = [write_line(position) for position in some]
        for position, line, answer in zip(some, lines, ask(command, lines), strict=True):
            ours = ask_ours(game, position)
            turned += ours != "-"
            if ours != answer:
                differ += 1
                told += [f"{line}: ours {ours}, theirs {answer}"] * (len(told) < SHOWN)
    return Found(turned, count - turned, differ, told)


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.kicks", description=(__doc__ or "").split("\n")[0])
    add_path(parser, "--triangle", "FOLDER", "a clone of github.com/halp1/triangle")
    add_path(parser, "--cambridge", "FOLDER", "a clone of github.com/cambridge-stacker/cambridge")
    add_path(parser, "--tetris", "PYTHON", "the interpreter of an environment with PyPI's tetris 1.0.0a0")
    words = "npm's esbuild, which compiles triangle (default: one in PATH)"
    add_path(parser, "--esbuild", "FILE", words, Path("esbuild"))
    add_number(parser, "--positions", 1, None, 1_000_000, "of each system")
    most = len(PERFT[0][2])
    add_number(parser, "--perft", 1, most, None, "count placements of N Tetriminos by each system instead", "N")
    return parser.run(run, arguments)


def print_counts(depth: int) -> None:
    heads = " | ".join(f"depth {number}" for number in range(1, depth + 1))
    print(f"| position | system | {heads} |\n|---|---|{'---:|' * depth}", flush=True)
    for position, rows, queue in PERFT:
        pieces = tuple(NAMES.index(letter) + 1 for letter in queue)
        for name, kicks in SYSTEMS.items():
            game = make_game(kicks)
            nodes = [counting.count_nodes(game, rows, pieces[:number]) for number in range(1, depth + 1)]
            print(f"| {position} | {name} | " + " | ".join(f"{count:,}" for count in nodes) + " |", flush=True)


def list_engines(options: argparse.Namespace, name: str, made: Path) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the engines that have a system: the name of each, how many kinds of turns it has, and its command."""
    if options.triangle and name in TABLES:
        table, turns = TABLES[name]
        yield "triangle", turns, ["node", str(HERE / "triangle.mjs"), str(made), table]
    if options.cambridge and name in RULESETS:
        ruleset, turns = RULESETS[name]
        yield "Cambridge", turns, ["luajit", str(HERE / "cambridge.lua"), str(options.cambridge), ruleset]
    if options.tetris and SYSTEMS[name] == SRS_PLUS:
        start = f"import sys; sys.path.insert(0, {str(HERE)!r}); import python_tetris; python_tetris.answer()"
        yield "python-tetris", 3, [str(options.tetris), "-c", start]


def run(options: argparse.Namespace) -> int:
    """Print a table; return 1 if a position differs."""
    if options.perft:
        print_counts(options.perft)
        return 0
    if not (options.triangle or options.cambridge or options.tetris):
        raise Refusal("nothing to compare with; name an engine with --triangle, --cambridge or --tetris")
    wrong = 0
    print("| system | engine | positions | turn | do not | differ |\n|---|---|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        made = bundle(options.triangle.resolve(), options.esbuild, Path(folder)) if options.triangle else Path()
        for name in SYSTEMS:
            for engine, turns, command in list_engines(options, name, made):
                found = compare(name, turns, command, options.positions)
                numbers = (options.positions, found.turned, found.stuck, found.differ)
                print(f"| {name} | {engine} | " + " | ".join(f"{number:,}" for number in numbers) + " |", flush=True)
                for line in found.told:
                    print("   ", terminal.one_line(line), file=sys.stderr)
                wrong += found.differ
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
