"""Measure a player by three tasks with fresh seeds, and compare it with the published rows (tools/bots/card.jsonl)."""

import argparse
import json
import re
import secrets
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from math import hypot
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

from firmware.engine.randomizer import SEEDS
from firmware.scenes.options.facts import VERSION
from sim.bots.host import Host
from sim.bots.process import Fault, Partner
from sim.bots.protocol import Message
from sim.ownership import replace
from sim.terminal import Refusal, add_fill, add_flag, add_number, note, tell_install, writing
from tools import ROOT
from tools.bots.bot_server import STRONG_MS, InProcessBot
from tools.bots.level_bot import LEVEL_NAMES, LevelBot, read_level
from tools.bots.match import OWN, SEARCHERS, STRONG, play_seats
from tools.bots.plain_bot import EL_TETRIS, PLAIN, RANDOM, PlainBot
from tools.bots.tally import average, find_interval
from tools.markdown import fill_page, lay_out
from tools.workers import Workers, add_jobs

SENT, SURVIVED, WINS = "sent", "survived", "wins"
WON = "won"  # each match; WINS is their sum
GARBAGE = (4, 7)
RIVAL = 3
ROWS = Path(__file__).with_name("card.jsonl")
PAGE = Path(__file__).with_name("README.md")
EXAMPLE = "tools.bots.examples.afterstates:policy"
# Who has a published row, and how many milliseconds STRONG thinks.
OWN_ROWS = (RANDOM, EL_TETRIS, PLAIN, "1", "2", "3", "4", "5", EXAMPLE, (STRONG, 20), (STRONG, 100))
AT_FAULT = 1

_COMMAND = "tools.bots card"
_MOST_MS = 60_000
_POLICY = re.compile(r"[\w./\\-]+:\w+")
_YARDSTICK_SEED, _YARDSTICK_MOVES = 3500, 50
_FAULTS = 3  # in a row, after which the other games are not played
_SURE = 3  # errors

Row = dict[str, Any]
_WORDS = {SENT: "lines sent a piece", SURVIVED: "pieces survived", WINS: "wins"}


class Protocol(NamedTuple):
    """How much is played.

    games: of the first two tasks each.  pieces: the most of each game.  matches: of the third task.
    """

    games: int = 10
    pieces: int = 300
    matches: int = 100

    def list_seeds(self, kind: str, first: int) -> range:
        return range(first, first + (self.matches if kind == WINS else self.games))


FULL = Protocol()
QUICK = Protocol(2, 100, 4)


class Task(NamedTuple):
    """A game or match to play; it goes to other processes."""

    kind: str
    player: Any
    seed: int
    pieces: int


class Result(NamedTuple):
    """What came of it.

    score: lines sent, pieces survived, or matches won.  fault: "", or in what the bot failed.  cost: CPU time of a
    move, by that of Dellacherie's; 0 if not measured.
    """

    score: float
    fault: str = ""
    cost: float = 0.0


class TimedBot(InProcessBot):
    """Run one of our bots in this process, and sum up its CPU time."""

    spent_s = 0.0

    def send(self, message: Message) -> None:
        begun_s = time.process_time()
        super().send(message)
        self.spent_s += time.process_time() - begun_s


def play(task: Task) -> Result:
    """Play one game or match; a bot at fault has what it has until then, and loses a match."""
    from tools.bots.arena.competitors import Conditions

    with ExitStack() as stack:
        try:
            player = task.player.open(Conditions())
        except (OSError, ValueError) as problem:
            return Result(0, f"cannot start: {problem}")
        bot = stack.enter_context(player) if isinstance(player, Partner) else None
        if task.player.command:
            player.think_ms = task.player.think_ms
        if task.kind == WINS:
            seat = task.seed & 1
            outcome = play_seats([RIVAL, player] if seat else [player, RIVAL], task.seed)
            return Result(outcome.tallies[seat].wins, outcome.faults[seat])
        if not bot:
            bot = TimedBot(LevelBot(player))
        elif isinstance(bot, InProcessBot):
            bot = TimedBot(bot.bot)
        return play_alone(task, bot)


def play_alone(task: Task, bot: Any) -> Result:
    """Play a game of Marathon, or one with garbage."""
    host = Host(bot, task.seed, garbage=GARBAGE if task.kind == SURVIVED else (0, 0))
    fault = ""
    cost = begun_s = 0.0
    try:
        bot.greet()
        begun_s = bot.spent_s
        host.play(task.pieces)
    except Fault as problem:
        fault = str(problem)
    pieces = host.game.lock_downs
    if task.kind == SURVIVED:
        return Result(pieces, fault)
    if pieces and not fault:
        cost = (bot.spent_s - begun_s) / pieces / time_yardstick()
    return Result(host.mode.sent, fault, cost)


def time_yardstick() -> float:
    """Return the CPU seconds of a move of Dellacherie's, here and now."""
    bot = TimedBot(PlainBot(PLAIN))
    Host(bot, _YARDSTICK_SEED).play(_YARDSTICK_MOVES)
    return bot.spent_s / _YARDSTICK_MOVES


# -- the card ------------------------------------------------------------------------------------------------


def read_player(who: str, think_ms: int | None = None, nodes: int = 0) -> tuple[str, Any]:
    """Return the name of a row, and its player; raise Refusal."""
    if not find_spec("psutil"):
        raise Refusal(f"the card needs psutil; {tell_install('bots')}")
    from tools.bots.arena.competitors import Competitor

    if who.lower() in SEARCHERS:
        think_ms = STRONG_MS if think_ms is None else think_ms
        thought = f"{nodes} places" if nodes else f"{think_ms} ms"
        return f"{who.lower()}, {thought}", Competitor(own=who.lower(), think_ms=think_ms, nodes=nodes)
    if who.lower() in OWN:
        return who.lower(), Competitor(own=who.lower())
    if who.isdecimal() or who.upper() in LEVEL_NAMES:
        try:
            level = read_level(who)
        except argparse.ArgumentTypeError as problem:
            raise Refusal(str(problem)) from None
        return f"{level} {LEVEL_NAMES[level - 1]}", Competitor(level=level)
    return who, Competitor(policy=who) if _POLICY.fullmatch(who) else Competitor(command=who, think_ms=think_ms or 0)


def prepare_player(player: Any) -> None:
    """Raise Refusal or ValueError if a player cannot start here; compile what it needs."""
    player.check()
    if player.own in SEARCHERS:
        from tools.bots.strong.preparing import prepare

        prepare()


def find_version() -> str:
    """Return the version of Skyline, in a clone with the commit, and + if files have changed since."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--exclude=*", "--dirty=+"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return VERSION.decode()
    return f"{VERSION.decode()} {done.stdout.strip()}".strip()


def fill_row(row: Row, player: Any, protocol: Protocol, workers: Workers, save: Callable[[], object]) -> Row:
    """Play the tasks that a row lacks; call `save` after each."""
    for kind in (SENT, SURVIVED, WINS):
        if kind in row:
            continue
        tasks = [Task(kind, player, seed, protocol.pieces) for seed in protocol.list_seeds(kind, row["first"])]
        results = follow(() if "given_up" in row else workers.each(play, tasks))
        if len(results) < len(tasks):
            row["given_up"] = True
        for task, result in zip(tasks, results, strict=False):
            if result.fault:
                row["faults"] = row.get("faults", 0) + 1
                row.setdefault("fault", f"{kind}, seed {task.seed}: it {result.fault}")
        scores = [result.score for result in results] + [0] * (len(tasks) - len(results))
        row[kind] = sum(scores) if kind == WINS else scores
        if kind == WINS:
            row[WON] = scores
        costs = [result.cost for result in results if result.cost]
        if kind == SENT and costs:
            row["cost"] = round(median(costs), 2)
        save()
    return row


def follow(results: Iterable[Result]) -> list[Result]:
    """Return the results until too many faults in a row."""
    found: list[Result] = []
    for result in results:
        found.append(result)
        if len(found) >= _FAULTS and all(one.fault for one in found[-_FAULTS:]):
            break
    return found


def begin_row(name: str, protocol: Protocol, first: int | None = None, player: Any = None) -> Row:
    """Return a row without results, whose seeds are drawn now or begin with `first`; a command names itself."""
    first = secrets.randbelow(SEEDS - FULL.matches) if first is None else first
    row = {"name": name, "version": find_version(), "first": first, **protocol._asdict()}
    return row | introduce(player) if player and player.command else row


def introduce(player: Any) -> Row:
    """Return what a row has of a command alone: `host` is the version of Skyline; the others are what the bot says."""
    from tools.bots.arena.competitors import Conditions

    name, version = player.command, ""
    with suppress(OSError, ValueError, Fault), player.open(Conditions()) as bot:
        bot.greet()
        name, version = bot.name, bot.version
    name += f", {player.think_ms} ms" if player.think_ms else ""
    return {"name": name, "version": version or "-", "host": find_version(), "command": player.command}


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def write_rows(path: Path, rows: list[Row]) -> None:
    with writing(path), replace(path) as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows).encode())


# -- the table -----------------------------------------------------------------------------------------------


def rate(row: Row, kind: str) -> float:
    return 100 * row[WINS] / row["matches"] if kind == WINS else mean(list_scores(row, kind))


def tabulate(rows: list[Row]) -> str:
    heads = ["player", "lines sent a piece", "pieces survived", "wins, %", "95 %", "CPU a move", "seeds", "version"]
    lines = []
    for row in sorted((row for row in rows if SENT in row), key=lambda row: -rate(row, SENT)):
        name = row["name"] + " *" * ("command" in row)
        sent, error = average(list_scores(row, SENT))
        line = [name, f"{sent:.3f} ± {error:.3f}", "-", "-", "-"]
        if SURVIVED in row:
            survived, error = average(row[SURVIVED])
            line[2] = f"{survived:.0f} ± {error:.0f}"
        if WINS in row:
            low, high = find_interval(row[WINS], row["matches"])
            line[3:] = f"{rate(row, WINS):.0f}", f"{low:.0f} to {high:.0f}"
        cost = row.get("cost", 0)
        line += [f"{cost:.1f}" if 0 < cost < 10 else f"{cost:.0f}" if cost else "-"]
        line += [str(row["first"]), row["version"]]
        lines.append(line)
    return lay_out(heads, lines)


def list_scores(row: Row, kind: str) -> list[float]:
    """Return the score of each game or match, or nothing for a task that a row lacks."""
    scores = row.get(WON if kind == WINS else kind, [])
    return [score / (row["pieces"] if kind == SENT else 1) for score in scores]


def compare_pairs(row: Row, other: Row) -> str:
    """Return how two players of the same seeds differ: the mean of the differences, with its standard error."""
    lines = []
    for kind, name in _WORDS.items():
        pairs = zip(list_scores(row, kind), list_scores(other, kind), strict=True)
        gain, error = average([one - two for one, two in pairs])
        lines.append(f"{name}: {gain:+.3f} ± {error:.3f} against {other['name']}\n")
    return "".join(lines)


def find_better(row: Row, other: Row) -> str:
    """Return a line for each task in which `other`, the same player on other seeds, was too good to be chance."""
    lines = []
    for kind, name in _WORDS.items():
        here, there = list_scores(row, kind), list_scores(other, kind)
        if len(here) < 2 or len(there) < 2:
            continue
        (found, error), (published, other_error) = average(here), average(there)
        if published - found > _SURE * hypot(error, other_error):
            lines.append(f"{name}: {published:.3f} on seeds {other['first']}, {found:.3f} here: "
                         "the published row is no chance; does it know its seeds?\n")  # fmt: skip
    return "".join(lines)


def compare(row: Row, published: list[Row]) -> str:
    lines = []
    for kind, name in _WORDS.items():
        rated = [other for other in published if kind in other and other["name"] != row["name"]]
        here = rate(row, kind)
        ahead = sorted((other for other in rated if rate(other, kind) > here), key=lambda other: rate(other, kind))
        behind = sorted((other for other in rated if rate(other, kind) <= here), key=lambda other: -rate(other, kind))
        line = f"{name}: place {len(ahead) + 1} of {len(rated) + 1}"
        line += f", behind {ahead[0]['name']}" if ahead else ""
        line += f", not behind {behind[0]['name']}" if behind else ""
        lines.append(line + "\n")
    return "".join(lines)


# -- the command ---------------------------------------------------------------------------------------------


def add_card(commands: Any) -> None:
    card = commands.add_parser(
        "card",
        help="measure a player by three tasks",
        description="Let a player play three tasks with fresh seeds, and print its row among the published ones: lines "
        f"sent a piece, pieces survived with garbage, and wins against level {RIVAL}.",
        epilog="tools/bots/README.md has the protocol and the published rows. Exit code 1: the player was at fault.",
    )
    words = "a policy, MODULE:FUNCTION or FILE.py:FUNCTION; a command that starts a bot; a level, 1 to 5; or one of "
    words += ", ".join(OWN)
    card.add_argument("who", nargs="?", metavar="WHO", help=words)
    words = f"CPU time for each piece, of strong (default {STRONG_MS}) or of a command before each question (default 0)"
    add_number(card, "--think", 0, _MOST_MS, None, words, "MS")
    add_number(card, "--nodes", 1, None, 0, "strong: evaluate this many placements for each piece instead")
    add_number(card, "--seeds", 0, SEEDS - FULL.matches, None, "the first seed (default: drawn anew)", "FIRST")
    words = "let OTHER play the same seeds, and print the paired differences"
    card.add_argument("--against", metavar="OTHER", help=words)
    add_flag(card, "--quick", f"play {QUICK.games} games of {QUICK.pieces} pieces and {QUICK.matches} matches only")
    add_flag(card, "--json", "print the row as a line of card.jsonl instead of the table")
    add_fill(card, "instead of WHO: play what our own rows lack, and put them into tools/bots/README.md")
    add_jobs(card)


def run(options: argparse.Namespace) -> int:
    """Carry out the command; return AT_FAULT if the player was at fault, else 0."""
    alone = options.quick, options.json, options.against, options.seeds is not None
    if bool(options.who) == options.fill or options.fill and any(alone):
        raise Refusal("give WHO, or --fill alone")
    if options.fill:
        fill(options)
        return 0
    pairs = [read_player(who, options.think, options.nodes) for who in (options.who, options.against) if who]
    strong = any(player.own in SEARCHERS for _, player in pairs)
    if options.think is not None and not strong and not any(player.command for _, player in pairs):
        raise Refusal(f"--think is for {STRONG} and for commands, which do not play here")
    if options.nodes and not strong:
        raise Refusal(f"--nodes is for {STRONG}, which does not play here")
    for _, player in pairs:
        prepare_player(player)
    protocol = QUICK if options.quick else FULL
    played: list[Row] = []
    with Workers(options.jobs, options.scheduler) as workers:
        for name, player in pairs:
            first = played[0]["first"] if played else options.seeds
            row = begin_row(name, protocol, first, player)
            played.append(fill_row(row, player, protocol, workers, lambda: None))
    row, name = played[0], played[0]["name"]
    published = read_rows(ROWS)
    if options.json:
        print(json.dumps(row))
    elif options.quick:
        print(tabulate(played), end="")
    else:
        others = [other for other in published if other["name"] != name]
        print(tabulate([*others, row]) + compare(row, published), end="")
        mine = [other for other in published if other["name"] == name and other["first"] != row["first"]]
        print("".join(find_better(row, other) for other in mine), end="")
    if options.against and not options.json:
        print(compare_pairs(*played), end="")
    if "fault" not in row:
        return 0
    words = f"{name} was at fault in {row['faults']} games"
    words += ", so the others were not played" if "given_up" in row else ""
    note(_COMMAND, f"{words}; first in {row['fault']}")
    return AT_FAULT


def fill(options: argparse.Namespace) -> None:
    """Play what our own rows lack, save each task, and fill the table."""
    rows = read_rows(ROWS)
    whole = {row["name"] for row in rows if all(kind in row for kind in (SENT, SURVIVED, WINS))}
    players = [read_player(*([entry] if isinstance(entry, str) else entry)) for entry in OWN_ROWS]
    lacking = [(name, player) for name, player in players if name not in whole]
    if lacking and find_version().endswith("+"):
        raise Refusal("commit first: a published row's seeds are drawn after its player was fixed")
    begun = {row["name"] for row in rows}
    rows += [begin_row(name, FULL) for name, _player in lacking if name not in begun]
    with Workers(options.jobs, options.scheduler) as workers:
        for name, player in lacking:
            row = next(row for row in rows if row["name"] == name)
            note(_COMMAND, f"playing {name}")
            prepare_player(player)
            fill_row(row, player, FULL, workers, lambda: write_rows(ROWS, rows))
            fill_page(PAGE, "card", f"python -m {_COMMAND} --fill", tabulate(rows))
    table = tabulate(rows)
    print(table, end="")
    fill_page(PAGE, "card", f"python -m {_COMMAND} --fill", table)
