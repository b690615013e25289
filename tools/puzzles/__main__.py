"""Make the handheld's puzzles from text or a fumen; solve, prove and pack them.

    python -m tools.puzzles list
    python -m tools.puzzles show 12 --solution
    python -m tools.puzzles add my-puzzle.txt
    python -m tools.puzzles add "https://fumen.zui.jp/?v115@..." --name "MY PUZZLE" --goal "clear all"
    python -m tools.puzzles check --solve
    python -m tools.puzzles allclear --count 4 --seed 7

`add` writes tools/puzzles/puzzles.txt and firmware/puzzles.bin. Copy the firmware to the board afterwards.
"""

import argparse
import random
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

from firmware.modes.lessons.all_clear_file import FEWEST, GRADES
from sim import pasted, progress, terminal
from sim.ownership import write_clone
from sim.terminal import Refusal, add_fill, add_flag, add_number, number_within
from tools.puzzles import chances, first_game
from tools.puzzles.fumen import read_fumen
from tools.puzzles.packing import TARGET, pack_all, prove
from tools.puzzles.solver import Answer, TooLongError, solve
from tools.puzzles.text import LETTERS, SOURCE, Puzzle, PuzzleError, draw_step, drop_full_rows, make, read, write

_PATIENCE = 200_000
_MOST = 100  # solutions to count
_MOST_SPIN_LINES = 3
STALE = 1


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return 0, 1 if puzzles.bin is not current, or 2 after one line on stderr."""
    words = "Write, solve, prove and pack the handheld's puzzles; tools/puzzles/README.md describes their format."
    parser = terminal.Parser(prog="python -m tools.puzzles", description=words)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="list all puzzles")
    command = commands.add_parser("show", help="show a puzzle as text")
    command.add_argument("puzzle", metavar="N", help="number or name of the puzzle")
    add_flag(command, "--solution", "also show the Matrix before and after each step of the proof")
    command = commands.add_parser("solve", help="find all solutions of a puzzle")
    command.add_argument("puzzle", metavar="N", help="number or name of the puzzle, or a file in the same format")
    words = "add puzzles from a file or a fumen, once they are solved and proved"
    command = commands.add_parser("add", help=words, needs_clone=True)
    command.add_argument("source", metavar="FILE|FUMEN", help="a file in the format of puzzles.txt, or a fumen link")
    command.add_argument("--name", help="name of a puzzle from a fumen: up to 12 capitals")
    command.add_argument("--goal", help="clear all (default), t-spin double, lines 4, combo 3 and so on")
    command.add_argument("--queue", help="the next Tetriminos, if the fumen has none")
    command.add_argument("--hold", help="the Tetrimino in Hold, or off to play without Hold")
    command.add_argument("--words", help="up to two lines of 16 capitals, separated by a bar")
    words = "prove all puzzles with the engine, and check that puzzles.bin is current"
    add_flag(commands.add_parser("check", help=words), "--solve", "also look for other solutions (takes minutes)")
    commands.add_parser("build", help="write firmware/puzzles.bin and first_game.bin", needs_clone=True)
    words = "invent puzzles with exactly one solution and print them until stopped"
    command = commands.add_parser("invent", help=words)
    command.add_argument("kind", choices=("clear", "spin", "combo"), help="the goal of the puzzles")
    command.add_argument("pieces", type=number_within(1, 8), help="number of Tetriminos")
    command.add_argument("rows", type=number_within(2, 8), help="rows of the Matrix, or lines of the T-Spin")
    add_number(command, "--seed", 0, 1 << 30, 1, "seed")
    add_number(command, "--count", 1, 1000, 10, "number of puzzles")
    words = "invent tasks of two to five Tetriminos that clear all, each solved before it is printed"
    command = commands.add_parser("allclear", help=words, description=words)
    lengths = (FEWEST, FEWEST + GRADES - 1)
    words = "number of Tetriminos (default: each in turn)"
    command.add_argument("--pieces", type=number_within(*lengths), default=0, metavar="N", help=words)
    add_number(command, "--seed", 0, 1 << 30, 1, "seed; the same one gives the same tasks")
    add_number(command, "--count", 1, 1_000_000, 10, "number of tasks")
    words = "write the handheld's tasks to firmware/all_clears.bin (minutes)"
    add_fill(command, words, "--pack")
    add_flag(
        command, "--serve", "answer lines `SEED PIECES NUMBER` on standard input with packed tasks, for a simulator"
    )
    chances.add_commands(commands)
    words = "compare chances and CPU time with solution-finder on Matrices by chance"
    command = commands.add_parser("compare", help=words, description=words)
    command.add_argument("finder", metavar="CLASSPATH", help="its classes and commons-cli.jar, parted by a colon")
    add_number(command, "--count", 1, 1_000_000, 1000, "number of Matrices")
    add_number(command, "--seed", 0, 1 << 30, 0, "seed (default: a fresh one)")
    add_number(command, "--most", 2, 6, 5, "most Tetriminos to clear with")
    add_flag(command, "--cases", "print each case with its answer, as tests/vectors/chances.txt has them")
    return parser.run(run, arguments)


def find(puzzles: list[Puzzle], key: str) -> Puzzle:
    """Return the puzzle with this number or name; raise Refusal if there is none."""
    for number, puzzle in enumerate(puzzles, 1):
        if key.upper() in (str(number), puzzle.name):
            return puzzle
    raise Refusal(f"there is no puzzle '{key}'; `python -m tools.puzzles list` lists 1 to {len(puzzles)}")


def try_to_solve(puzzle: Puzzle, most: int) -> Answer:
    """Return up to `most` solutions; raise PuzzleError if the search takes too long."""
    try:
        return solve(puzzle, most, _PATIENCE)
    except TooLongError as problem:
        raise PuzzleError(f"{puzzle.name}: {problem}; take fewer Tetriminos") from None


def solve_and_prove(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with a proof that the engine has played; raise PuzzleError if there is no solution."""
    answer = try_to_solve(puzzle, 2)
    if not answer.first:
        raise PuzzleError(f"{puzzle.name}: it cannot be solved ({answer.nodes:,} positions)")
    puzzle = replace(puzzle, proof=answer.first, solutions=1 if answer.unique else 2)
    prove(puzzle)
    return puzzle


def show_list(puzzles: list[Puzzle]) -> None:
    print(" no. name             goal             pieces         solutions")
    for number, puzzle in enumerate(puzzles, 1):
        pieces = "".join(LETTERS[piece] for piece in puzzle.queue)
        if puzzle.hold:
            pieces = f"[{LETTERS[puzzle.hold]}]{pieces}"
        solutions = "1" if puzzle.solutions == 1 else "many"
        lesson = " lesson" if puzzle.lesson else ""
        print(f"{number:4} {puzzle.name:16} {puzzle.named():16} {pieces:14} {solutions:5}{lesson}".rstrip())


def show(puzzle: Puzzle, solution: bool) -> None:
    """Print a puzzle; with `solution` also its Matrix after each step of the proof."""
    print(write(puzzle), end="")
    if not solution:
        return
    masks = puzzle.masks
    for step in puzzle.proof:
        rows, masks = draw_step(masks, step)
        print(f"\n{step}", *rows, sep="\n")
        masks = drop_full_rows(masks)


def show_solutions(puzzle: Puzzle) -> None:
    started = time.perf_counter()
    answer = try_to_solve(puzzle, _MOST)
    count = len(answer.pictures)
    print(
        f"{puzzle.name}: {count if count < _MOST else f'{_MOST} or more'} solution{'s' if count != 1 else ''}, "
        f"{answer.nodes:,} positions in {time.perf_counter() - started:.1f} s"
    )
    if answer.first:
        print("proof " + " ".join(map(str, answer.first)))


def add(options: argparse.Namespace, puzzles: list[Puzzle]) -> None:
    """Add puzzles to puzzles.txt and pack them; raise Refusal before anything changes."""
    given = {key: value for key in ("name", "goal", "queue", "hold", "words") if (value := getattr(options, key))}
    if "@" in options.source or pasted.find(options.source, pasted.FUMEN):
        rows, queue, hold = read_fumen(options.source)
        if not options.name:
            raise Refusal("a puzzle from a fumen needs a --name")
        found = [make(options.name.upper(), {"goal": "clear all", "queue": queue, "hold": hold, **given}, rows)]
    elif given:
        raise Refusal(f"--{next(iter(given))} goes with a fumen: a file has a line for it")
    else:
        found = read(Path(options.source))
        if not found:
            raise Refusal(f"{options.source}: there is no puzzle in it; one begins with `= NAME`")
    for puzzle in found:
        if puzzle.name in [other.name for other in puzzles]:
            raise PuzzleError(f"{puzzle.name}: there is one of this name")
    added = [solve_and_prove(puzzle) for puzzle in found]
    packed = pack_all([*puzzles, *added])
    text = SOURCE.read_text(encoding="utf-8") + "".join("\n" + write(puzzle) for puzzle in added)
    write_clone(SOURCE, text.encode())
    write_clone(TARGET, packed)
    for puzzle in added:
        print(f"added {puzzle.name}: {'one solution' if puzzle.solutions == 1 else 'more than one solution'}")


def check(puzzles: list[Puzzle], with_solver: bool) -> int:
    """Prove all puzzles; return 0, or 1 if the handheld's file is not current. Raise PuzzleError."""
    with progress.bar("proving", len(puzzles), " puzzles") as bar:
        for puzzle in puzzles:
            prove(puzzle)
            if with_solver and solve_and_prove(puzzle).solutions != puzzle.solutions:
                raise PuzzleError(f"{puzzle.name}: solutions should be {3 - puzzle.solutions} (1 one, 2 many)")
            bar.update(1)
    lessons = first_game.pack_all(first_game.read())
    for target, packed in ((TARGET, pack_all(puzzles)), (first_game.TARGET, lessons)):
        if not target.exists() or target.read_bytes() != packed:
            print(f"{target} is not current; run python -m tools.puzzles build", file=sys.stderr)
            return STALE
    print(f"{len(puzzles)} puzzles, each solved by the engine; {TARGET.name} is current, {TARGET.stat().st_size} bytes")
    return 0


def deal_all_clears(options: argparse.Namespace) -> int:
    """Print all-clear tasks, pack them or answer a simulator's requests; return the exit code."""
    from tools.puzzles import allclear

    if options.serve:
        allclear.serve(sys.stdin, sys.stdout)
    elif options.pack:
        packed = allclear.pack_all()
        write_clone(allclear.TARGET, packed)
        print(f"{allclear.TARGET.name}: {GRADES * allclear.PACK_TASKS} tasks, {len(packed)} bytes")
    else:
        tasks = islice(allclear.generate(options.seed, options.pieces), options.count)
        for number, (puzzle, ways) in enumerate(progress.follow(tasks, "solving", options.count, "tasks"), 1):
            print(write(replace(puzzle, name=str(number), words=f"{ways} WAY{'S' if ways > 1 else ''}")), flush=True)
    return 0


def print_invented(options: argparse.Namespace) -> int:
    """Print puzzles with one solution as they are found; return the exit code."""
    if options.kind == "spin" and options.rows > _MOST_SPIN_LINES:
        raise Refusal(f"a T-Spin clears at most {_MOST_SPIN_LINES} lines, not {options.rows}")
    from tools.puzzles.invent import invent

    invented = invent(random.Random(options.seed), options.kind, options.pieces, options.rows)
    for puzzle, answer in islice(invented, options.count):
        print(write(replace(puzzle, proof=answer.first, solutions=1)), flush=True)
    return 0


def run(options: argparse.Namespace) -> int:
    if options.command == "invent":
        return print_invented(options)
    if options.command == "allclear":
        return deal_all_clears(options)
    if options.command == "compare":
        from tools.puzzles import compare

        seed = options.seed or random.randrange(1 << 30)
        return compare.compare(options.finder, options.count, options.most, seed, options.cases)
    if options.command in chances.COMMANDS:
        return chances.run(options)
    puzzles = read()
    if options.command == "list":
        show_list(puzzles)
    elif options.command == "show":
        show(find(puzzles, options.puzzle), options.solution)
    elif options.command == "solve":
        path = Path(options.puzzle)
        for puzzle in read(path) if path.is_file() else [find(puzzles, options.puzzle)]:
            show_solutions(puzzle)
    elif options.command == "add":
        add(options, puzzles)
    elif options.command == "check":
        return check(puzzles, options.solve)
    else:
        for puzzle in puzzles:
            prove(puzzle)
        lessons = first_game.pack_all(first_game.read())
        write_clone(TARGET, pack_all(puzzles))
        write_clone(first_game.TARGET, lessons)
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
