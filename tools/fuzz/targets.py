"""List every reader of what comes from outside: what it reads, and the errors that it may raise.

An error counts as the reader's own if it has exactly such a type, a `raise` of ours raised it, and it is one line.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from firmware.device.wiring import WiringError
from sim.bots import process
from sim.desktop import archive, gamepad, key_file
from sim.desktop.control_file import MapError
from sim.link import LinkError, split_address
from sim.terminal import Refusal
from tools import ROOT, daily
from tools.bots.arena import competitors
from tools.bots.perft import positions
from tools.bots.strong import tune
from tools.clear_a_line import checker
from tools.deploy import DeployError, mark, uf2
from tools.fuzz import frames, readers, seeds
from tools.fuzz.readers import in_bytes, in_file, in_text
from tools.fuzz.seeds import files, texts
from tools.openers import text as openers
from tools.openers.text import OpenerError
from tools.puzzles import text as puzzles
from tools.puzzles.text import PuzzleError
from tools.tetress import notation
from tools.tetress.notation import NotationError

_BOARD = "raspberry_pi_pico"


@dataclass(frozen=True)
class Target:
    """A reader. read: gets the input, and an empty folder for files. owns: its errors. seeds: return good input."""

    name: str
    read: Callable[[bytes, Path], object]
    owns: tuple[type[Exception], ...]
    seeds: Callable[[], Iterable[bytes]]

    @property
    def stem(self) -> str:
        """How the names of its inputs begin."""
        return f"{self.name.replace(' ', '-')}-"


def judge(target: Target, content: bytes, folder: Path) -> str:
    """Return what is wrong with a reader, in one line; "" if it accepts or refuses the input as it should."""
    try:
        target.read(content, folder)
    except Exception as problem:  # whatever comes out is what we want to see
        *_, last = traceback.extract_tb(problem.__traceback__)
        said = str(problem)
        is_own = type(problem) in target.owns and (last.line or "").startswith("raise ")
        if is_own and "\n" not in said:
            return ""
        place = Path(last.filename)
        place = place.relative_to(ROOT) if place.is_relative_to(ROOT) else place
        return f"{type(problem).__name__} at {place.as_posix()}:{last.lineno}: {said!a:.100}"
    return ""


# name, reader, its own errors, good input
TARGETS = tuple(
    Target(*row)
    for row in (
        ("recordings", readers.read_recording, (Refusal,), files("tests/recordings/**/*.sky", "tests/matches/*.sky")),
        ("journals", readers.read_bank, (), files("tests/recordings/lost.sky")),
        ("records", readers.read_records, (), seeds.make_records),
        ("ending notes", readers.read_note, (), seeds.make_notes),
        ("rules lines", in_text(readers.read_rules), (ValueError,), texts("SKY1-1AFZ0", "SKY1-0M9PH")),
        ("rules", in_bytes(readers.read_rule_numbers), (ValueError,), texts("\1\0\5\0\0\0", "\0\0\1\0")),
        (
            "daily lines",
            in_text(lambda line: daily.verify(line, seeds.DAILY.read_bytes())),
            (ValueError,),
            seeds.make_line,
        ),
        ("settings", in_bytes(readers.read_settings), (WiringError,), texts(seeds.SETTINGS_TOML)),
        ("keys", in_file(key_file.read), (MapError,), texts("[alone]\nKeyA = left\n", "[alone]\nKeyA=left\n up")),
        ("gamepads", in_file(gamepad.read_map), (MapError,), texts("[gamepad]\na = hold\n", "[gamepad]\na=hold\n up")),
        ("archives", in_file(archive.read), (Refusal,), seeds.make_archives),
        ("puzzles", in_file(puzzles.read), (PuzzleError, Refusal), files("tools/puzzles/puzzles.txt")),
        ("openers", in_file(openers.read), (OpenerError, PuzzleError, Refusal), files("tools/openers/openers.txt")),
        ("fumens", in_text(readers.read_puzzle_link), (PuzzleError,), texts(seeds.FUMEN)),
        ("bots", in_bytes(readers.read_bot), (process.Fault, ValueError), texts(seeds.BOT)),
        ("hosts of bots", in_bytes(readers.read_host), (ValueError,), texts(seeds.HOST)),
        (
            "attacks",
            in_file(readers.read_attacks),
            (ValueError,),
            files("sim/bots/tables/*.txt", "firmware/match/attacks.txt"),
        ),
        ("arena plans", in_file(competitors.read_plan), (Refusal,), texts(seeds.PLAN)),
        ("arenas", readers.read_arena, (Refusal,), lambda: [*seeds.make_databases()][1:]),
        ("libraries", readers.read_library, (), lambda: [*seeds.make_databases()][:1]),
        ("tuning logs", in_file(tune.read_log), (ValueError,), files("tools/bots/strong/tuned*.jsonl")),
        ("perft counts", in_file(positions.read_counts), (Refusal,), files("tools/bots/perft/counts.jsonl")),
        ("strategies", in_bytes(readers.read_strategy), (checker.Refused,), files("firmware/winning.bin")),
        ("transcripts", in_text(notation.read_transcript), (NotationError,), texts(seeds.TRANSCRIPT)),
        ("lobbies", in_bytes(frames.read_lobby), (), frames.make_greetings),
        ("links", in_bytes(frames.read_link), (), frames.make_plays),
        ("hubs", in_bytes(frames.read_hub), (), frames.make_greetings),
        ("addresses", in_text(split_address), (LinkError,), texts("[::1]:80", "host:9")),
        ("romfs", in_bytes(readers.read_image), (), files("firmware/puzzles.bin")),
        ("UF2 files", in_bytes(lambda content: uf2.check(content, "it", _BOARD)), (DeployError,), seeds.make_uf2),
        ("marks of drives", in_bytes(mark.read), (), seeds.make_mark),
    )
)
