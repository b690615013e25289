"""Compare chances and CPU time with solution-finder, which a person has fetched and compiled.

The case of a line is the rows from the top, the queue, the lines, and how many of how many queues have an all-clear.
"""

import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sim import progress
from sim.terminal import Refusal
from tools.puzzles.allclear import lay
from tools.puzzles.chances import Question
from tools.puzzles.queues import count, read_queue
from tools.puzzles.text import FULL, LETTERS, WIDTH, draw

_FEWEST = 2  # Tetriminos
_HOLE = 30  # Blocks, above which there is one more hole
_LINES = (2, 3, 4, 4, 4, 4, 5, 6)
_HARNESS = """
import java.io.*;

public class Finder {
    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        PrintStream output = System.out;
        com.sun.management.OperatingSystemMXBean system = (com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        long start = system.getProcessCpuTime();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            System.setOut(new PrintStream(text));
            entry.EntryPointMain.main(line.split(" "));
            String found = "none";
            for (String one : text.toString().split("\\n"))
                if (one.startsWith("success")) found = one.trim();
            output.println(system.getProcessCpuTime() - start + " " + found);
            output.flush();
        }
    }
}
"""


class Case(NamedTuple):
    masks: tuple[int, ...]
    queue: str
    lines: int

    def __str__(self) -> str:
        return f"{'/'.join(draw(self.masks)) or '.' * WIDTH} {self.queue} {self.lines}"


def carve(dice: random.Random, lines: int, filled: int) -> tuple[int, ...]:
    """Return full rows without columns of chance heights, and without one more cell if there is room for a hole."""
    has_hole = filled > _HOLE
    rows = [FULL] * lines
    centre = dice.randrange(WIDTH)
    while sum(mask.bit_count() for mask in rows) > filled + has_hole:
        x = round(dice.gauss(centre, 2))
        y = max((y for y in range(lines) if 0 <= x < WIDTH and rows[y] >> x & 1), default=-1)
        if y >= 0:
            rows[y] ^= 1 << x
    if has_hole:
        y = dice.randrange(lines)
        rows[y] &= ~(1 << dice.randrange(WIDTH))
    return tuple(rows)


def deal(dice: random.Random, most: int) -> Iterator[Case]:
    """Yield cases without end: Tetriminos laid flat, or columns of chance heights with a hole; the queue by chance."""
    while True:
        lines, needed = dice.choice(_LINES), dice.randint(_FEWEST, most)
        filled = WIDTH * lines - 4 * needed
        if filled < 0:
            continue
        if filled % 4 == 0 and dice.random() < 0.5:
            masks = lay(dice, lines, [piece for _ in range(2) for piece in dice.sample(range(1, 8), 7)][: filled // 4])
        else:
            masks = carve(dice, lines, filled)
        while masks and not masks[-1]:
            masks = masks[:-1]
        if FULL in masks or sum(mask.bit_count() for mask in masks) != filled:
            continue
        known = "".join(LETTERS[piece] for piece in dice.sample(range(1, 8), dice.randint(0, needed)))
        some = "".join(LETTERS[piece] for piece in sorted(dice.sample(range(1, 8), dice.randint(2, 6))))
        rest = needed + 1 - len(known)
        kinds = [f"*p{needed}", f"*p{needed + 1}", f"{known},*p{rest}", f"[{some}]p2,*p{needed - 1}", f"{known},*"]
        queue = dice.choice(kinds if len(known) == needed else kinds[:4]).lstrip(",")
        yield Case(masks, queue, lines)


def compare(finder: str, number: int, most: int, seed: int, shown: bool) -> int:
    """Print how many chances are equal, and the CPU time of both; return 0, or 1 if they differ."""
    dealt = deal(random.Random(seed), most)
    cases = [next(dealt) for _ in range(number)]
    answers, theirs = ask(finder, cases)
    ours, good = 0.0, 0
    for case, answer in zip(progress.follow(cases, "solving", number, "Matrices"), answers, strict=True):
        started = time.process_time()
        question = Question(case.masks, read_queue(case.queue), True, case.lines)
        found = question.find_good()
        words = f"({count(found, found)}/{question.total})"
        ours += time.process_time() - started
        good += answer.endswith(words)
        if shown:
            print(case, count(found, found), question.total)
        if not answer.endswith(words):
            print(f"# {case}: {words}, solution-finder {answer}")
    print(f"# {good:,} of {number:,} chances are those of solution-finder, seed {seed}")
    print(f"# CPU time {ours:.1f} s, solution-finder {theirs:.1f} s: {theirs / ours:.1f} times as fast")
    return int(good < number)


def ask(finder: str, cases: list[Case]) -> tuple[list[str], float]:
    """Return what solution-finder says of each case, all in one process, and its CPU time in seconds."""
    answers = []
    cpu = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "Finder.java").write_text(_HARNESS, encoding="utf-8")
        requests = []
        for number, case in enumerate(cases):
            rows = "\n".join(draw([*case.masks, *[0] * (case.lines - len(case.masks))])).replace(".", "_")
            (folder / f"{number}.txt").write_text(f"{case.lines}\n{rows}\n", encoding="utf-8")
            requests.append(f"percent -fp {number}.txt -p {case.queue} -c {case.lines} -th 1 -td 1 -fc 0\n")
        (folder / "requests").write_text("".join(requests), encoding="utf-8")
        try:
            with (
                (folder / "requests").open() as asked,
                subprocess.Popen(
                    ["java", "-cp", finder, "Finder.java"], stdin=asked, stdout=subprocess.PIPE, cwd=folder, text=True
                ) as process,
            ):
                assert process.stdout
                for line in progress.follow(process.stdout, "solution-finder", len(cases), "Matrices"):
                    first, _, answer = line.strip().partition(" ")
                    cpu = int(first)
                    answers.append(answer)
        except OSError as problem:
            raise Refusal(f"java does not start: {problem.strerror}") from None
    if len(answers) != len(cases):
        raise Refusal(f"solution-finder gave {len(answers)} of {len(cases)} answers; is CLASSPATH its class path?")
    return answers, cpu / 1e9
