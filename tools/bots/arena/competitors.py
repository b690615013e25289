"""Read the file of an arena: its conditions, and who competes."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from firmware.players.levels import LEVELS
from sim import terminal
from sim.bots.process import ANSWER_S, Bot, Partner, split_command
from sim.terminal import Refusal, tell_install
from tools import ROOT
from tools.bots.arena.watched_bot import WatchedBot
from tools.bots.bot_server import STRONG_MS
from tools.bots.match import OWN, PACE_MS, SEARCHERS, make_bot

_LONGEST_NAME = 40
_KINDS = ("level", "own", "command", "policy")
# What a number may be, by its key.
_RANGES = {
    "level": (1, LEVELS),
    "answer_ms": (1, 600_000),
    "cpu_ms": (10, 600_000),
    "memory_mb": (1, 1 << 20),
    "think_ms": (0, 60_000),
    "pace_ms": (0, 60_000),
    "nodes": (0, 10_000_000),
}
# The current folder stays in the path, for MODULE:FUNCTION; its packages may have the names of ours.
_START = (
    "import sys; root = {!r}; sys.path.insert(0, root); import firmware, sim, tools; "
    "sys.path.remove(root); sys.path.append(root); from tools.bots.__main__ import main; sys.exit(main(sys.argv[1:]))"
)


@dataclass(frozen=True)
class Conditions:
    """The conditions of all matches.

    answer_ms: limit of an answer.  cpu_ms: limit of CPU time from one answer to the next.  memory_mb: limit of memory.
    think_ms: time that a bot in a process has before it is asked.  pace_ms: time to its first press.
    """

    answer_ms: int = round(1000 * ANSWER_S)
    cpu_ms: int = 10_000
    memory_mb: int = 2048
    think_ms: int = 0
    pace_ms: int = PACE_MS


@dataclass(frozen=True)
class Competitor:
    """A level, one of our own bots, a command, or a policy.

    think_ms, nodes: of SEARCHERS, as in tools.versus; a command of the card has its time, too.
    """

    level: int = 0
    own: str = ""
    command: str = ""
    policy: str = ""
    think_ms: int = STRONG_MS
    nodes: int = 0

    def open(self, conditions: Conditions) -> int | Partner:
        """Return the level, or the bot, started; raise OSError or ValueError if that fails."""
        if self.level:
            return self.level
        if self.own:
            return make_bot(self.own, self.think_ms, self.nodes)
        limits = conditions.answer_ms / 1000, conditions.cpu_ms, conditions.memory_mb
        return WatchedBot(self.command or self.list_words(), *limits)

    def list_words(self) -> list[str]:
        return [sys.executable, "-c", _START.format(str(ROOT)), "tbp", "--policy", self.policy]

    def check(self) -> None:
        """Raise Refusal or ValueError if it cannot start here."""
        if self.command and not which(split_command(self.command)[0]):
            raise Refusal(f"there is no program {split_command(self.command)[0]!r}")
        if self.own in SEARCHERS and not find_spec("numba"):
            raise Refusal(f"strong needs Numba; {tell_install('solve')}")
        if self.policy:
            done = subprocess.run(
                self.list_words(), input="", capture_output=True, text=True, check=False, timeout=Bot.ready_s
            )
            if done.returncode:
                said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
                raise Refusal(said[-1].removeprefix("tools.bots: "))


@dataclass(frozen=True)
class Plan:
    conditions: Conditions
    bots: Mapping[str, Competitor]

    def prepare(self, on_cluster: bool) -> None:
        """Raise Refusal with one line if a competitor cannot start here; compile the strong player once."""
        for name, competitor in self.bots.items():
            try:
                competitor.check()
            except (Refusal, ValueError, OSError, subprocess.TimeoutExpired) as problem:
                raise Refusal(f"{name}: {problem}") from None
        if not on_cluster and any(competitor.own in SEARCHERS for competitor in self.bots.values()):
            from tools.bots.strong.preparing import prepare  # imported here: importing Numba takes a while

            prepare()


def define(entry: Conditions | Competitor) -> str:
    """Return all of its values as text, to compare it with an earlier one."""
    return json.dumps(asdict(entry), sort_keys=True)


def read_plan(path: Path) -> Plan:
    """Read the file of an arena; raise Refusal with one line."""
    try:
        tables = tomllib.loads(terminal.read_text(path))
    except OSError as problem:
        raise Refusal(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise Refusal(f"cannot read {path}: it is not text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise Refusal(f"{path} is not TOML: {problem}") from None
    try:
        return _read_tables(tables)
    except ValueError as problem:
        raise Refusal(f"{path}: {problem}") from None


def _read_tables(tables: dict[str, Any]) -> Plan:
    for key in tables:
        if key not in ("conditions", "bots"):
            raise ValueError(f"{key!r} is unknown; there are [conditions] and [bots.NAME]")
    conditions = Conditions(**_read_table("conditions", tables.get("conditions", {}), Conditions))
    named = tables.get("bots", {})
    if not isinstance(named, dict) or len(named) < 2:
        raise ValueError("an arena needs two competitors, [bots.NAME] each")
    bots = {}
    for name, table in named.items():
        if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
            raise ValueError(f"{name!r} is no name: 1 to {_LONGEST_NAME} printable letters are allowed")
        bots[name] = Competitor(**_read_table(name, table, Competitor))
        if sum(kind in table for kind in _KINDS) != 1:
            raise ValueError(f"{name} needs one of {', '.join(_KINDS)}")
        if bots[name].own not in ("", *OWN):
            raise ValueError(f"{name}: own is {bots[name].own!r}, allowed are {', '.join(OWN)}")
        if bots[name].own not in SEARCHERS and ("think_ms" in table or "nodes" in table):
            raise ValueError(f"{name}: think_ms and nodes go with own = {' or '.join(map(repr, SEARCHERS))}")
    return Plan(conditions, bots)


def _read_table(where: str, table: Any, kind: type[Conditions | Competitor]) -> dict[str, Any]:
    """Return a table whose keys are the fields of a class, each with a fitting value; raise ValueError."""
    if not isinstance(table, dict):
        raise ValueError(f"{where} is no table")
    known = {field.name: field.type for field in fields(kind)}
    for key, value in table.items():
        if key not in known:
            raise ValueError(f"{where}: {key!r} is unknown; known are {', '.join(known)}")
        if key not in _RANGES:
            if not isinstance(value, str) or not value.strip():
                raise ValueError(f"{where}: {key} is {value!r}, a text is needed")
            continue
        least, most = _RANGES[key]
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"{where}: {key} is {value!r}, allowed are {least} to {most}")
    return table
