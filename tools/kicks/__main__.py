"""Compare turns with foreign engines on random positions, and print how many agree.

    python -m tools.kicks --triangle FOLDER --cambridge FOLDER          a million positions of each system
    python -m tools.kicks --triangle FOLDER --positions 1000            only with triangle, and fewer

The folders are clones of github.com/halp1/triangle and github.com/cambridge-stacker/cambridge. Node with npm's esbuild
runs the first, luajit the second. Nothing of them is part of Skyline: they only answer.

A line to an engine is the letter of a Tetrimino, its facing by SRS, the turn (0 counterclockwise, 1 clockwise, 2 by 180
degrees), its four cells as column and row, and 24 rows from the floor as masks. The answer are the numbers of the cells
after the turn, row * 10 + column, sorted; or - if it does not turn.
"""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from firmware.engine.matrix import GARBAGE_CELL, WIDTH
from firmware.engine.mode import Mode
from firmware.engine.options import HALF_TURNS, Options
from firmware.engine.tables import SHAPES
from firmware.modes.kicks import ARIKA, NONE, SRS_PLUS
from firmware.modes.rules import find_rules
from sim import terminal
from tools.assets.tetriminos import NAMES

SRS = 0
ROWS = 24
TOP = 14  # rows that may have Blocks
CHUNK = 20_000
HERE = Path(__file__).parent
# The name of each system, its option, and its turns with 180 degrees or without.
SYSTEMS = (("SRS", SRS, 2), ("SRS+", SRS_PLUS, 3), ("ARS", ARIKA, 2), ("NONE", NONE, 2))
RULESETS = {"SRS": "standard", "ARS": "arika"}
TABLES = {"SRS": "SRS", "SRS+": "SRS+", "NONE": "none"}

Position = tuple[int, int, int, int, int, list[int]]
"""Piece, facing, x, y, turn, and the masks of the rows."""


def make_game(kicks: int) -> Any:
    options = Options()
    options.kicks = kicks
    options.modern = HALF_TURNS
    return find_rules(Mode(), options)(1, options, Mode())


def list_cells(piece: int, facing: int, x: int, y: int) -> list[tuple[int, int]]:
    start = (piece - 1) * 16 + facing * 4
    return [(x + i, y + row) for row in range(4) for i in range(4) if SHAPES[start + row] >> i & 1]


def draw_positions(chance: random.Random, kicks: int, turns: int) -> Iterator[Position]:
    """Yield positions where a Tetrimino has room and mostly lies close to Blocks."""
    while True:
        density = chance.choice((0.2, 0.35, 0.5, 0.7))
        rows = [sum((chance.random() < density) << x for x in range(WIDTH)) for _ in range(TOP)] + [0] * (ROWS - TOP)
        for _ in range(12):
            piece = chance.choice((1, 2, 3, 5, 6, 7))
            facing = chance.randrange(4)
            if kicks == ARIKA and piece in (5, 7):
                facing = 2 if facing < 2 else 1  # other facings do not occur
            x, y = chance.randrange(-2, WIDTH), chance.randrange(-2, TOP)
            cells = list_cells(piece, facing, x, y)
            if all(0 <= column < WIDTH and row >= 0 and not rows[row] >> column & 1 for column, row in cells):
                yield piece, facing, x, y, chance.randrange(turns), rows


def ask_ours(game: Any, position: Position) -> str:
    """Return the answer of our engine."""
    piece, facing, x, y, turn, rows = position
    matrix = game.matrix
    for row in range(TOP):
        matrix.set_row(row, bytes(GARBAGE_CELL if rows[row] >> column & 1 else 0 for column in range(WIDTH)))
    game.place(piece, x, y, facing)
    if not (game.turn_half() if turn == 2 else game.turn(turn)):
        return "-"
    cells = list_cells(game.piece, game.facing, game.x, game.y)
    return " ".join(map(str, sorted(row * 10 + column for column, row in cells)))


def write_line(position: Position) -> str:
    piece, facing, x, y, turn, rows = position
    cells = " ".join(f"{column} {row}" for column, row in list_cells(piece, facing, x, y))
    return f"{NAMES[piece - 1]} {facing} {turn} {cells} {' '.join(map(str, rows))}"


def ask(command: list[str], lines: list[str]) -> list[str]:
    """Return the answers of a foreign engine."""
    asked = "\n".join(lines) + "\n"
    return subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def bundle(folder: Path, target: Path) -> Path:
    """Compile triangle's turns into one file."""
    (target / "entry.ts").write_text(
        f'export {{ performKick }} from "{folder}/src/engine/utils/kicks";\n'
        f'export {{ tetrominoes }} from "{folder}/src/engine/utils/tetromino/data";\n',
        encoding="utf-8",
    )
    made = target / "triangle.cjs"
    command = ["npx", "esbuild", "entry.ts", "--bundle", "--platform=node", "--format=cjs", f"--outfile={made}"]
    subprocess.run(command, cwd=target, check=True, capture_output=True)
    return made


def compare(name: str, kicks: int, turns: int, command: list[str], count: int) -> Counter[str]:
    """Return how many positions agree, and how many of the others differ in which way."""
    chance = random.Random(name)
    game = make_game(kicks)
    found: Counter[str] = Counter()
    positions = draw_positions(chance, kicks, turns)
    while count:
        some = list(islice(positions, min(count, CHUNK)))
        count -= len(some)
        answers = ask(command, [write_line(position) for position in some])
        for position, answer in zip(some, answers, strict=True):
            ours = ask_ours(game, position)
            found["turned" if ours != "-" else "not turned"] += 1
            if ours != answer:
                found["differ"] += 1
                if found["differ"] <= 3:
                    print("   ", write_line(position), "ours:", ours, "theirs:", answer)
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.kicks", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--triangle", type=Path, help="a clone of triangle, in a folder where npx finds esbuild")
    parser.add_argument("--cambridge", type=Path, help="a clone of Cambridge")
    parser.add_argument("--positions", type=int, default=1_000_000, help="of each system (default: a million)")
    parser.add_argument("--work", type=Path, default=Path(), help="a folder with node_modules for esbuild")
    options = parser.parse_args(arguments)
    wrong = 0
    print("| system | engine | positions | turn | do not | differ |\n|---|---|---:|---:|---:|---:|")
    for name, kicks, turns in SYSTEMS:
        commands = []
        if options.triangle and name in TABLES:
            made = bundle(options.triangle.resolve(), options.work.resolve())
            commands.append(("triangle", turns, ["node", str(HERE / "triangle.mjs"), str(made), TABLES[name]]))
        if options.cambridge and name in RULESETS:
            lua = ["luajit", str(HERE / "cambridge.lua"), str(options.cambridge), RULESETS[name]]
            commands.append(("Cambridge", 2, lua))
        for engine, most, command in commands:
            found = compare(name, kicks, most, command, options.positions)
            wrong += found["differ"]
            numbers = (options.positions, found["turned"], found["not turned"], found["differ"])
            print(f"| {name} | {engine} | " + " | ".join(f"{number:,}" for number in numbers) + " |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
