"""Review a recorded game beside the strong player, in one HTML file.

python -m tools.review game.sky
python -m tools.review match.sky --player 1 --no-open --output match.html
python -m tools.review game.sky --nodes 20000 --json
python -m tools.review measure
"""

import argparse
import json
import sys
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.match.options import MOST_PLAYERS
from firmware.modes.catalogue import find
from firmware.players.levels import NAMES
from firmware.save.recordings.link_recording import LinkRecording
from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.recordings.recording import Recording
from sim import terminal
from sim.bots.attacks import GUIDELINE, name_rules
from sim.game_files import find_recording, read_recording
from sim.ownership import check_file, output, to_file
from sim.terminal import (
    IS_CLONE,
    Refusal,
    add_fill,
    add_flag,
    add_number,
    add_path,
    name_commands,
    number_within,
    tell_install,
    writing,
)
from tools import ROOT
from tools.markdown import fill_page
from tools.review import retry
from tools.review.positions import Position, read_game, read_match
from tools.workers import MOST_JOBS, Workers, count_jobs

if TYPE_CHECKING:
    from tools.review.judging import Setup
    from tools.review.report import Side

MEASURE = "measure"  # in place of a file
PAGE = ROOT / "tools" / "review" / "README.md"

_THINK_MS = 20
_MOST_MS = 10_000
_MOST_NODES = 10_000_000
_DESCRIPTION = """\
Review a recorded game beside the strong player. For each Tetrimino it finds the best place and what yours cost against
it. One HTML file shows the five moments that cost most, an example of each fault, the curve of the game and your
finesse. It needs no network.
"""
_EPILOG = f"""\
FILE is a recording such as `python -m sim --record` writes, or a game of the library by its number or name: 1 is the
last one. A match is reviewed from each side.

The strong player sees what you saw: the same Next Queue, Hold if it was on, in a match the garbage that was coming.
A loss is in holes. A hole is an empty cell below a Block, and 2.0 holes are as bad as two more of them.
`tools/review/README.md` says more.

`{MEASURE}` in place of a file prints the mean loss of each computer player, how many faults put into games a review
shows, and how long it takes.
"""


def make_parser() -> terminal.Parser:
    parser = terminal.Parser(
        prog="python -m tools.review",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_path(parser, "file", "FILE", "the recorded game or match")
    words = "where to write the review (default: FILE-review.html, in this folder)"
    parser.add_argument("--output", type=to_file(".html"), metavar="OUT.html", help=words)
    add_flag(parser, "--no-open", "do not open it in the browser")
    add_flag(parser, "--json", "print the review for programs instead; with --output write both")
    add_number(parser, "--think", 1, _MOST_MS, _THINK_MS, "CPU time for each Tetrimino", "MS")
    add_number(parser, "--nodes", 1, _MOST_NODES, 0, "rate N places for each instead: the same N, the same review")
    add_number(parser, "--player", 1, MOST_PLAYERS, None, "review only this player of a match")
    words = f"where the page is that `python -m tools.web build` made (default {retry.BASE})"
    parser.add_argument("--page", default=retry.BASE, metavar="ADDRESS", help=words)
    words = "number of processes (default: one for each core)"
    parser.add_argument("--jobs", type=number_within(1, MOST_JOBS), default=count_jobs(), metavar="N", help=words)
    measure = parser.add_argument_group(f"with `{MEASURE}`")
    add_number(measure, "--games", 1, 1000, 20, "games of each player")
    add_number(measure, "--pieces", 1, 1000, 40, "Tetriminos in each game")
    add_fill(measure, "put the table into its place in tools/review/README.md")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Review; return 0, or 2 after one line on stderr that says what was wrong."""
    return make_parser().run(run, arguments)


def run(options: argparse.Namespace) -> None:
    if str(options.file) == MEASURE and not options.file.exists():
        run_measure(options)
        return
    path = find_recording(options.file, None)
    target = options.output or (None if options.json else Path(f"{path.stem}-review.html"))
    if target:
        check_file(target, ".html")
    recording = read_reviewable(path)
    players = list_players(recording, options.player, path)
    check_numba()
    from tools.review.page import write_page
    from tools.review.report import as_json

    setup = make_setup(recording, options)
    sides = review(players, setup, options.jobs)
    for side in sides:
        for moment in side.shown:
            moment.link = retry.make_link(recording, moment.position, side.number, options.page)
            moment.command = retry.make_command(path, recording, moment.position, side.number)
    if target:
        text = write_page(
            sides, f"Review of {path.name}", tell_facts(recording, sides), list_notes(setup, options.page)
        )
        with writing(target), output(target) as file:
            file.write(text.encode())
    if options.json:
        print(json.dumps(as_json(sides, str(path)), indent=1))
        return
    for side in sides:
        name = f"{side.name}: " if side.name else ""
        print(f"{name}{len(side.positions)} Tetriminos, mean loss {side.mean_loss:.2f} holes")
    print(target)
    if target and not options.no_open:
        webbrowser.open(target.resolve().as_uri())


def read_reviewable(path: Path) -> Recording | MatchRecording:
    """Return a recorded game or match; refuse any other file."""
    recording = read_recording(path)
    if isinstance(recording, LinkRecording):
        raise Refusal(f"{path}: this is a match between devices; a review is for games, and for matches on one device")
    return recording


def check_numba() -> None:
    if not find_spec("numba") or not find_spec("platformdirs"):
        raise Refusal(f"a review needs Numba and platformdirs; {tell_install('solve')}")


def list_players(
    recording: Recording | MatchRecording, player: int | None, path: Path
) -> list[tuple[int, str, list[Position]]]:
    """Return number, name and positions of each player to review; refuse if there is nothing to review."""
    if isinstance(recording, Recording):
        if player:
            raise Refusal(f"{path}: this is a game of one player; --player is for matches")
        try:
            found = [(0, "", read_game(recording))]
        except Refusal as problem:
            raise Refusal(f"{path}: {problem}") from None
    else:
        count = recording.options.players
        if player and player > count:
            raise Refusal(f"{path}: there is no player {player}, but {count} in all")
        numbers = [player - 1] if player else range(count)
        found = [(number, name_player(recording, number), read_match(recording, number)) for number in numbers]
    found = [one for one in found if one[2]]
    if not found:
        raise Refusal(f"{path}: no Tetrimino locked down, so there is nothing to review")
    return found


def name_player(recording: MatchRecording, number: int) -> str:
    level = recording.options.level_of(number)
    return f"Player {number + 1}" + (f", computer {NAMES[level - 1].decode()}" if level else "")


def make_setup(recording: Recording | MatchRecording, options: argparse.Namespace) -> "Setup":
    from tools.review.judging import Setup, choose_table

    effort = {"think_ms": options.think, "nodes": options.nodes}
    if isinstance(recording, Recording):
        return Setup(recording.variant, choose_table(recording.variant, recording.options), **effort)
    return Setup(attacks=name_rules(recording.options.rules), **effort)


def review(players: list[tuple[int, str, list[Position]]], setup: "Setup", jobs: int) -> list["Side"]:
    from tools.bots.strong.preparing import prepare
    from tools.review.judging import judge_one
    from tools.review.report import Side

    prepare()  # once, not in every process
    tasks = [(setup, position) for _number, _name, positions in players for position in positions]
    with Workers(jobs) as workers:
        verdicts = workers.map(judge_one, tasks, "Tetrimino")
    sides = []
    for number, name, positions in players:
        sides.append(Side(name, number, positions, [verdict for verdict, _spent_s in verdicts[: len(positions)]]))
        verdicts = verdicts[len(positions) :]
    return sides


def tell_facts(recording: Recording | MatchRecording, sides: list["Side"]) -> str:
    length_s = max(side.positions[-1].began_ms + side.positions[-1].locked_ms for side in sides) // 1000
    length = f"{length_s // 60}:{length_s % 60:02}"
    if not isinstance(recording, Recording):
        return f"A match of {len(sides)} players, {length}"
    name = find(recording.variant)[b"mode"].split()[1].decode()
    return f"{name.capitalize()}, level {recording.options.level}, seed {recording.seed}, {length}"


def list_notes(setup: "Setup", base: str) -> list[str]:
    effort = f"{setup.nodes} places" if setup.nodes else f"{setup.think_ms} ms of CPU time"
    notes = [f"The strong player spent {effort} on each Tetrimino."]
    if base == retry.BASE:
        command = name_commands("python3 -m tools.setup web")
        notes.append(f"Links to the browser need the page on this computer: {command} builds and serves it.")
    if setup.attacks != GUIDELINE:
        notes.append("It counts combos, all-clears and spins as these rules do, and does not turn by 180 degrees.")
    return notes


def run_measure(options: argparse.Namespace) -> None:
    """Print the mean loss of each computer player, how many faults are shown, and the time of a review."""
    if not IS_CLONE:
        raise Refusal(f"`{MEASURE}` needs a clone of the repository: its game is among the tests")
    check_numba()
    from tools.bots.strong.preparing import prepare
    from tools.review import measure, planted
    from tools.review.judging import Setup

    prepare()
    setup = Setup(think_ms=options.think, nodes=options.nodes)
    table = measure.tabulate_levels(options.games, options.pieces, setup, options.jobs)
    print(table, end="")
    shown = planted.tell_shown(setup, options.jobs)
    print(shown)
    speed = measure.tell_speed(options.think)
    print(speed)
    if options.fill:
        command = f"python -m tools.review {MEASURE} --fill"
        fill_page(PAGE, "levels", command, table)
        fill_page(PAGE, "planted", command, shown + "\n")
        fill_page(PAGE, "speed", command, speed + "\n")


if __name__ == "__main__":
    sys.exit(terminal.run(main))
