"""Print in one table what Skyline costs: `python -m tools.measure`."""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from firmware.save.recordings.recording import Recording
from sim import terminal
from sim.ownership import write_clone
from sim.terminal import Refusal, add_fill, add_flag, add_number
from tools import interpreters
from tools.markdown import fill_page, lay_out
from tools.measure import (
    batch,
    board,
    heaps,
    link,
    peers,
    scenes,
    scripts,
    speed,
    starting,
    traffic,
    versus,
)
from tools.measure.board import FRAME_US, join_ms, mean_and_worst, milliseconds, thousands
from tools.measure.fuel import FIGURES, measure_moments, render
from tools.measure.players import opponent_rows

# The cases of tools.measure.emulated, which is imported late because it needs the emulator's packages.
CASES = ["recording", "edges", "marathon", "sprint", "zen", "puzzle", "tetress", "match-1", "match-3"]

PAGE = interpreters.ROOT / "tools" / "measure" / "README.md"
BOTS_PAGE = interpreters.ROOT / "tools" / "bots" / "README.md"
FIGURES_OF_BATCH = ("batch", "python -m tools.measure --batch --fill")
FIGURES_OF_CORES = ("cores", "python -m tools.measure --batch --fill")
FIGURES_OF_PAGE = ("estimates", "python -m tools.measure --fill")
RECORDINGS = interpreters.ROOT / ("tests/recordings" if terminal.IS_CLONE else "sim")


@dataclass(frozen=True)
class Game:
    """One valid recording: the name of its file, and its bytes."""

    name: str
    blob: bytes


def read_games(paths: list[Path]) -> list[Game]:
    """Return the recordings at `paths`; raise Refusal for one that cannot be read or played."""
    games = []
    for path in paths or sorted(RECORDINGS.glob("*.sky")):
        blob = terminal.read_or_refuse(path)
        try:
            Recording(blob)
        except ValueError as problem:
            raise Refusal(f"{path}: {problem}") from None
        games.append(Game(path.stem, blob))
    if not games:
        raise Refusal(f"no recordings (*.sky) in {RECORDINGS}")
    return games


def worst_edge_us(frames: list[board.Frame]) -> float:
    return max((frame.edge_to_pixels_us for frame in frames if frame.edge), default=0.0)


def game_row(frames: list[board.Frame]) -> tuple[str, str]:
    figures = f"{mean_and_worst([frame.board_us for frame in frames])}, {milliseconds(worst_edge_us(frames))}"
    return f"{frames[0].recording}: mean, worst frame, worst edge", figures


def peak_rows(games: list[Game], count: int) -> list[tuple[str, str]]:
    """Return rows of the `count` slowest frames, and of the `count` frames with the slowest edges."""
    frames = [frame for game in games for frame in board.frames_of(game.name, scripts.measure_frames(game.blob))]
    edges = [frame for frame in frames if frame.edge]
    peaks = board.worst(frames, count, lambda frame: frame.board_us)
    return [board.row_of(frame) for frame in peaks + board.worst(edges, count, lambda frame: frame.edge_to_pixels_us)]


def rows_of(games: list[Game]) -> list[tuple[str, str]]:
    """Measure everything; return the table's rows: name and figure."""
    heap = heaps.measure_heap(scenes.deployed())
    blobs = [game.blob for game in games]
    measured = [scripts.measure_frames(blob) for blob in blobs]
    steps = [fuel for blob in blobs for fuel in scripts.measure_steps(blob)]

    # The first frame paints the whole picture; a player feels only the frames after it.
    frames_by_game = [board.frames_of(game.name, costs) for game, costs in zip(games, measured, strict=True)]
    frames = [frame for of_game in frames_by_game for frame in of_game]
    fuel = [frame_fuel for costs in measured for frame_fuel in costs.fuel[1:]]
    sent = [frame.sent for frame in frames]
    times_us = [frame.board_us for frame in frames]
    first_us = max(board.to_us(costs.fuel[0]) + board.BYTE_US * costs.bus[0] for costs in measured)
    late = sum(us > FRAME_US for us in times_us)
    allocated = sum(costs.allocated for costs in measured) / sum(len(costs.bus) for costs in measured)
    count = len(frames)
    slowest = max(frames, key=lambda frame: frame.board_us)
    ratios = [traffic.measure_traffic(blob).ratio for blob in blobs]
    return [
        ("recordings, frames at 60 Hz", f"{len(games)}, {thousands(count)}"),
        ("heap after import", f"{thousands(heap.imported)} B"),
        ("heap in play: engine, view, one scene", f"{thousands(heap.of_scene)} B"),
        ("heap in play on a board", f"{thousands(scenes.measure_game('Marathon')['play'])} B"),
        ("allocated a frame", f"{allocated:.1f} B"),
        ("instructions an engine step: mean, worst", f"{thousands(sum(steps) / len(steps))}, {thousands(max(steps))}"),
        *[(f"instructions: {moment}", thousands(cost)) for moment, cost in measure_moments().items()],
        ("instructions a frame: mean, worst", f"{thousands(sum(fuel) / count)}, {thousands(max(fuel))}"),
        ("instructions of one turn of `s += i & 3`", thousands(interpreters.turn_fuel())),
        *opponent_rows(),
        ("bytes on the bus a frame: mean, worst", f"{sum(sent) / count:.1f}, {thousands(max(sent))}"),
        ("bytes sent / (bytes changed + addressing), worst recording", f"{max(ratios):.2f}"),
        ("board time a frame: mean, worst", mean_and_worst(times_us)),
        ("worst of these frames: engine, draw, show", join_ms(slowest.engine_us, slowest.draw_us, slowest.show_us)),
        ("worst time from a button's edge to its pixels", milliseconds(worst_edge_us(frames))),
        *[game_row(of_game) for of_game in frames_by_game],
        ("board frames later than 1/60 s", f"{100 * late / count:.2f} %"),
        ("board time of the first picture", milliseconds(first_us)),
        *versus.rows(),
        *link.rows(),
        ("a Tetrimino on this Python, in turns of `s += i & 3`", thousands(speed.turns_a_piece(blobs))),
        *speed.bot_rows(blobs[0]),
    ]


def module_rows() -> list[tuple[str, str]]:
    """Return a row for each module of the firmware: the heap it takes, most first."""
    sizes = heaps.measure_modules()
    rows = sorted(sizes.items(), key=lambda item: -item[1])
    return [(name, f"{thousands(size)} B") for name, size in [*rows, ("all modules", sum(sizes.values()))]]


def print_table(rows: list[tuple[str, str]]) -> None:
    print(lay_out(("what", "how much"), rows), end="")


def run_board(cases: list[str], writes: bool) -> None:
    """Print the board's figures beside the estimates; with `writes`, measure all cases and fill the pages."""
    from tools.board import BoardError
    from tools.measure import report

    try:
        rows = list(report.measure(list(CASES) if writes else cases))
    except BoardError as problem:
        raise Refusal(str(problem).splitlines()[0]) from None
    print(report.tabulate(rows), end="")
    if writes:
        report.write_pages(rows)


def main() -> int:
    """Run the command line; return 1 for a missed aim, 2 after one line on stderr that says what was wrong."""
    parser = terminal.Parser(
        prog="python -m tools.measure",
        description="Play recordings on 32-bit MicroPython, which uses memory like a board, and print what they cost.",
        epilog=(
            f"Board time is estimated: {board.TURN_US:g} us for as many instructions as one turn of a loop "
            f"with `s += i & 3`, and {board.BYTE_US:g} us for each byte sent. Speeds on this Python are "
            "given in turns of the same loop, timed in the same run."
        ),
    )
    words = "recordings to play (default: all of tests/recordings)"
    parser.add_argument("recording", nargs="*", type=terminal.path, help=words)
    add_flag(parser, "--start", "print what a board compiles before the first picture, a game and another game")
    add_fill(parser, "put the table into the README of this folder, too; that of --batch into tools/bots/README.md")
    add_flag(parser, "--modules", "print how much heap each module takes")
    add_number(parser, "--peaks", 1, None, None, "print the COUNT slowest frames: engine + draw + show", "COUNT")
    add_flag(parser, "--peers", f"compare the engine with {peers.PEER} on this Python, and time what bots use")
    add_flag(parser, "--batch", f"time the batch of Skyline-v0 beside one environment and {batch.JUMANJI}")
    add_number(parser, "--minutes", 1, None, None, "play the batch for N minutes, and print how much memory it takes")
    words = "measure the deployed game on emulated CircuitPython and print the results beside the estimates. "
    words += f"Cases: {', '.join(CASES)} (default: all)"
    parser.add_argument("--board", nargs="*", choices=CASES, metavar="CASE", help=words)
    add_fill(parser, "measure all cases of --board, and update the tables of the READMEs", "--write-board")
    add_fill(parser, "measure the moments of tests/budgets/fuel.txt and update that file", "--write-fuel")
    return parser.run(run, None)


def run(options: argparse.Namespace) -> int:
    """Carry out the command line; return 1 for a missed aim. Raise Refusal."""
    try:
        if options.write_fuel:
            write_clone(FIGURES, render(measure_moments()).encode())
        elif options.board is not None or options.write_board:
            run_board(options.board or list(CASES), options.write_board)
        elif options.start:
            print_table(starting.rows())
        elif options.peers:
            reached = peers.print_contests(peers.compare())
            print(f"{tell_machine()}\n")
            print_table(speed.bot_rows(read_games(options.recording)[0].blob))
            return 0 if reached else 1
        elif options.batch:
            table = lay_out(batch.HEADS, batch.rows())
            cores = f"{lay_out(('what', 'how much'), batch.compare_cores())}\n{tell_machine()}\n"
            print(table + "\n" + cores, end="")
            if options.fill:
                fill_page(BOTS_PAGE, *FIGURES_OF_BATCH, table)
                fill_page(BOTS_PAGE, *FIGURES_OF_CORES, cores)
        elif options.minutes:
            print(lay_out(batch.MEMORY_HEADS, batch.watch_memory(options.minutes)), end="")
        elif options.peaks:
            print_table(peak_rows(read_games(options.recording), options.peaks))
        elif options.modules:
            print_table(module_rows())
        else:
            rows = rows_of(read_games(options.recording))
            print_table(rows)
            if options.fill:
                fill_page(PAGE, *FIGURES_OF_PAGE, lay_out(("what", "how much"), rows))
    except (interpreters.InterpreterMissing, interpreters.ScriptFailed) as problem:
        lines = str(problem).strip().splitlines()
        raise Refusal(" | ".join([lines[0], *lines[1:][-1:]])) from None
    return 0


def tell_machine() -> str:
    from tools.numba_cache import name_machine  # which needs Numba, as what was timed does

    return name_machine()


if __name__ == "__main__":
    sys.exit(terminal.run(main))
